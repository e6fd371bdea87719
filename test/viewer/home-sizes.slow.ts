import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { morning, same } from "./morning.ts";
import { startView } from "./viewing.ts";

/** A name that is written from right to left, and one that is as long as a name may be. */
const rightToLeft = "أسئلة المكتبة – ساعات العمل";
const long = "suite-with-a-name-of-many-words-that-nobody-would-want-to-read-aloud-".repeat(2);

describe.skipIf(chromiumPath === undefined)(`home in every size ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 1280],
    ["dark", 1280],
    ["light", 768],
    ["dark", 768],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "home, a suite and a comparison that is ticked are whole and clear in %s at %i px",
    async (scheme, width) => {
      const regression = { verdict: "regression" } as const;
      const nights = [...same(20), ...same(5, regression), { verdict: "invalid", failed: 27 } as const];
      const { url } = await startView(await morning({ [rightToLeft]: nights, [long]: [...same(2), regression] }));
      const { page, complaints } = await openPage(browser, { width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(url);
      await page.getByRole("heading", { level: 1, name: "4 of 6 suites need a look" }).waitFor();
      const isWhole = async (): Promise<void> => {
        // A series is drawn anew a moment after its place has its width.
        await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        // Tables too: nothing of them has to be scrolled sideways for.
        const cut =
          "[...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth + 1).length";
        expect(await page.evaluate(cut)).toBe(0);
        expect(await seriousFaults(page)).toEqual([]);
      };
      await isWhole();
      await page.locator(".batch-table input").first().check();
      await page
        .locator(".batch-table input")
        .nth(12 - 1)
        .check();
      await page.getByRole("region", { name: "Comparison" }).getByText("These are of different suites").waitFor();
      await isWhole();
      for (const suite of [rightToLeft, long]) {
        await page.evaluate(`location.hash = '#suite=${encodeURIComponent(suite)}'`);
        await page.getByRole("heading", { level: 1, name: suite }).waitFor();
        await page.locator("tr.night-line").first().waitFor();
        await isWhole();
      }
      expect(complaints).toEqual([]);
    },
  );
});
