import { AppError } from "../errors.ts";
import type { ReportSummary } from "../report/shape/model.ts";
import { type Batch, findBatch } from "../store/batches.ts";
import { databasePath, openDatabase } from "../store/database.ts";
import type { Connection } from "../store/connection.ts";
import { readablePath } from "../store/read-only-folder.ts";
import type { RunContext } from "./context.ts";
import { concludeComparison, type Conclusion, reportFolder } from "./report/conclude.ts";
import {
  type PlannedComparison,
  comparisonAgainst,
  comparisonBetween,
  comparisonOfBatch,
} from "./compare/planned-comparison.ts";
import { openReference } from "./compare/pin-file.ts";
import { findReference } from "./compare/batch-reference.ts";
import { storedStep } from "./report/next-step.ts";
import { suiteReports } from "./report/suite-reports.ts";
import type { WantedReport } from "./report/report-writer.ts";
import { writeReports, type WrittenReports } from "./report/write-report.ts";

interface CompareRequest extends Pick<RunContext, "out" | "failOn" | "reports"> {
  /** A batch; or sides such as `nightly~1:prod`, the baseline first. */
  sides: readonly string[];
  /** Reference that the batch is compared with; null: the one its run was told. */
  against: string | null;
}

/** A stored batch by its reference. */
interface StoredRequest extends Pick<RunContext, "out"> {
  batch: string;
}

/**
 * Compares stored batches and writes the reports again. The result is told whatever the suite's settings are: it was
 * asked for.
 */
export async function compareBatch(request: CompareRequest): Promise<Conclusion> {
  using db = openDatabase(readablePath(databasePath(request.out)), { mustExist: true, evenIfFull: true });
  const planned = contestOf(db, request) ?? comparisonOfBatch(db, findBatch(db, request.sides[0] ?? "latest"));
  const conclusion = await concludeComparison({ ...request, db }, planned);
  return { ...conclusion, isTold: true };
}

/** Null: as the batch was run. */
function contestOf(
  db: Connection,
  { sides, against }: Pick<CompareRequest, "sides" | "against">,
): PlannedComparison | null {
  const [first = "latest", ...others] = sides;
  if (others.length === 0 && findReference(db, first).target !== null) {
    throw new AppError("USAGE", `${first} is one side of a comparison.`, {
      hint: `Name what it is compared with before it: tandem compare ${against ?? "BATCH"}:TARGET ${first}`,
    });
  }
  if (against !== null && others.length > 0) {
    throw new AppError("USAGE", `--against is for one batch, and ${sides.length} are named.`, {
      hint: "Name the baseline as the first side instead.",
    });
  }
  if (against !== null) return comparisonAgainst(db, findBatch(db, first), openReference(db, against));
  if (others.length === 0) return null;
  // Each may be the file of an exported pin.
  const opened = sides.map((side) => openReference(db, side));
  const [baseline = "", second = ""] = opened;
  const whole = opened.length === 2 && opened.every((side) => findReference(db, side).target === null);
  return whole ? comparisonAgainst(db, findBatch(db, second), baseline) : comparisonBetween(db, opened);
}

/**
 * Writes reports of a stored batch: those that are asked for, or else those that its suite asks for, in the batch's
 * folder. Nothing else is changed.
 */
export async function reportBatch({
  out,
  batch: reference,
  against,
  reports,
}: StoredRequest & Pick<CompareRequest, "against" | "reports">): Promise<{
  model: ReportSummary;
  written: readonly WantedReport[];
}> {
  const path = databasePath(out);
  // An exported pin is taken over to be compared with.
  using db =
    against === null
      ? openDatabase(path, { reading: true, evenIfFull: true })
      : openDatabase(readablePath(path), { mustExist: true, evenIfFull: true });
  const batch = findBatch(db, reference);
  const given = contestOf(db, { sides: [batch.name], against });
  const planned = given ?? comparisonOfBatch(db, batch);
  const written =
    reports.length > 0
      ? reports
      : suiteReports(batch.suite, { folder: reportFolder(planned, out), out, isOwn: given === null });
  const { model, unwritten } = await reported(db, planned, { batch, wanted: written, out });
  // To write them is all that was asked for.
  for (const { error } of unwritten) throw error;
  return { model, written };
}

/** The comparison as it stands, with the step that follows from it: nothing is written or kept. */
export async function comparedNow(db: Connection, planned: PlannedComparison, out: string): Promise<WrittenReports> {
  return reported(db, planned, { batch: planned.batch, wanted: [], out });
}

/** Writes the wanted reports of a comparison, with the step that follows for the batch that it is of; nothing is kept. */
async function reported(
  db: Connection,
  planned: PlannedComparison,
  { batch, wanted, out }: { batch: Batch; wanted: readonly WantedReport[]; out: string },
): Promise<WrittenReports> {
  return writeReports(db, planned, {
    wanted,
    out,
    keep: () => {},
    nextOf: (comparison, proposal) => storedStep(db, { batch, comparison, proposal, out }),
  });
}
