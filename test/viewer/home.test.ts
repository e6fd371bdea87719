import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { storeNights } from "../app/nights.ts";
import { Tandem } from "../e2e/tandem.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { morning } from "./morning.ts";
import { startView } from "./viewing.ts";

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
        if (document.querySelector(".suite-card") !== null) globalThis.firstAt ??= performance.now();
      }).observe(document, { childList: true, subtree: true });`);
    await page.goto(url);
    await page.getByRole("heading", { level: 1, name: "2 of 4 suites need a look" }).waitFor();
    const cards = page.locator(".suite-card");
    // What has come stays where it is while the rest comes; on a busy machine home does not wait for all of it.
    await cards.nth(1).locator(".series > svg").waitFor();
    expect(await page.evaluate("globalThis.firstAt > 2900 ? 0 : (globalThis.moved ?? 0)")).toBeLessThan(0.05);
    expect(await cards.locator("h3").allTextContents()).toEqual(["<b>desk", "down"]);
    const [desk, down] = await cards.allTextContents();
    expect(down).toContain("Invalid result: new in the last night");
    expect(down).toContain("Most frequent error: 27 runs of test, server error: no model");
    expect(desk).toContain("Regression of correct (test): since 4 November (4 nights)");
    expect(desk).toContain("Worst: kind = typo, 24 cases: 90 % → 10 %");
    // The first two are whole on the first screen of a laptop.
    await page.setViewportSize({ width: 1440, height: 900 });
    const second = await cards.nth(1).boundingBox();
    expect((second?.y ?? 0) + (second?.height ?? 900)).toBeLessThanOrEqual(900);
    await page.setViewportSize({ width: 1280, height: 720 });
    // A count leads to what it counts.
    const leads = async (name: string | RegExp): Promise<URLSearchParams> =>
      new URLSearchParams((await cards.getByRole("link", { name }).first().getAttribute("href"))?.slice(1));
    expect((await leads("27 runs")).getAll("group")).toEqual(["error", "test", "server-error", "no model"]);
    expect((await leads(/^Worst/)).getAll("tag")).toEqual(["kind", "typo"]);
    expect((await leads(/^First of them: 4 November/)).get("batch")).toMatch(/^-?b-desk-20261104/);
    // What needs a look leads to the night that it speaks of.
    expect((await leads(/^Regression of correct/)).get("batch")).toMatch(/^-?b-desk-20261107/);
    expect((await leads("Invalid result")).get("batch")).toMatch(/^down-20261103/);
    expect(await page.locator(".quiet-name").allTextContents()).toEqual(["known", "fine"]);
    // Arrow keys go through the nights, and each tells its values.
    const nights = cards.nth(0).locator("a.night-column");
    await nights.last().focus();
    await page.keyboard.press("ArrowLeft");
    expect(await cards.nth(0).locator(".readout b").textContent()).toBe("2026-11-06");
    expect(await cards.nth(0).locator(".readout").textContent()).toMatch(/prod \d\d.* % .*test \d\d.* %/);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  slowTest("keeps search, order and ticks through Back, fits a telephone in the dark, and saves views", async () => {
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
      expect.stringMatching(/^fine, night of \d+ November/),
      expect.stringMatching(/^known, night of \d+ November/),
    ]);
    expect(await names.first().getAttribute("title")).toMatch(/^fine-20261/);
    await bar.getByRole("button", { name: "Swap" }).click();
    await expect.poll(() => names.allTextContents()).toEqual(before.toReversed());
    await page.getByTitle("fine over time").first().click();
    await page.getByRole("heading", { level: 1, name: "fine" }).waitFor();
    await expect.poll(() => names.allTextContents()).toEqual(before.toReversed());
    await page.goBack();
    await page.getByRole("heading", { name: "Quiet" }).waitFor();
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
    await page.getByText("Views", { exact: true }).click();
    await page.getByPlaceholder("Save view as ...").fill("Known changes");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByText("Views (1)").click();
    await page.getByRole("link", { name: "Known changes" }).click();
    await page.getByRole("heading", { level: 1, name: "known" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

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
      expect(why).toContain("Regression of correct (test): since 4 November (4 nights)");
      expect(why).toContain("Worst: kind = typo, 24 cases: 90 % → 10 %");
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
