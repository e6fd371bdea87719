import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { morning, same } from "./morning.ts";
import { startView } from "./viewing.ts";

describe.skipIf(chromiumPath === undefined)(`a suite of a thousand nights ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test.each([390, 1280])("is whole and can be read at %i px, at home and by its nights", async (width) => {
    const nights = [...same(996), ...same(4, { verdict: "regression" })];
    const { url } = await startView(await morning({ long: nights }));
    const { page, complaints } = await openPage(browser, { width, height: 900 });
    await page.goto(url);
    await page.getByRole("link", { name: "long", exact: true }).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.evaluate("location.hash = '#suite=long'");
    await page.locator("tr.night-line").first().waitFor();
    await page.locator(".series svg, svg.series").first().waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    // The dates below the axis stand apart.
    const lap = `(() => {
      const boxes = [...document.querySelectorAll(".series .axes text")].map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
      const rows = Map.groupBy(boxes, ({ top }) => Math.round(top));
      return [...rows.values()].some((row) => row.toSorted((a, b) => a.left - b.left).some((box, place, all) => place > 0 && box.left < all[place - 1].right));
    })()`;
    expect(await page.evaluate(lap)).toBe(false);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    if (process.env["TANDEM_PICTURES"] !== undefined) {
      await page.screenshot({ path: `${process.env["TANDEM_PICTURES"]}/nights-${width}.png` });
    }
  });
});
