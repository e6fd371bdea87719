import { type DestinationStream, pino } from "pino";

interface Write {
  (message: string): void;
  (fields: object, message: string): void;
}

/** The log of a deployment's work. */
export interface DeploymentLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

export const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log of JSON lines on stderr (or another destination); keys that get into it are redacted. */
export function openLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): DeploymentLog {
  const redact = { paths: ["authorization", "*.authorization", "key", "*.key"], censor: "[redacted]" };
  return pino({ name: "deployment", level, redact, base: { pid: process.pid } }, destination);
}
