/** Levels of the log: each tells what those before it tell, and more. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The log of a deployment's work. */
export type DeploymentLog = Record<Exclude<LogLevel, "silent">, (message: string, facts?: object) => void>;

/** Members of facts that are never written. */
const secret = new Set(["authorization", "key"]);

/** A log of JSON lines on standard error, or to another place. */
export function openLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): DeploymentLog {
  const to =
    (own: LogLevel) =>
    (message: string, facts: object = {}) => {
      if (logLevels.indexOf(own) > logLevels.indexOf(level)) return;
      const line = { level: own, at: new Date().toISOString(), message, ...facts };
      write(`${JSON.stringify(line, written)}\n`);
    };
  return { error: to("error"), warn: to("warn"), info: to("info"), debug: to("debug") };
}

function written(name: string, value: unknown): unknown {
  if (secret.has(name)) return "[redacted]";
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
