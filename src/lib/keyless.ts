/** Also the address of the workers, which holds a password, the headers with which spans are sent, and the key for scores. */
const isOurs = (name: string): boolean =>
  /^(?:TANDEM_(?:(?:.*_)?API_KEY|WORKERS)|OTEL_EXPORTER_OTLP_(?:.*_)?HEADERS|LANGFUSE_SECRET_KEY)$/i.test(name);

/** A shorter value occurs in others by chance. */
const shortestKey = 6;

type Environment = Readonly<Record<string, string | undefined>>;

/** Tells which variables hold a key: those called so, tandem's own, and others that repeat the value of one. */
function keyTest(env: Environment, keyNames: readonly string[]): (name: string, value: string) => boolean {
  const isKey = (name: string): boolean => keyNames.includes(name) || isOurs(name);
  const keys = Object.entries(env).flatMap(([name, value = ""]) => {
    const key = isKey(name) ? value.trim() : "";
    return key.length < shortestKey ? [] : [key];
  });
  return (name, value) => isKey(name) || keys.some((key) => value.includes(key));
}

/**
 * An environment for a command of the user's own that gets to see no API key: without the variables that hold one
 * (`keyNames`, and tandem's own), without others that repeat it, and without any that is called an API key.
 */
export function keylessEnvironment(env: Environment, keyNames: readonly string[]): Record<string, string | undefined> {
  const holdsKey = keyTest(env, keyNames);
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = ""]) => !holdsKey(name, value) && !/API_?KEY/i.test(name)),
  );
}

/** Variables by which programs find their files, their language, other programs and the way to the network. */
const ofSystem = new RegExp(
  `^(?:${[
    "PATH|PATHEXT|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|TMP|TEMP|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI",
    String.raw`LANG|LANGUAGE|LC_\w+|XDG_\w+`,
    "USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|PROGRAMFILES\\(X86\\)",
    "SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|OS|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE",
    "NODE_ENV|NODE_PATH|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NVM_DIR|VOLTA_HOME",
    String.raw`PYTHON\w+|VIRTUAL_ENV|CONDA_\w+|JAVA_HOME|GEM_HOME|GEM_PATH|GOPATH|GOROOT|CARGO_HOME|DOTNET_ROOT`,
    "LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE",
    "HTTPS?_PROXY|ALL_PROXY|NO_PROXY",
  ].join("|")})$`,
  "i",
);

/** An address with a user or a password in it. */
const hasLogin = (value: string): boolean => /\/\/[^/\s]*@/.test(value);

/**
 * The environment of a program that tandem runs for a suite: what the system gives to every program, and the variables
 * that are `wanted` by name. It never has a key of a deployment (`keyNames`, and tandem's own), nor a copy of one.
 */
export function programEnvironment(
  env: Environment,
  keyNames: readonly string[],
  wanted: readonly string[],
): Record<string, string | undefined> {
  const holdsKey = keyTest(env, keyNames);
  const isGiven = (name: string, value: string): boolean =>
    wanted.includes(name) || (ofSystem.test(name) && !hasLogin(value));
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = ""]) => isGiven(name, value) && !holdsKey(name, value)),
  );
}
