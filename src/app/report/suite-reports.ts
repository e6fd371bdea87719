import { sheetKind } from "../../dataset/sheet-kind.ts";
import { join } from "node:path";
import { type FormatRow, reportFormats } from "../../report/formats/formats.ts";
import type { Suite } from "../../suite/suite.ts";
import type { WantedReport } from "./report-writer.ts";

/** A report that a suite asks for, and what it holds in a few words. */
interface SuiteReport extends WantedReport {
  about: string;
}

/**
 * The files that a suite wants in a folder of `out`; `isOwn`: not a comparison of other batches, whose runs are told elsewhere. Where
 * it lists none, the tables of a sheet that came as a workbook are a workbook.
 */
export function suiteReports(
  { reports, datasets }: Pick<Suite, "reports" | "datasets">,
  { folder, out, isOwn }: { folder: string; out: string; isOwn: boolean },
): SuiteReport[] {
  const isOfWorkbook = datasets.some((path) => sheetKind(path) === "excel");
  const isUsual = ({ onRequest = false, suite: name }: FormatRow): boolean =>
    isOfWorkbook && (name === "csv" || name === "excel") ? name === "excel" : !onRequest;
  const isShown = ({ ofOneBatch = false }: FormatRow): boolean => isOwn || !ofOneBatch;
  return reportFormats
    .filter((row) => (reports?.includes(row.suite) ?? isUsual(row)) && isShown(row))
    .map(({ name, file, about }) => ({ format: name, path: join(folder, file), within: out, about }));
}
