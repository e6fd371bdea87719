import { statSync } from "node:fs";
import { z } from "zod";
import type { Comparison } from "../../compare/comparison.ts";
import { hashText } from "../../lib/hash.ts";
import { formatNamed } from "../../report/formats/formats.ts";
import type { ModelCounts } from "../../report/model/model-tally.ts";
import type { WorstRow } from "../../report/model/worst-rows.ts";
import type { ReportRow, ReportSummary } from "../../report/shape/model.ts";
import { batchProgress } from "../../store/batch-overview.ts";
import { comparisonWithFacts, keepReportFacts } from "../../store/compared/comparisons.ts";
import { oneCaseReader, placeOfJob } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import { caseIdentities } from "../../store/plan/case-keys.ts";
import { labelStamp } from "../../store/scores/labels.ts";
import { comparisonMark } from "../compare/comparison-mark.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { rowOfCase } from "./row-of-case.ts";
import type { WantedReport } from "./report-writer.ts";

const reportFacts = z.strictObject({
  /** Mark of all that was compared, and a hash of what came out. */
  mark: z.string(),
  comparison: z.string(),
  /** Hash of the model that the reports tell. */
  model: z.string(),
  counts: z.custom<ModelCounts>((value) => typeof value === "object" && value !== null),
  /** The rows to look at first: a job of each, its place in the comparison from 1, and the pair. */
  worst: z.array(z.strictObject({ jobId: z.number(), place: z.number(), pair: z.number() })),
  /** The reports as they were left. */
  files: z.array(z.strictObject({ path: z.string(), bytes: z.number(), changedAt: z.number() })),
});

type ReportFacts = z.infer<typeof reportFacts>;

/** Reports that were written, and all that they were made of. */
export interface MadeReports {
  comparison: Comparison;
  counts: ModelCounts;
  model: ReportSummary;
  worst: readonly WorstRow[];
  wanted: readonly WantedReport[];
  /** Names the code that wrote them. */
  code: string;
}

/** Keeps with a comparison what its reports were made of. */
export function keepFacts(db: Connection, planned: PlannedComparison, made: MadeReports): void {
  const mark = markOf(db, planned, made.code);
  const files = filesOf(made.wanted);
  // Where only tables are written, no reasons are read, and the rows to look at first have none: read again they would.
  const isBare = made.worst.length > 0 && made.wanted.every(({ format }) => formatNamed(format).kind === "table");
  if (mark === null || files === null || isBare) return;
  const facts: ReportFacts = {
    mark,
    comparison: hashText(JSON.stringify(made.comparison)),
    model: hashText(JSON.stringify(made.model)),
    counts: made.counts,
    worst: made.worst.map(({ row, pair }) => ({ jobId: jobOf(row), place: row.place, pair })),
    files,
  };
  const { batch, against } = planned;
  keepReportFacts(db, batch.id, { against, facts: JSON.stringify(facts) });
}

/** The parts of reports that were written, as they are read again. */
interface KnownReports extends Pick<MadeReports, "comparison" | "counts"> {
  /** True for the model that the reports tell. */
  isTold: (model: ReportSummary) => boolean;
  worst: () => WorstRow[];
}

/**
 * Finds the parts of reports that were written, where the same would be written now and the files are as they were left. Null where
 * anything is another, or in doubt: then it is compared again.
 */
export function knownReports(
  db: Connection,
  planned: PlannedComparison,
  { wanted, code }: Pick<MadeReports, "wanted" | "code">,
): KnownReports | null {
  const kept = comparisonWithFacts(db, planned.batch.id, planned.against);
  const facts = kept === null ? null : factsIn(kept.facts);
  if (kept === null || facts === null) return null;
  if (facts.mark !== markOf(db, planned, code) || facts.comparison !== hashText(kept.summary)) return null;
  if (JSON.stringify(facts.files) !== JSON.stringify(filesOf(wanted))) return null;
  const comparison: Comparison = JSON.parse(kept.summary);
  return {
    comparison,
    counts: facts.counts,
    isTold: (model) => hashText(JSON.stringify(model)) === facts.model,
    worst: () => facts.worst.flatMap((each) => worstRow(db, planned, each)),
  };
}

/** A row with a change has a run on both sides. */
const jobOf = ({ sides }: ReportRow): number => sides.flatMap(({ runs }) => runs)[0]?.jobId ?? -1;

function worstRow(db: Connection, planned: PlannedComparison, worst: ReportFacts["worst"][number]): WorstRow[] {
  const { jobId, place, pair } = worst;
  const one = caseIdentities(db)(placeOfJob(db, jobId)?.caseId ?? -1);
  const found = one === null ? null : oneCaseReader(db, planned.batches)(one.key, one.inputHash);
  const row = found === null ? null : rowOfCase(found, planned, place - 1);
  const change = row?.changes[pair];
  return row === null || change === undefined ? [] : [{ row, change, pair }];
}

function factsIn(text: string): ReportFacts | null {
  try {
    return reportFacts.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Null where a batch has not come to its end, and for a second look, which compares rows in its own way. */
function markOf(db: Connection, planned: PlannedComparison, code: string): string | null {
  if (planned.secondLook !== null) return null;
  const progress = new Map(planned.batches.map(({ batchId }) => [batchId, batchProgress(db, batchId)] as const));
  if (Array.from(progress.values()).some((each) => each?.state !== "finished")) return null;
  return comparisonMark(db, planned, {
    about: [code],
    progressOf(batchId) {
      const { name, createdAt, finishedAt } = progress.get(batchId) ?? {};
      return [name, createdAt, finishedAt, labelStamp(db, batchId)];
    },
  });
}

/** Null where one is not a file that stays. */
function filesOf(wanted: readonly WantedReport[]): ReportFacts["files"] | null {
  const files = wanted.map(({ path, append }) => {
    const stats = path === "-" || append === true ? undefined : statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ path, bytes: stats.size, changedAt: stats.mtimeMs }] : null;
  });
  const found = files.flatMap((file) => file ?? []);
  return found.length === wanted.length ? found : null;
}
