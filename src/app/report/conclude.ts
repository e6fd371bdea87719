import { join, sep } from "node:path";
import { isMargin } from "../../compare/comparison-plan.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { RunContext } from "../context.ts";
import { AppError, exitCodes } from "../../errors.ts";
import type { ChangesSinceNotice } from "../../report/shape/changes-since-notice.ts";
import { newsOf, newsOfNights } from "../history/changes-since-notice.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import type { RunSummary } from "../../report/shape/run-summary.ts";
import { placeOfKey } from "../../store/plan/case-keys.ts";
import type { WorstRow } from "../../report/model/worst-rows.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import { databasePath } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { inDoubtJobs } from "../../store/journal/in-doubt.ts";
import { missingParts } from "../../store/merge/merged-parts.ts";
import { canWrite, knownPath } from "../../store/read-only-folder.ts";
import { storeFailure } from "../../store/store-failure.ts";
import { outagesOf } from "../../store/results/outages.ts";
import { paidTwiceInAll } from "../../store/results/paid-twice.ts";
import type { SendEnd } from "../send/send.ts";
import { type PlannedComparison, comparisonOfBatch } from "../compare/planned-comparison.ts";
import { commandText, nextWhy } from "../../report/say/next.ts";
import type { NextStep } from "../../report/shape/next-step.ts";
import { concludingStep, flagsToResume } from "./next-step.ts";
import { keepMade } from "./keep-made.ts";
import type { ProposedScorer } from "./proposed-scorer.ts";
import { suiteReports } from "./suite-reports.ts";
import type { UnwrittenReport } from "./report-set.ts";
import { writeReports } from "./write-report.ts";

/** The result of a batch, for every form in which it is told, with its exit code. */
export interface Conclusion {
  summary: RunSummary;
  /** The same for the formats that are files. */
  model: ReportSummary;
  /** The rows that a person should look at first. */
  worst: WorstRow[];
  /** The absolute path of the file that each of them is of, and its line, by their keys. */
  places: ReadonlyMap<string, { path: string; line: number }>;
  /** The suite asks for the summary in the terminal. */
  isTold: boolean;
  /** Reports that could not be written. */
  unwritten: readonly UnwrittenReport[];
  exitCode: number;
  /** The run beside the nights before it of which people were told. */
  news: ChangesSinceNotice;
  /** The run beside all nights before it. */
  ofNights: ChangesSinceNotice | null;
}

/** The part of a run that its conclusion needs: stored batches are compared without the rest. */
type Concluded = Pick<RunContext, "db" | "out" | "failOn" | "reports" | "resumeCommand" | "rerun" | "resumeFlags">;

/** Nothing was sent. */
const nothingSent: SendEnd = { stopped: [], stops: [] };

/** Compares what is stored and writes the reports: from the database alone, as often as one likes. */
export async function concludeBatch(run: Concluded, name: string, end?: SendEnd): Promise<Conclusion> {
  return concludeComparison(run, comparisonOfBatch(run.db, findBatch(run.db, name)), end);
}

/** Compares sides of any batches. The reports of a comparison that is not the batch's own go to a folder within its folder. */
export async function concludeComparison(
  run: Concluded,
  planned: PlannedComparison,
  end = nothingSent,
): Promise<Conclusion> {
  const { batch } = planned;
  const { db, out, failOn, reports, resumeCommand } = run;
  const folder = reportFolder(planned, out);
  const isOwn = folder === join(out, batch.name);
  // In a folder that is only read, what is asked for can still be written elsewhere.
  const wanted = canWrite(out) ? suiteReports(batch.suite, { folder, out, isOwn }) : [];
  const inDoubt = inDoubtJobs(db, batch.id, 10);
  const isAdvised = end.stops.some(({ advice }) => advice !== null);
  const { rerun, resumeFlags = flagsToResume(db, batch) } = run;
  let unkept: UnwrittenReport | null = null;
  const missing = missingParts(db, batch);
  const asked = {
    out,
    failOn,
    wanted: [...wanted, ...reports],
    keep(made: Comparison) {
      unkept = keep(db, planned, made);
    },
    nextOf: (made: Comparison, proposal: ProposedScorer | null): NextStep =>
      end.refusal !== undefined && resumeCommand !== undefined
        ? { step: { kind: "correct" }, commands: [resumeCommand] }
        : concludingStep({ batch, comparison: made, inDoubt, proposal, isAdvised, out, rerun, resumeFlags, missing }),
  };
  const written = await writeReports(db, planned, asked);
  const { comparison, model, worst, next } = written;
  const possiblyPaid = paidTwiceInAll(db, batch.id);
  const unwritten = [...(unkept === null ? [] : [unkept]), ...written.unwritten];
  const isWritten = (path: string): boolean => !unwritten.some((report) => report.path === path);
  const summary: RunSummary = {
    batch: batch.name,
    suite: batch.suiteName,
    state: batch.state,
    reason: batch.reason,
    startedAt: new Date(batch.createdAt).toISOString(),
    durationMs: batch.finishedAt === null ? null : batch.workedMs,
    comparison,
    stopped: end.stops,
    inDoubt,
    possiblyPaidTwice: possiblyPaid.gateway + possiblyPaid.other,
    possiblyPaid,
    outages: outagesOf(db, batch.id),
    judges: model.judges,
    alarms: model.alarms,
    files: [
      ...wanted.flatMap(({ path, about }) => (isWritten(path) ? [{ path, about }] : [])),
      ...reports.flatMap(({ path, append }) =>
        path === "-" || append === true || !isWritten(path) ? [] : [{ path, about: "as asked for" }],
      ),
      { path: databasePath(out), about: "every record, for any SQLite tool" },
    ],
    refused: end.refusal ?? null,
    next: commandText(next),
    nextWhy: nextWhy(next),
  };
  const isTold = batch.suite.reports?.includes("terminal") ?? true;
  const exitCode = unwritten.length > 0 ? exitCodes.couldNotRun.code : exitCodeOf(comparison, end, failOn);
  // A judge that has changed is news as a change over the nights is.
  const judges = (model.judgeWatch ?? []).filter(({ state }) => state === "changed");
  const isProviderNews = model.findings.facts.some(
    (fact) => fact.kind === "provider" && fact.changes.some(({ batch: told }) => told === batch.name),
  );
  const changed = [...judges, ...(isProviderNews ? ["provider"] : [])].map(() => ({
    state: "new" as const,
    noticedAt: batch.createdAt,
  }));
  const alarms = model.alarms.map(({ state, noticed }) => ({ state, noticedAt: Date.parse(noticed.startedAt) }));
  const tonight = { comparison, alarms: [...alarms, ...changed] };
  // A comparison with something else tells nothing of what was wrong in the nights.
  const [news, ofNights] = [newsOf(db, batch, tonight), isOwn ? newsOfNights(db, batch, tonight) : null];
  const places = placesOf(db, batch, worst);
  return { summary, model, worst, places, isTold, unwritten, exitCode, news, ofNights };
}

/** Rows of files of text: a line of others is none that an editor shows. */
function placesOf(
  db: Connection,
  { id, suite: { datasets } }: Batch,
  worst: readonly WorstRow[],
): Conclusion["places"] {
  return new Map(
    worst.flatMap(({ row: { key } }) => {
      const found = placeOfKey(db, id, key);
      if (found === null || !/\.(?:csv|tsv|txt|jsonl|ndjson)$/i.test(found.file)) return [];
      const path = datasetShownAs(found.file, datasets);
      return path === null ? [] : [[key, { path, line: found.line }] as const];
    }),
  );
}

/** The absolute path of a dataset that people were shown from the folder of the command; null: it is not known which. */
function datasetShownAs(shown: string, datasets: readonly string[]): string | null {
  const found = [...new Set(datasets)].filter((path) => path === shown || path.endsWith(`${sep}${shown}`));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Keeps a comparison; where that is not possible, on a full disk, it is told all the same. Null; or why it is not kept. */
function keep(db: Connection, planned: PlannedComparison, comparison: Comparison): UnwrittenReport | null {
  try {
    keepMade(db, planned, comparison);
    return null;
  } catch (cause) {
    const path = knownPath(db.name);
    const error = storeFailure(path, cause, { kept: "The comparison is shown and not kept.", next: "compare again" });
    if (error instanceof AppError) return { path, error };
    throw cause;
  }
}

/** Folder of the reports of a comparison. */
export function reportFolder({ batch, against, isOwn }: PlannedComparison, out: string): string {
  return isOwn ? join(out, batch.name) : join(out, batch.name, folderName(against));
}

/** Names of sides may hold what a file system does not like. */
function folderName(against: string): string {
  return `against-${against.replaceAll(/[^\p{L}\p{M}\p{N}._~-]+/gu, "-").slice(0, 100)}`;
}

/** A regression that only an undeclared column of groups took away: `--fail-on worse` counts it. */
function isRegressionByRows({ gates }: Comparison): boolean {
  return gates.some((gate) => isMargin(gate) && gate.dependence?.byRows === "regression");
}

function exitCodeOf(comparison: Comparison, end: SendEnd, failOn: RunContext["failOn"]): number {
  // Nothing, or next to nothing, was sent.
  if (end.refusal !== undefined) return exitCodes.couldNotRun.code;
  // Where only the confirmation was cut short, the first look stands.
  const isCut = (comparison.confirmation?.unfinished ?? null) !== null;
  if (!isCut && (end.stopped.length > 0 || comparison.targets.some((target) => target.stopped !== null)))
    return exitCodes.couldNotRun.code;
  // Such a batch exists only where that was allowed.
  if (comparison.cases === 0) return exitCodes.ok.code;
  if (comparison.verdict === "regression") return exitCodes.regression.code;
  if (comparison.verdict === "invalid") return exitCodes.invalid.code;
  // A loss that is sure says more than that something is open.
  const isWorse = comparison.word === "worse" || isRegressionByRows(comparison);
  if (isWorse && failOn.includes("worse")) return exitCodes.regression.code;
  return comparison.verdict === "inconclusive" && failOn.includes("inconclusive")
    ? exitCodes.invalid.code
    : exitCodes.ok.code;
}
