import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { endedBatch, startView } from "./viewing.ts";

describe.skipIf(chromiumPath === undefined)(`the components of the page ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("are whole and clear in light, dark, narrow and from right to left, and signs of lists and searches cover no words", async () => {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    for (const [width, colorScheme, dir] of [
      [1280, "light", "ltr"],
      [390, "dark", "rtl"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(`document.documentElement.dir = "${dir}"; location.hash = "#components"`);
      await page.getByRole("heading", { level: 1, name: "Components" }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await seriousFaults(page)).toEqual([]);
      const side = await page.evaluate(
        "getComputedStyle(document.querySelector('.components-line select')).backgroundPositionX",
      );
      expect(side).toMatch(dir === "rtl" ? /^(?:left )?8px$/ : /^(?:right 8px|calc\(100% - 8px\))$/);
      await page.evaluate("location.hash = '#two'");
    }
    // The search of rows from right to left: the key that leads to it stands beside its words.
    await page.evaluate("document.querySelectorAll('.batch-table th a, .suite-line th a')[0]?.click()");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate("location.hash = '#batch=latest'");
    const search = page.locator(":has(> #search)");
    await search.waitFor();
    const [box, key] = [await page.locator("#search").boundingBox(), await search.locator("kbd").boundingBox()];
    const from = Number.parseFloat(
      String(await page.evaluate("getComputedStyle(document.getElementById('search')).paddingLeft")),
    );
    expect((key?.x ?? 0) + (key?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + from);
    expect(complaints).toEqual([]);
  }, 180_000);
});
