import type { Browser, Page } from "playwright-core";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import { reportFile } from "../report/html-file.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { openPageAgain, type LentPage } from "./browser.ts";

export interface Given {
  rows?: ReportRow[];
  summary?: ReportSummary;
  /** The part behind the # of the address. */
  hash?: string;
  size?: { width: number; height: number };
}

/** A report of 60 made-up rows, or of what is given, opened from disk and read to its end. */
export async function openReport(
  browser: Browser,
  given: Given = {},
): Promise<LentPage & { rows: ReportRow[]; url: string }> {
  const rows = given.rows ?? [...syntheticRows(60)];
  const summary = given.summary ?? syntheticSummary(rows.length);
  const { page, complaints, leave } = await openPageAgain(browser, given.size);
  const url = await reportFile(rows, summary);
  await page.goto(given.hash === undefined ? url : `${url}#${given.hash}`);
  const read = page.locator("[role=status]:not(:has-text('reading'))");
  await read.or(page.locator(".detail, .about")).first().waitFor();
  return { page, complaints, leave, rows, url };
}

/** Opens what explains the result: the map of tags, what changed, how it was measured. */
export const openMore = (page: Page): Promise<void> => page.locator(".more-findings > summary").click();

/** Asks for rows with one of some values of a tag, beside what is asked already. */
export async function chooseTags(page: Page, tag: string, ...values: string[]): Promise<void> {
  const box = page.locator("#search");
  const asked = `${await box.inputValue()} ${tag}:${values.map((value) => JSON.stringify(value)).join(",")}`;
  await box.fill(asked.trim());
}
