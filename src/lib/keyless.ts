/** Also the address of the workers, which holds a password, the headers with which spans are sent, and the key for scores. */
const isOurs = (name: string): boolean =>
  /^(?:TANDEM_(?:(?:.*_)?API_KEY|WORKERS)|OTEL_EXPORTER_OTLP_(?:.*_)?HEADERS|LANGFUSE_SECRET_KEY)$/i.test(name);

/** A shorter value occurs in others by chance. */
const shortestKey = 6;

/**
 * An environment for programs that get to see no API key: without the variables that hold one (`keyNames`, and tandem's
 * own), without others that repeat it, and without any that is called an API key, unless it is `wanted`.
 */
export function keylessEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  keyNames: readonly string[],
  wanted: readonly string[] = [],
): Record<string, string | undefined> {
  const isKey = (name: string): boolean => keyNames.includes(name) || isOurs(name);
  const keys = Object.entries(env).flatMap(([name, value = ""]) => {
    const key = isKey(name) ? value.trim() : "";
    return key.length < shortestKey ? [] : [key];
  });
  const isSafe = ([name, value = ""]: [string, string | undefined]): boolean => {
    if (isKey(name) || keys.some((key) => value.includes(key))) return false;
    return wanted.includes(name) || !/API_?KEY/i.test(name);
  };
  return Object.fromEntries(Object.entries(env).filter(isSafe));
}
