import { type Comparison, type ComparisonSettings, comparisonStream } from "../compare/comparison.ts";
import { comparisonCsv, comparisonRows } from "../report/comparison-csv.ts";
import { CsvPages } from "../report/csv.ts";
import { type OpenReport, openReport, writeReport } from "../report/output.ts";
import { runsCsv, runsRows } from "../report/runs-csv.ts";
import type { Cell, SpreadsheetOptions } from "../report/spreadsheet.ts";
import { type Batch, batchTargets } from "../store/batches.ts";
import type { Connection } from "../store/database.ts";
import { batchColumns, caseResults } from "../store/results.ts";

const forPeople: SpreadsheetOptions = { excel: false, raw: false };

/** Reads every result once: compares it, and writes its lines of both tables. Returns the summary. */
export async function writeTables(
  db: Connection,
  batch: Batch,
  paths: { runs: string; comparison: string },
): Promise<Comparison> {
  const { settings, table } = aboutTables(db, batch);
  const stream = comparisonStream(settings);
  const runs = runsRows({ targets: settings.targets, columns: table.columns });
  const compared = comparisonRows(table);
  const sheets: Sheet[] = [];
  try {
    const [ofRuns, ofCases] = [await openSheet(paths.runs, sheets), await openSheet(paths.comparison, sheets)];
    ofRuns.pages.add(runs.header);
    ofCases.pages.add(compared.header);
    for (const result of caseResults(db, batch.id)) {
      const comparison = stream.add(result);
      addRows(ofRuns, runs.rowsOf(result, comparison.sides));
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
  batch: Batch,
  path: string,
  options: SpreadsheetOptions,
): Promise<void> {
  const { settings, table } = aboutTables(db, batch);
  const cases = comparisonStream(settings).cases(caseResults(db, batch.id));
  await writeReport(path, comparisonCsv(cases, table, options), process.stdout);
}

/** Streams `runs.csv` alone; `-` is standard output. */
export async function writeRuns(
  db: Connection,
  batch: Batch,
  path: string,
  options: SpreadsheetOptions,
): Promise<void> {
  const { settings, table } = aboutTables(db, batch);
  const about = { targets: settings.targets, columns: table.columns };
  await writeReport(path, runsCsv(caseResults(db, batch.id), about, options), process.stdout);
}

function aboutTables(db: Connection, batch: Batch) {
  const settings = comparisonSettings(db, batch);
  const table = {
    targets: settings.targets.map(({ target }) => target),
    candidates: settings.candidates,
    columns: batchColumns(db, batch.id),
  };
  return { settings, table };
}

/** Who is compared with whom in a batch, by its suite. */
function comparisonSettings(db: Connection, { id, suite }: Batch): ComparisonSettings {
  const targets = batchTargets(db, id).map(({ id: targetId, name: target, endpoint, stopped }) => ({
    targetId,
    target,
    endpoint,
    stopped,
  }));
  const baseline = suite.compare?.baseline ?? null;
  return { targets, baseline, candidates: suite.compare?.candidates ?? [], maxErrorShare: suite.maxErrorShare };
}
