import { TableSheet, type WrittenSheet } from "../../tables/workbook/sheet.ts";
import { writeWorkbook } from "../../tables/workbook/workbook.ts";
import { zipDirectory, ZipParts } from "../../tables/workbook/zip-parts.ts";
import { distinctColumns, type TableOfCases } from "../../tables/table.ts";
import { comparisonTable } from "../../tables/comparison-table.ts";
import { runsTable } from "../../tables/runs-table.ts";
import type { TableFrame } from "../table-formats.ts";
import type { WorkbookWriter } from "../workbook-writer.ts";
import { summarySheet } from "./summary-sheet.ts";

/**
 * `comparison.xlsx`: the summary, the lines of `comparison.csv` and those of `runs.csv`, a sheet each. The lines of both come
 * together, case by case, and an archive holds one sheet after the other: Rows go into the file, and Runs wait.
 */
export function excelReport(frame: TableFrame, { isOfOneBatch }: { isOfOneBatch: boolean }): WorkbookWriter {
  const [file, waiting] = [new ZipParts(), new ZipParts()];
  const rows = tableSheet(file, comparisonTable(frame), 2);
  const runs = isOfOneBatch ? tableSheet(waiting, runsTable(frame), 3) : null;
  return {
    add(result, compared) {
      rows.add(result, compared);
      runs?.add(result, compared);
      return waiting.isFull ? waiting.take() : "";
    },
    ahead: () => (file.isFull ? file.take() : ""),
    head() {
      rows.sheet.end();
      return file.take();
    },
    end(summary) {
      runs?.sheet.end();
      const tables = [...rows.sheet.sheets, ...(runs?.sheet.sheets ?? [])];
      const first: WrittenSheet = { name: "Summary", path: "xl/worksheets/summary.xml", filter: null };
      waiting.begin(first.path);
      waiting.write(summarySheet(summary, besideNotes(tables, runs === null)));
      waiting.end();
      writeWorkbook(waiting, [first, ...tables]);
      return Buffer.concat([waiting.take(), zipDirectory([file, waiting])]);
    },
  };
}

function tableSheet(
  parts: ZipParts,
  { name, columns, linesOf }: TableOfCases,
  frozen: number,
): { sheet: TableSheet; add: (...read: Parameters<TableOfCases["linesOf"]>) => void } {
  const sheet = new TableSheet(parts, distinctColumns(columns), { name, frozen });
  return {
    sheet,
    add(...read) {
      for (const line of linesOf(...read)) sheet.add(line);
    },
  };
}

/** Sentences about the sheets beside the summary that a person would look for in vain. */
function besideNotes(tables: readonly WrittenSheet[], isWithoutRuns: boolean): string[] {
  const more = tables.filter(({ name }) => / \d+$/.test(name)).map(({ name }) => name);
  return [
    ...(more.length === 0 ? [] : [`A sheet of Excel holds 1,048,576 rows: the others are in ${more.join(" and ")}.`]),
    ...(isWithoutRuns ? ["The runs are in the workbook of each batch: `reports: [excel]`, or `tandem export`."] : []),
  ];
}
