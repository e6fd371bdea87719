import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import type { Comparison } from "../../compare/comparison.ts";
import { twoLooks } from "../../compare/two-looks.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { startTurn } from "../../lib/clock.ts";
import { formatNamed } from "../../report/formats/formats.ts";
import type { ReportRow, ReportSummary } from "../../report/shape/model.ts";
import { reportRow, rowSummary } from "../../report/model/model-row.ts";
import { type ModelCounts, modelTally } from "../../report/model/model-tally.ts";
import type { NextStep } from "../../report/shape/next-step.ts";
import type { RowSummary } from "../../report/shape/reporter.ts";
import { type WorstRow, worstRows } from "../../report/model/worst-rows.ts";
import type { Connection } from "../../store/connection.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import type { RunContext } from "../context.ts";
import { type ProposedScorer, proposedScorer, unreadExpected } from "./proposed-scorer.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { ReportSet, type UnwrittenReport } from "./report-set.ts";
import type { ReadCase, WantedReport } from "./report-writer.ts";
import { summaryOfComparison } from "./comparison-summary.ts";

/**
 * Compares, and writes every report that is wanted, all from one reading of the results. `keep` is given the comparison
 * before the reports tell of it, among those of earlier batches.
 */
export async function writeReports(
  db: Connection,
  planned: PlannedComparison,
  { wanted, keep, out, nextOf, failOn = [] }: ReportsOptions,
): Promise<WrittenReports> {
  const { batches, settings } = planned;
  const stream = twoLooks(settings, planned.secondLook);
  const tally = modelTally(settings);
  const worst = worstRows(mostWorst);
  const reports = new ReportSet(failOn);
  try {
    for (const each of wanted) await reports.open(db, planned, each);
    let place = 0;
    const reading = {
      wants: isCompared(settings),
      // Tables do not show why an answer was graded as it was.
      reasons: wanted.some(({ format }) => !["table", "workbook"].includes(formatNamed(format).kind)),
      // When nothing is compared and nothing shown, only a sample of the answers is looked at.
      bodies: settings.pairs.length > 0 || wanted.length > 0,
    };
    const turn = startTurn();
    for (const result of pairedResults(db, batches, reading)) {
      // Little writing leaves no moment for Ctrl-C to be heard before all is read, and answers may be long.
      if (turn.isOver()) await turn.next();
      const compared = stream.add(result);
      tally.add(result, compared);
      place += 1;
      const read = readCase(result, compared, { planned, place });
      if (worst.wants(read.glance().rank)) worst.add(read.row());
      const writing = reports.add(read);
      if (writing !== null) await writing;
    }
    const comparison = stream.summary();
    keep(comparison);
    const proposal = await proposedScorer(db, planned, out);
    const next = nextOf(comparison, proposal);
    const unread = await unreadExpected(db, planned);
    const counts = tally.counts();
    const model = summaryOfComparison(db, planned, { comparison, counts, proposal, unread, next });
    await reports.finish(model);
    return { comparison, counts, model, worst: worst.rows(), next, unwritten: reports.unwritten };
  } catch (error) {
    await reports.discard();
    throw error;
  }
}

interface ReportsOptions extends Pick<RunContext, "out">, Partial<Pick<RunContext, "failOn">> {
  wanted: readonly WantedReport[];
  keep: (comparison: Comparison) => void;
  /** The step that follows from a comparison and the scorer that is proposed. */
  nextOf: (comparison: Comparison, proposal: ProposedScorer | null) => NextStep;
}

/** The data that reports were made of. */
export interface WrittenReports {
  comparison: Comparison;
  counts: ModelCounts;
  model: ReportSummary;
  /** The rows that a person should look at first. */
  worst: WorstRow[];
  next: NextStep;
  /** Reports that could not be written; all the others were. */
  unwritten: readonly UnwrittenReport[];
}

/** Those of a place that lost most are looked for among so many. */
const mostWorst = 40;

function readCase(
  result: PairedResult,
  compared: CaseComparison,
  { planned: { settings }, place }: { planned: PlannedComparison; place: number },
): ReadCase {
  let row: ReportRow | null = null;
  let glance: RowSummary | null = null;
  return {
    result,
    compared,
    glance: () => (glance ??= rowSummary(compared)),
    row: () => (row ??= reportRow(result, compared, settings, place)),
  };
}
