import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { datasets } from "../datasets/sheet.ts";
import { readWorkbook } from "../report/read-workbook.ts";
import { Tandem } from "./tandem.ts";
import { asCsv, cellsOf, officeReader } from "./workbook-cells.ts";

/**
 * Runs a shipped suite, and holds every cell of its workbook to its CSVs: as it is stored and, where a folder for LibreOffice is given, as that
 * shows it in two countries, the summary too.
 */
export async function compareShipped(suite: string, officeHome: string | null): Promise<void> {
  const tandem = new Tandem();
  const run = await tandem.run("run", join(datasets, suite), "--results", "results", "--quiet");
  expect(run.code, run.err).toBeLessThan(2);
  await tandem.run("report", "-o", "comparison.xlsx");
  const [batch] = JSON.parse((await tandem.run("batches", "--json")).out).batches;
  const book = join(tandem.folder, "comparison.xlsx");
  const read = readWorkbook(readFileSync(book));
  const told = [["comparison.csv", "Rows"] as const, ["runs.csv", "Runs"] as const].map(([name, sheet]) => ({
    sheet,
    like: cellsOf(tandem.text(join("results", String(batch.name), name))),
  }));
  for (const { sheet, like } of told) {
    expect(like.length).toBeGreaterThan(20);
    expect(asCsv(read[sheet]?.rows ?? [], like)).toEqual(like);
  }
  if (officeHome === null) return;
  const rows = read["Summary"]?.rows ?? [];
  const summary = Array.from({ length: rows.length }, (_, at) => (rows.at(at) ?? []).map((cell) => String(cell ?? "")));
  for (const locale of ["en-US", "de-DE"] as const) {
    const shown = officeReader(book, { home: officeHome, locale });
    for (const { sheet, like } of told) expect(shown(sheet, like)).toEqual(like);
    expect(shown("Summary", summary).map(withoutBlankEnd)).toEqual(summary.map(withoutBlankEnd));
  }
}

/** The widest row of a sheet says how many cells LibreOffice writes of each. */
const withoutBlankEnd = (row: readonly string[]): string[] =>
  row.slice(0, row.findLastIndex((cell) => cell !== "") + 1);
