import type { LogEntry } from "../../api/functions-schema.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";

/** One call of a function as it goes to a thread: values are JSON text, which no thread can misread. */
export interface ThreadCall {
  source: string;
  fileName: string;
  variablesJson: string;
  bodyJson: string;
  limits: SandboxLimits;
}

/** The message that comes back from a thread. */
export interface ThreadResult {
  /** The return value as JSON text; `null` as text after an error. */
  valueJson: string;
  error: string | null;
  logs: LogEntry[];
}

/** A call that ended without a value. */
export function failedResult(error: string, logs: LogEntry[] = []): ThreadResult {
  return { valueJson: "null", error, logs };
}
