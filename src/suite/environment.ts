/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable without white space around it; empty where it is not set. A name such as `constructor` is no variable. */
export const envValue = (env: Environment, name: string): string =>
  Object.hasOwn(env, name) ? (env[name] ?? "").trim() : "";

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The names of the variables that a text refers to. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(reference)].map(([, name = ""]) => name);
}

/** The names of the variables that a text refers to without a default. */
export const neededIn = (text: string): string[] => substitute(text, {}).missing;

/**
 * A text with `${NAME}` and `${NAME:-default}` replaced; an empty variable counts as not set, as in a shell.
 * `missing` lists the names that have neither value nor default.
 */
export function substitute(text: string, env: Environment): { text: string; missing: string[] } {
  const missing: string[] = [];
  const replaced = text.replaceAll(reference, (_match, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(env, name) ? (env[name] ?? "") : "";
    if (value !== "") return value;
    if (fallback === undefined) missing.push(name);
    return fallback ?? "";
  });
  return { text: replaced, missing };
}
