import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of what `tandem run --json` printed that the action tells; empty texts where it did not get so far. */
export interface Printed {
  batch: string;
  verdict: string;
  /** Why it could not run, with advice. */
  error: string;
}

export function printedJson(): Printed {
  const value = record(read(join(process.env["RUNNER_TEMP"] ?? "", "tandem.json")));
  const { message, hint } = record(value["error"]);
  return {
    batch: text(value["batch"]),
    verdict: text(record(value["comparison"])["verdict"]),
    error: [text(message), text(hint)].filter((line) => line !== "").join("\n"),
  };
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // It ended before it printed anything.
    return null;
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const text = (value: unknown): string => (typeof value === "string" ? value : "");
