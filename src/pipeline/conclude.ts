import { join } from "node:path";
import type { Comparison } from "../compare/comparison.ts";
import { exitCodes } from "../errors.ts";
import type { RunSummary } from "../report/run-summary.ts";
import { type Batch, findBatch } from "../store/batches.ts";
import type { Connection } from "../store/database.ts";
import { type DoubtfulJobs, doubtfulJobs } from "../store/doubts.ts";
import { possiblyPaidTwice } from "../store/results.ts";
import type { DriveEnd } from "./drive.ts";
import { writeTables } from "./reports.ts";

/** What a batch came to, for every form in which it is told, and the exit code that says it. */
export interface Conclusion {
  summary: RunSummary;
  exitCode: number;
}

/** Compares what is stored and writes the reports: from the database alone, as often as one likes. */
export async function concludeBatch(
  db: Connection,
  name: string,
  { end, out }: { end: DriveEnd; out: string },
): Promise<Conclusion> {
  const batch = findBatch(db, name);
  const folder = join(out, batch.name);
  const runs = join(folder, "runs.csv");
  const compared = join(folder, "comparison.csv");
  const comparison = await writeTables(db, batch, { runs, comparison: compared });
  const inDoubt = doubtfulJobs(db, batch.id, 10);
  const summary: RunSummary = {
    batch: batch.name,
    suite: batch.suiteName,
    state: batch.state,
    reason: batch.reason,
    startedAt: new Date(batch.createdAt).toISOString(),
    durationMs: batch.finishedAt === null ? null : batch.finishedAt - batch.createdAt,
    comparison,
    stopped: end.stops,
    inDoubt,
    possiblyPaidTwice: possiblyPaidTwice(db, batch.id),
    files: [
      { path: runs, about: "a line for each job" },
      { path: compared, about: "a line for each case" },
      { path: join(out, "tandem.db"), about: "every record, for any SQLite tool" },
    ],
    next: nextCommand(batch, out, inDoubt),
  };
  return { summary, exitCode: exitCodeOf(end.stopped, comparison) };
}

/** What a person may want to do now: go on with what is not finished, or decide about what is held back. */
function nextCommand({ name, state }: Batch, out: string, { held }: DoubtfulJobs): string | null {
  const folder = out === "results" ? "" : ` --out ${quoted(out)}`;
  if (state !== "finished") return `tandem resume ${quoted(name)}${folder}`;
  return held > 0 ? `tandem resume ${quoted(name)}${folder} --on-in-doubt resend` : null;
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\p{L}\p{M}\p{N}_./~+-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function exitCodeOf(stopped: DriveEnd["stopped"], comparison: Comparison): number {
  if (stopped.length > 0 || comparison.targets.some((target) => target.stopped !== null))
    return exitCodes.couldNotRun.code;
  // Such a batch exists only where that was allowed.
  if (comparison.cases === 0) return exitCodes.ok.code;
  if (comparison.validity?.state === "invalid") return exitCodes.invalid.code;
  return exitCodes.ok.code;
}
