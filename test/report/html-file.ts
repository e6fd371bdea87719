import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { htmlReport } from "../../src/report/formats/html.ts";
import { readPage } from "../../src/report/formats/page.ts";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";

/** The page as `npm run build` made it. */
export const shell = (): string => readPage("report");

/** The summary in a report's page, and the number of its rows. */
export function pageSummary(html: string): { summary: ReportSummary; rows: number } {
  const lines = html.split("\n").filter((line) => /^H4sI[\w+/=]+$/.test(line));
  return JSON.parse(gunzipSync(Buffer.from(lines.at(-1) ?? "", "base64")).toString());
}

export async function htmlOf(rows: Iterable<ReportRow>, summary: ReportSummary): Promise<string> {
  const report = htmlReport(shell());
  const pieces = [report.start];
  for (const row of rows) pieces.push(await report.add(row));
  pieces.push(report.end(summary));
  return pieces.join("");
}

/** Writes a report to a file that is gone after the test. Returns its address. */
export async function reportFile(rows: Iterable<ReportRow>, summary: ReportSummary): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-html-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "report.html");
  writeFileSync(path, await htmlOf(rows, summary));
  return pathToFileURL(path).href;
}
