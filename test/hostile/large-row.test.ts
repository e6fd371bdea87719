import { describe, expect, onTestFinished } from "vitest";
import { slowTest } from "../often.ts";
import { hostileRow } from "../report/reports.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "../viewer/browser.ts";
import { openReport } from "../viewer/open-report.ts";
import { pageHarm } from "./harm.ts";
import { openRow, readOf } from "./page-text.ts";

const megabytes = 31;

describe.skipIf(chromiumPath === undefined)(`the page of a report ${withoutBrowser}`, () => {
  slowTest(
    `opens at once with a row of ${megabytes} MiB and letters of 20,000 marks, and shows long texts in parts`,
    async () => {
      const marks = `a${"\u0301".repeat(20_000)} `.repeat(20);
      const long = "words and ".repeat(megabytes * 100_000);
      const rows = [long, "x".repeat(megabytes * 2 ** 20), marks, "\u0600".repeat(20_000)].map((text, index) => ({
        ...hostileRow("x"),
        key: `row ${index}`,
        input: [{ field: "input_prompt", text }],
        expected: text.slice(0, 2_000_000),
        columns: { note: text.slice(0, 2_000_000) },
        sides: hostileRow(text.slice(0, 2_000_000)).sides,
      }));
      const browser = await openBrowser();
      onTestFinished(() => browser.close());
      const { page, complaints } = await openReport(browser, { rows });
      for (const { key } of rows) {
        await openRow(page, key);
        await page.locator("#row-title").waitFor();
        await page.locator(".detail .sides").waitFor();
        const text = await readOf(page);
        // All of a text at once would take more than the time of this test.
        expect(text.length).toBeLessThan(400_000);
        expect(pageHarm(text), key).toEqual([]);
      }
      await openRow(page, "row 0");
      const button = page.locator(".prompt button");
      const more = (shown: number): string =>
        `Show 20,000 of ${(long.length - shown).toLocaleString("en")} more characters`;
      await expect.poll(() => button.textContent()).toBe(more(20_000));
      await button.click();
      await expect.poll(() => button.textContent()).toBe(more(40_000));
      expect(complaints).toEqual([]);
    },
  );
});
