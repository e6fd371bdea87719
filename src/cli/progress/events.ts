import type { ShownOutcome } from "../../api/outcomes.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import { withoutCommands } from "../../lib/ci-commands.ts";
import { jsonText } from "../../lib/json.ts";
import { storedVersion } from "../../lib/stored-version.ts";
import { closeSync, openSync, writeSync } from "node:fs";
import { AppError } from "../../errors.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";

/** Events that `--events` writes, one JSON object a line; docs/reference/report-json.md describes the members. */
export type RunEvent =
  | { type: "planned"; batch: string; cases: number; jobs: number }
  | { type: "resumed"; batch: string; inDoubt: { case: string; target: string; attempt: number }[]; atService: number }
  | { type: "asked-again"; batch: string; cases: number; jobs: number }
  | {
      type: "settled";
      queue: string;
      target: string;
      job: number;
      case: string;
      repeat: number;
      attempt: number;
      outcome: ShownOutcome;
      answer: string | null;
      decision: string;
      status: number | null;
      error: string | null;
      run: string | null;
    }
  | Exclude<QueueEvent, { type: "settled" }>
  | { type: "note"; message: string }
  | { type: "finished"; batch: string; state: string; exitCode: number };

/** Writes events to a file, or to standard error. */
export interface EventLog {
  /** Events share standard error: nothing else may be written there. */
  readonly ownsStderr: boolean;
  write(event: RunEvent): void;
  close(): void;
}

/** Lines are gathered up to this size, or this long. */
const bufferSize = 64 * 1024;
const flushEveryMs = 250;

/** Opens the log that `--events` asks for: a path, or nothing for standard error. Throws OUTPUT_UNWRITABLE. */
export function openEvents(path: string): EventLog {
  const ownsStderr = path === "" || path === "-";
  const file = ownsStderr ? process.stderr.fd : openFile(path);
  let isFirst = true;
  let lines: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (lines.length === 0) return;
    writeAll(file, lines.join(""));
    lines = [];
    size = 0;
  };
  const timer = setInterval(flush, flushEveryMs);
  return {
    ownsStderr,
    write(event) {
      const head = { at: new Date().toISOString(), ...(isFirst && { version: storedVersion }) };
      isFirst = false;
      const line = `${withoutCommands(jsonText({ ...head, ...event }))}\n`;
      lines.push(line);
      size += line.length;
      if (size >= bufferSize) flush();
    },
    close() {
      clearInterval(timer);
      flush();
      if (!ownsStderr) closeSync(file);
    },
  };
}

function openFile(path: string): number {
  try {
    return openSync(path, "w", 0o600);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("OUTPUT_UNWRITABLE", `Cannot write the events to ${path}: ${reason}`, {
      hint: "Name another file after --events, or none for standard error.",
      cause,
    });
  }
}

/** A pipe takes a part at a time, or nothing while it is full; events that can no longer be written never end a run. */
function writeAll(file: number, text: string): void {
  let rest = Buffer.from(text);
  for (let tries = 0; rest.length > 0 && tries < 1_000; tries++) {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** An event of an endpoint queue for programs: bounded in size, with the key of the case. */
export function eventOf(event: QueueEvent, caseKey: ((caseId: number) => string) | null): RunEvent {
  if (event.type !== "settled") return event;
  const { queue, target, job, outcome, decision } = event;
  return {
    type: "settled",
    queue,
    target,
    job: job.id,
    case: caseKey?.(job.caseId) ?? "",
    repeat: job.repeat,
    attempt: job.attempts,
    outcome: sideOutcome({ outcome: outcome.kind, answer: outcome.answer }),
    answer: outcome.answer,
    decision,
    status: outcome.status,
    error: outcome.error?.slice(0, 1_000) ?? null,
    run: outcome.record?.id ?? null,
  };
}
