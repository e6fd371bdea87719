import { comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { comparisonCsv } from "../../report/tables/comparison-csv.ts";
import type { TableOptions } from "../../report/tables/csv.ts";
import { writeReport } from "../../report/write/output.ts";
import { runsCsv } from "../../report/tables/runs-csv.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type ApplyEdits, scoreEdits } from "../../store/scores/edits.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { batchColumns } from "../../store/results/results.ts";
import { latestScoring, scoredResults } from "../../store/scores/scores.ts";
import type { ScoredResult } from "../../store/results/case-result.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { aboutRuns } from "./about-runs.ts";

/** Streams `comparison.csv` alone; `-` is standard output. */
export async function writeComparison(
  db: Connection,
  { batch, batches, settings }: PlannedComparison,
  path: string,
  options: TableOptions,
): Promise<void> {
  const cases = comparisonStream(settings).cases(
    pairedResults(db, batches, { reasons: false, wants: isCompared(settings) }),
  );
  const table = { comparisonPlan: settings, columns: batchColumns(db, batch.id) };
  await writeReport(path, encoded(comparisonCsv(cases, table, options), options), process.stdout);
}

/** Streams `runs.csv` alone; `-` is standard output. */
export async function writeRuns(db: Connection, batch: Batch, path: string, options: TableOptions): Promise<void> {
  const scoring = latestScoring(db, batch.id);
  const results = withEdits(
    scoredResults(db, batch.id, scoring?.id ?? null, { reasons: false }),
    scoreEdits(db, { batchId: batch.id, scoringId: scoring?.id ?? null }),
  );
  await writeReport(path, encoded(runsCsv(results, aboutRuns(db, batch, scoring), options), options), process.stdout);
}

function* withEdits(results: Iterable<ScoredResult>, edit: ApplyEdits | null): Generator<ScoredResult> {
  for (const result of results) {
    if (edit !== null) result.jobs.forEach(edit);
    yield result;
  }
}

/** Excel forgets a mark of UTF-8 where a line names the separator, but not one of UTF-16. */
function* encoded(pieces: Iterable<string>, { separatorLine = false }: TableOptions): Generator<string | Buffer> {
  for (const piece of pieces) yield separatorLine ? Buffer.from(piece, "utf16le") : piece;
}
