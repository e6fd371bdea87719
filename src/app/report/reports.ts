import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import { type ComparisonStream, comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { type TableFormat, tableFormatNamed } from "../../report/formats/table-formats.ts";
import { tableOfComparison } from "../../report/tables/comparison-table.ts";
import { encodedTable } from "../../report/tables/encoded-table.ts";
import { tableOfRuns } from "../../report/tables/runs-table.ts";
import type { SpreadsheetOptions } from "../../report/tables/spreadsheet.ts";
import type { Table } from "../../report/tables/table.ts";
import { type TableView, viewOf } from "../../report/tables/table-view.ts";
import { writeReport } from "../../report/write/output.ts";
import type { Connection } from "../../store/connection.ts";
import { type ApplyEdits, scoreEdits } from "../../store/scores/edits.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { batchColumns } from "../../store/results/results.ts";
import { latestScoring, scoredResults } from "../../store/scores/scores.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import type { Suite } from "../../suite/suite.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { QueriedRows } from "./queried-rows.ts";
import { aboutRuns } from "./about-runs.ts";
import { askedColumns } from "../plan/open-columns.ts";

/** A table that is wanted, and the place it goes to. */
export interface WantedTable {
  /** `-` is standard output. */
  path: string;
  format: TableFormat;
  /** The part of it. */
  view: TableView;
  /** The form of its CSV, by what the suite asks for. */
  sheetOf: (csv?: Suite["csv"]) => SpreadsheetOptions;
}

/** Streams the table of a comparison alone. */
export async function writeComparison(db: Connection, planned: PlannedComparison, wanted: WantedTable): Promise<void> {
  const { batch, batches, settings } = planned;
  await using behind = new QueriedRows(db, planned);
  const results = behind.seen(pairedResults(db, batches, { reasons: false, wants: isCompared(settings) }));
  const cases = compared(results, comparisonStream(settings));
  const withTags = tableFormatNamed(wanted.format).isNested === true;
  const columns = batchColumns(db, batch.id);
  const about = { comparisonPlan: settings, columns, asked: askedColumns(batch.suite, columns), withTags };
  await writeTable({ ...tableOfComparison(cases, about), behind }, wanted, batch.suite);
}

function* compared(results: Iterable<PairedResult>, { add }: ComparisonStream): Generator<CaseComparison> {
  for (const result of results) yield add(result);
}

/** Streams the table of runs alone. */
export async function writeRuns(db: Connection, planned: PlannedComparison, wanted: WantedTable): Promise<void> {
  const { batch } = planned;
  const scoring = latestScoring(db, batch.id);
  await using behind = new QueriedRows(db, planned);
  const results = withEdits(
    scoredResults(db, batch.id, scoring?.id ?? null, { reasons: false }),
    scoreEdits(db, { batchId: batch.id, scoringId: scoring?.id ?? null }),
  );
  const withTags = tableFormatNamed(wanted.format).isNested === true;
  const table = tableOfRuns(behind.seen(results), { ...aboutRuns(db, batch, scoring), withTags });
  await writeTable({ ...table, behind }, wanted, batch.suite);
}

/** Writes a table in the form that is wanted, or else in that of the suite. */
export async function writeTable(
  table: Table,
  { path, format, view, sheetOf }: WantedTable,
  { csv }: Pick<Suite, "csv">,
): Promise<void> {
  const sheet = sheetOf(csv);
  const encode = await tableFormatNamed(format).make();
  const pieces = encodedTable(
    table,
    (columns) => encode(columns, { ...sheet, ...(table.name !== undefined && { name: table.name }) }),
    await viewOf(table, view),
  );
  await writeReport(path, pieces, process.stdout);
}

function* withEdits(results: Iterable<CaseResult>, edit: ApplyEdits | null): Generator<CaseResult> {
  for (const result of results) {
    if (edit !== null) for (const job of result.jobs) edit(job, result.checks);
    yield result;
  }
}
