import { type Comparison, comparisonStream } from "../compare/comparison.ts";
import { comparisonCsv, comparisonRows } from "../report/comparison-csv.ts";
import { CsvPages } from "../report/csv.ts";
import { type OpenReport, openReport, writeReport } from "../report/output.ts";
import { runsCsv, runsRows, type RunTarget } from "../report/runs-csv.ts";
import type { Cell, SpreadsheetOptions } from "../report/spreadsheet.ts";
import { type Batch, batchTargets } from "../store/batches.ts";
import type { Connection } from "../store/database.ts";
import { pairedResults } from "../store/paired-results.ts";
import { batchColumns, caseResults } from "../store/results.ts";
import type { Contest } from "./lineup.ts";

const forPeople: SpreadsheetOptions = { excel: false, raw: false };

/** Reads every result once: compares it, and writes its lines of both tables. Returns the summary. */
export async function writeTables(
  db: Connection,
  { batch, batches, settings }: Contest,
  paths: { runs: string | null; comparison: string },
): Promise<Comparison> {
  const columns = batchColumns(db, batch.id);
  const stream = comparisonStream(settings);
  const runs = runsRows({ targets: runTargets(db, batch), columns });
  const compared = comparisonRows({ lineup: settings, columns });
  const sheets: Sheet[] = [];
  try {
    const ofRuns = paths.runs === null ? null : await openSheet(paths.runs, sheets);
    const ofCases = await openSheet(paths.comparison, sheets);
    ofRuns?.pages.add(runs.header);
    ofCases.pages.add(compared.header);
    for (const result of pairedResults(db, batches)) {
      const comparison = stream.add(result);
      if (ofRuns !== null) addRows(ofRuns, runs.rowsOf(result, comparison.sides));
      addRows(ofCases, [compared.rowOf(comparison)]);
      for (const sheet of sheets) if (sheet.pages.isFull) await sheet.report.write(sheet.pages.take());
    }
    for (const { report, pages } of sheets) await report.write(pages.take());
    for (const { report } of sheets) await report.close();
  } catch (error) {
    for (const { report } of sheets) await report.discard();
    throw error;
  }
  return stream.summary();
}

interface Sheet {
  report: OpenReport;
  pages: CsvPages;
}

/** Opens a table and notes it among those that are open. */
async function openSheet(path: string, sheets: Sheet[]): Promise<Sheet> {
  const sheet = { report: await openReport(path), pages: new CsvPages(forPeople) };
  sheets.push(sheet);
  return sheet;
}

function addRows({ pages }: Sheet, rows: Cell[][]): void {
  for (const row of rows) pages.add(row);
}

/** Streams `comparison.csv` alone; `-` is standard output. */
export async function writeComparison(
  db: Connection,
  { batch, batches, settings }: Contest,
  path: string,
  options: SpreadsheetOptions,
): Promise<void> {
  const cases = comparisonStream(settings).cases(pairedResults(db, batches));
  const table = { lineup: settings, columns: batchColumns(db, batch.id) };
  await writeReport(path, comparisonCsv(cases, table, options), process.stdout);
}

/** Streams `runs.csv` alone; `-` is standard output. */
export async function writeRuns(
  db: Connection,
  batch: Batch,
  path: string,
  options: SpreadsheetOptions,
): Promise<void> {
  const about = { targets: runTargets(db, batch), columns: batchColumns(db, batch.id) };
  await writeReport(path, runsCsv(caseResults(db, batch.id), about, options), process.stdout);
}

function runTargets(db: Connection, batch: Batch): RunTarget[] {
  return batchTargets(db, batch.id).map(({ id, name, endpoint }) => ({ targetId: id, target: name, endpoint }));
}
