import { comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { type CaseTableName, type TableFormat, tableFormatNamed } from "../../report/formats/table-formats.ts";
import { comparisonTable } from "../../report/tables/comparison-table.ts";
import { runsTable } from "../../report/tables/runs-table.ts";
import { selectFrom, tablePieces } from "../../report/tables/selection.ts";
import type { Cell, SpreadsheetOptions } from "../../report/tables/spreadsheet.ts";
import type { Table } from "../../report/tables/table.ts";
import { writeReport } from "../../report/write/output.ts";
import { findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { scoreEdits } from "../../store/scores/edits.ts";
import { latestScoring, scoredResults } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { comparisonOfBatch, type PlannedComparison } from "../compare/planned-comparison.ts";
import { QueriedRows } from "./queried-rows.ts";
import { tableFrame } from "./table-frame.ts";

/** The form in which a table is exported, and what of it. */
export interface TableExport {
  /** `-` is standard output. */
  path: string;
  format: TableFormat;
  /** Names of columns in the order in which they are written, with `*` for any letters; null: all, as they stand. */
  columns: readonly string[] | null;
  /** Queries that a line has to meet, all of them; see where.ts. */
  where: readonly string[];
  /** The form of its CSV, by what the suite asks for. */
  sheetOf: (csv?: Suite["csv"]) => SpreadsheetOptions;
}

/** Writes one table of a stored batch; returns the batch's name. */
export async function exportBatch(
  { out, batch: reference, form }: { out: string; batch: string; form: CaseTableName },
  wanted: TableExport,
): Promise<string> {
  using db = openDatabase(databasePath(out), { reading: true, evenIfFull: true });
  const batch = findBatch(db, reference);
  const planned = comparisonOfBatch(db, batch);
  await using behind = new QueriedRows(db, planned);
  const table = (form === "runs" ? runsOf : comparisonOf)(db, planned, {
    frame: tableFrame(db, planned, tableFormatNamed(wanted.format).isNested),
    behind,
  });
  await exportTable(table, wanted, batch.suite);
  return batch.name;
}

interface Given {
  frame: ReturnType<typeof tableFrame>;
  behind: QueriedRows;
}

function comparisonOf(db: Connection, { batches, settings }: PlannedComparison, { frame, behind }: Given): Table {
  const { linesOf, ...table } = comparisonTable(frame);
  const results = behind.seen(pairedResults(db, batches, { reasons: false, wants: isCompared(settings) }));
  const { add } = comparisonStream(settings);
  return { ...table, rows: linesFrom(results, (result) => linesOf(result, add(result))), behind };
}

/** Runs of the batch alone, which nothing has to compare. */
function runsOf(db: Connection, { batch: { id } }: PlannedComparison, { frame, behind }: Given): Table {
  const { linesOf, ...table } = runsTable(frame);
  const scoringId = latestScoring(db, id)?.id ?? null;
  const edit = scoreEdits(db, { batchId: id, scoringId });
  const edited = (result: CaseResult): Cell[][] => {
    if (edit !== null) for (const job of result.jobs) edit(job, result.checks);
    return linesOf(result, null);
  };
  return {
    ...table,
    rows: linesFrom(behind.seen(scoredResults(db, id, scoringId, { reasons: false })), edited),
    behind,
  };
}

function* linesFrom<Result>(results: Iterable<Result>, linesOf: (result: Result) => Cell[][]): Generator<Cell[]> {
  for (const result of results) yield* linesOf(result);
}

/** Writes a table in the form that is wanted, or else in that of the suite. */
export async function exportTable(
  table: Table,
  { path, format, sheetOf, ...wanted }: TableExport,
  { csv }: Pick<Suite, "csv">,
): Promise<void> {
  const sheet = sheetOf(csv);
  const encode = await tableFormatNamed(format).make();
  const pieces = tablePieces(
    table,
    (columns) => encode(columns, { ...sheet, ...(table.name !== undefined && { name: table.name }) }),
    await selectFrom(table, wanted),
  );
  await writeReport(path, pieces, process.stdout);
}
