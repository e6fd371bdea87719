import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { AppError } from "../errors.ts";

/** Variables that change how Node, its TLS, its way to the network or its libraries behave: a `.env` never sets them. */
const refused = /^(?:NODE(?:_.*)?|SSL_.*|OPENSSL_.*|SSLKEYLOGFILE|UV_.*|LD_.*|DYLD_.*|(?:.*_)?PROXY|PATH|HOME)$/i;

/**
 * Puts variables of `.env` in the working directory into the environment: those that are named here and `TANDEM_*`, and
 * nothing else that the file holds. They never replace what the environment says.
 */
export function loadDotEnv(names: readonly string[]): void {
  for (const [name, value] of Object.entries(dotEnv())) {
    const isWanted = name.startsWith("TANDEM_") || names.includes(name);
    if (isWanted && !refused.test(name) && !Object.hasOwn(process.env, name)) process.env[name] = value;
  }
}

function dotEnv(): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(".env", "utf8"));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return {};
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("USAGE", `.env cannot be read: ${reason}`, { hint: "Mend it, or move it away.", cause });
  }
}

/** The variables that the words of a command line name: `${NAME}`, and `env:NAME`. */
export function namesInWords(words: readonly string[]): string[] {
  return words.flatMap((word) =>
    [...word.matchAll(/\$\{([A-Za-z_]\w*)|^(?:--[a-z-]+=)?env:([A-Za-z_]\w*)$/g)].flatMap(names),
  );
}

/** The variables that a suite file names: `${NAME}`, `api_key_env: NAME`, and `env: [NAME]` of a scorer. */
export function namesInSuite(path: string): string[] {
  const text = suiteText(path);
  const lists = [...text.matchAll(/\benv["']?\s*:\s*(?:\[([^\]]*)\]|((?:\s*-\s+["']?\w+["']?\s*\n)+))/g)];
  const listed = lists.flatMap((list) => names(list)).flatMap((list) => list.match(/[A-Za-z_]\w*/g) ?? []);
  return [...[...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].flatMap(names), ...keyNamesInSuite(path), ...listed];
}

/** The variables that a suite file names for keys, also when it is not valid. */
export function keyNamesInSuite(path: string): string[] {
  return [...suiteText(path).matchAll(/\b[a-z_]*_env["']?\s*:\s*["']?([A-Za-z_]\w*)/g)].flatMap(names);
}

const names = (match: RegExpMatchArray): string[] => match.slice(1).filter((name) => name !== undefined);

/** Empty for a dataset, and for a file that cannot be read: loading the suite says why. */
function suiteText(path: string): string {
  if (!/\.ya?ml$/i.test(path)) return "";
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
