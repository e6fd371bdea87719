import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { htmlReport } from "../../src/report/formats/html.ts";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";

/** The page as `npm run build` made it. */
export const shell = (): string => readFileSync(join(import.meta.dirname, "../../dist/app/report.html"), "utf8");

export function htmlOf(rows: Iterable<ReportRow>, summary: ReportSummary): string {
  const report = htmlReport(shell());
  const pieces = [report.start];
  for (const row of rows) pieces.push(report.add(row));
  pieces.push(report.end(summary));
  return pieces.join("");
}

/** Writes a report to a file that is gone after the test. Returns its address. */
export function reportFile(rows: Iterable<ReportRow>, summary: ReportSummary): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-html-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "report.html");
  writeFileSync(path, htmlOf(rows, summary));
  return pathToFileURL(path).href;
}
