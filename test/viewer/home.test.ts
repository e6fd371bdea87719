import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { storeNights } from "../app/nights.ts";
import { Tandem } from "../e2e/tandem.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { morning, same } from "./morning.ts";
import { endedBatch, startView } from "./viewing.ts";

describe.skipIf(chromiumPath === undefined)(`home in a browser ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("says what needs a look and since when, and tells values by keys", async () => {
    const { url } = await startView(await morning());
    const { page, complaints } = await openPage(browser, { width: 1280, height: 720 });
    await page.addInitScript(`
      new PerformanceObserver((seen) => {
        for (const { value } of seen.getEntries()) globalThis.moved = (globalThis.moved ?? 0) + value;
      }).observe({ type: "layout-shift", buffered: true });
      new MutationObserver(() => {
        if (document.querySelector(".suite-line") !== null) globalThis.firstAt ??= performance.now();
      }).observe(document, { childList: true, subtree: true });`);
    await page.goto(url);
    await page.getByRole("heading", { level: 1, name: "2 of 4 suites need a look" }).waitFor();
    const lines = page.locator(".suite-line");
    // What has come stays where it is while the rest comes; on a busy machine home does not wait for all of it.
    await lines.nth(3).waitFor();
    expect(await page.evaluate("globalThis.firstAt > 2900 ? 0 : (globalThis.moved ?? 0)")).toBeLessThan(0.05);
    // One line each, what needs a look first: numbers before sentences.
    expect(await lines.locator(".suite-name").allTextContents()).toEqual(["<b>desk", "down", "known", "fine"]);
    const cells = async (place: number) =>
      (await lines.nth(place).locator("td").allTextContents()).map((text) => text.trim());
    const [desk, down] = [await cells(0), await cells(1)];
    expect(desk.slice(0, 2)).toEqual(["▼ regression", "4 Nov 4×"]);
    expect(desk[2]).toMatch(/^\d\d[.\d]* % → \d\d[.\d]* %$/);
    expect(desk[3]).toMatch(/^-10\.0/);
    expect(down).toEqual([
      "! invalid",
      "3 Nov new",
      "–",
      "not measured",
      "–",
      "27",
      expect.any(String),
      "See the errors of down",
    ]);
    expect(await lines.nth(2).locator("td").nth(1).textContent()).toBe("–");
    // All of it is on the first screen of a laptop, the lines of one height.
    const heights = await lines.evaluateAll((all) =>
      all.map((line) => Math.round(line.getBoundingClientRect().height)),
    );
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(4);
    // A count leads to what it counts, and what needs a look to the night that it speaks of.
    const leads = async (place: number, name: string | RegExp): Promise<URLSearchParams> => {
      const about = page.locator(".suite-line, .suite-fold");
      return new URLSearchParams((await about.getByRole("link", { name }).nth(place).getAttribute("href"))?.slice(1));
    };
    expect((await leads(0, "4 Nov")).get("batch")).toMatch(/^-?b-desk-20261104/);
    expect((await leads(0, "27")).get("q")).toBe("errors");
    expect((await leads(0, "See the errors of down")).get("q")).toBe("errors");
    expect((await leads(0, "See the errors of down")).get("batch")).toMatch(/^down-20261103/);
    // The sentences are in the fold.
    for (const suite of ["<b>desk", "down"]) await page.getByRole("button", { name: `About ${suite}` }).click();
    const folds = page.locator(".suite-fold");
    const [aboutDesk, aboutDown] = await folds.allTextContents();
    expect(aboutDown).toContain("Invalid result: new in the last run");
    expect(aboutDown).toContain("Most frequent error: 27 runs of test, server error: no model");
    expect(aboutDesk).toContain("Regression of correct (test): since 4 November (4 runs)");
    expect(aboutDesk).toContain("Worst: kind = typo, 24 rows: 90 % → 10 %");
    expect((await leads(0, "27 runs")).get("q")).toBe('among:error,test,server-error,"no model"');
    expect((await leads(0, /^Worst/)).get("q")).toBe("kind==typo");
    expect((await leads(0, /^First of them: run of 4 Nov/)).get("batch")).toMatch(/^-?b-desk-20261104/);
    expect((await leads(0, /^Regression of correct/)).get("batch")).toMatch(/^-?b-desk-20261107/);
    // Arrow keys go through the nights of the strip, which is one stop for Tab.
    const signs = lines.nth(0).locator(".strip a");
    expect(
      await signs.evaluateAll((all) => all.filter((sign) => (sign as { tabIndex?: number }).tabIndex === 0).length),
    ).toBe(1);
    await signs.last().focus();
    await page.keyboard.press("ArrowLeft");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("2026-11-06, regression");
    // So they do in the series, where each tells its values.
    await folds.nth(0).locator("a.night-column").last().focus();
    await page.keyboard.press("ArrowLeft");
    expect(await folds.nth(0).locator(".readout b").textContent()).toBe("2026-11-06");
    expect(await folds.nth(0).locator(".readout").textContent()).toMatch(/prod \d\d.* % .*test \d\d.* %/);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each([
    ["ltr", 1280],
    ["rtl", 1280],
    ["ltr", 1020],
  ])(
    "the axis of the differences is that of the strips below it, and every next step is whole: %s, %i px",
    async (direction, width) => {
      const nights = [...same(8), ...same(12, { verdict: "regression" })];
      const { url } = await startView(
        await morning({
          "opening hours of every branch": nights,
          other: same(2, { metric: "answered-from-the-pages-and-in-the-language-of-the-question" }),
        }),
      );
      const { page, complaints } = await openPage(browser, { width, height: 800 });
      await page.goto(url);
      await page.evaluate(`document.documentElement.dir = "${direction}"`);
      await page.locator(".suite-line").nth(4).waitFor();
      const middleOf = async (line: Locator): Promise<number> => {
        const box = await line.boundingBox();
        return (box?.x ?? Number.NaN) + (box?.width ?? 0) / 2;
      };
      const zero = page.locator(".suites th .tick-axis g", { hasText: /^0$/ }).locator("line");
      const strips = page.locator(".suites td .zero");
      expect(await strips.count()).toBeGreaterThan(2);
      for (const strip of await strips.all()) expect(await middleOf(strip)).toBeCloseTo(await middleOf(zero), 0);
      // Nothing of a button is behind the edge of the table.
      const table = page.locator(".scroll.suites");
      const edges = await table.boundingBox();
      for (const button of await table.locator(".next-cell .button").all()) {
        const box = await button.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual((edges?.x ?? Number.NaN) - 0.5);
        expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(
          (edges?.x ?? 0) + (edges?.width ?? 0) + 0.5,
        );
      }
      expect(complaints).toEqual([]);
    },
  );

  slowTest("keeps search, order and ticks through Back, and fits a telephone in the dark", async () => {
    const { url } = await startView(await morning());
    const { page, complaints } = await openPage(browser, { width: 1280, height: 720 });
    await page.goto(url);
    // Two of different suites are warned of, and can change places.
    await page.getByRole("searchbox").fill("e");
    await page.getByLabel("Order of the suites").selectOption("name");
    await page.locator(".batch-table input").first().check();
    await page.locator("tr", { hasText: "known" }).first().locator("input").check();
    const bar = page.getByRole("region", { name: "Comparison" });
    await bar.getByText("These are of different suites, fine and known").waitFor();
    const names = bar.locator(".compare-name");
    const before = await names.allTextContents();
    // A batch is called by its night in the bar as in the table; its own name is under the pointer.
    expect(before).toEqual([
      expect.stringMatching(/^fine, run of \d+ Nov/),
      expect.stringMatching(/^known, run of \d+ Nov/),
    ]);
    expect(await names.first().getAttribute("title")).toMatch(/^fine-20261/);
    await bar.getByRole("button", { name: "Swap" }).click();
    await expect.poll(() => names.allTextContents()).toEqual(before.toReversed());
    await page.getByTitle("fine over time").first().click();
    await page.getByRole("heading", { level: 1, name: "fine" }).waitFor();
    await expect.poll(() => names.allTextContents()).toEqual(before.toReversed());
    await page.goBack();
    await page.locator(".suite-line").first().waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("e");
    await expect.poll(() => names.allTextContents()).toEqual(before.toReversed());
    // All of it on a telephone, in the dark.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.evaluate("location.hash = '#suite=known&order=loss'");
    await page.getByRole("heading", { name: "Nights", exact: true }).waitFor();
    await page.locator(".mark.acknowledged").waitFor({ state: "attached" });
    await page.locator("a.night-column[aria-label*='Acknowledged: new prompt (Ada)']").waitFor({ state: "attached" });
    expect(await page.locator(".nights tr.night-line").count()).toBe(5);
    expect(await page.getByLabel("Order of the nights").inputValue()).toBe("loss");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a score that was edited reaches home when its run is opened again; until then home, suite and history say that they are older", async () => {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    const line = page.locator(".suite-line");
    await expect.poll(() => line.locator("td").nth(4).textContent()).toBe("5");
    // As another page of the viewer does it.
    const [job] = tandem.query<{ id: number }>(
      "SELECT job.id FROM job JOIN target ON target.id = target_id WHERE name = 'test' AND outcome = 'ok' LIMIT 1",
    );
    await page.evaluate(`fetch("api/labels", { method: "POST", headers: { "content-type": "application/json", "x-tandem": "1" },
      body: JSON.stringify({ jobId: ${job?.id ?? 0}, scorer: "correct", label: "good", note: "it is right", author: "Ada" }) })`);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await line.getByText("scores edited since").waitFor();
    await page.locator(".batch-table").getByText("scores edited since").waitFor();
    await page.getByRole("button", { name: "About two" }).click();
    await page
      .locator(".suite-fold")
      .getByRole("button", { name: /^Copy tandem report two-/ })
      .waitFor();
    const { out } = await tandem.run("history", "two");
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /Scores were edited since: these figures are of before\. `tandem report two-/,
    );
    await page.getByRole("link", { name: "two", exact: true }).first().click();
    await page.locator(".night-about", { hasText: "Scores were edited since" }).waitFor();
    await page.locator("th.night a").first().click();
    await page.getByRole("tab", { name: /^Rows/ }).waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await expect.poll(() => line.locator("td").nth(4).textContent()).toBe("4");
    expect(await page.getByText("scores edited since").count()).toBe(0);
    expect(complaints).toEqual([]);
  }, 180_000);

  test("says that the viewer has stopped, comes back by itself, and tells an empty folder what to do", async () => {
    const tandem = new Tandem().file("results/.keep", "");
    openDatabase(databasePath(join(tandem.folder, "results"))).close();
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.getByRole("heading", { name: "No batch yet: start one with tandem run" }).waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("alert").getByText("is tandem view still running?").waitFor();
    await page.unroute("**/api/**");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  slowTest(
    "the nights of a suite come back after the viewer, and a night that is added moves neither place, nor hover, nor address",
    async () => {
      const tandem = await morning();
      const { url } = await startView(tandem);
      const { page, complaints } = await openPage(browser, { width: 1280, height: 340 });
      await page.goto(url);
      await page.getByTitle("fine over time").first().waitFor();
      await page.route("**/api/**", (route) => route.abort());
      await page.evaluate("location.hash = '#suite=%3Cb%3Edesk'");
      await page.getByRole("alert").getByText("If so, this page comes back by itself; if not, start it").waitFor();
      await page.unroute("**/api/**");
      await page.getByRole("heading", { name: "Nights", exact: true }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      // The reasons to look at it are those of home.
      const why = await page.locator(".why").textContent();
      expect(why).toContain("Regression of correct (test): since 4 November (4 runs)");
      expect(why).toContain("Worst: kind = typo, 24 rows: 90 % → 10 %");
      await page.locator("a.night-column").nth(5).focus();
      const row = page.locator(".nights tr.night-line", { hasText: "2026-11-05" });
      await row.locator("input").check();
      await page.evaluate("document.querySelectorAll('.nights tr.night-line')[2].scrollIntoView({ block: 'start' })");
      const placeOf = async () => [
        await page.evaluate("location.hash"),
        Math.round((await row.boundingBox())?.y ?? -1),
      ];
      const before = await placeOf();
      const db = openDatabase(databasePath(join(tandem.folder, "results")));
      await storeNights(db, [{ hours: 7 * 24, verdict: "regression", suite: { name: "<b>desk" } }]);
      db.close();
      // It looks at once when somebody comes back to it.
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.locator(".nights tr.night-line", { hasText: "2026-11-08" }).waitFor();
      expect(await page.locator("a.night-column").count()).toBe(8);
      expect(await page.locator(".readout b").textContent()).toBe("2026-11-06");
      const after = await placeOf();
      expect(after[0]).toBe(before[0]);
      // Pixels of a screen are whole.
      expect(Math.abs(Number(after[1]) - Number(before[1]))).toBeLessThanOrEqual(1);
      expect(complaints.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
    },
  );
});
