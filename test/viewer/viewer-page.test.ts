import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { batchOfTwo, startView } from "./viewing.ts";

describe.skipIf(chromiumPath === undefined)(`the viewer in a browser ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("has what the report of the run has: the file that was written opens with the same rows", async () => {
    const { tandem } = await batchOfTwo();
    await tandem.run("run", "suite.yaml");
    const batch = readdirSync(join(tandem.folder, "results")).find((name) => name.startsWith("two-")) ?? "";
    const { page, complaints } = await openPage(browser);
    await page.goto(pathToFileURL(join(tandem.folder, "results", batch, "report.html")).href);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^test is worse on correct/);
    await page.getByRole("button", { name: /^Errors/ }).click();
    await expect.poll(() => page.locator("[data-row]").allTextContents()).toEqual(["emoji-1"]);
    await page.locator("[data-row='0']").click();
    await page.getByText("no model").last().waitFor();
    expect(complaints).toEqual([]);
  });

  test("leads from the list of batches to a row, and keeps what a person says of its answer", async () => {
    const { tandem } = await batchOfTwo();
    await tandem.run("run", "suite.yaml");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    expect(page.url()).not.toContain("token");
    await page.getByRole("link", { name: /^two-/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole("link", { name: /^two-/ }).click();
    await page.getByRole("searchbox").fill("किताब");
    await expect.poll(() => page.getByRole("status").allTextContents()).toContain("1 row of 6");
    await page.locator("[data-row='0']").click();
    await page.getByText("WHO KNOWS?").first().waitFor();
    const form = page.getByRole("form", { name: "Label the answer of test" });
    await page.locator(".candidate summary", { hasText: "Labels" }).click();
    await form.getByLabel("Note").fill("अच्छा नहीं");
    await form.getByLabel("By").fill("Ada");
    await form.getByRole("button", { name: "Bad" }).click();
    await expect
      .poll(() => tandem.query("SELECT label, note, author FROM label"))
      .toEqual([{ label: "bad", note: "अच्छा नहीं", author: "Ada" }]);
    await page.locator(".labels li", { hasText: "अच्छा नहीं" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("shows a batch while it runs, and its comparison when it has ended", async () => {
    const { tandem, service } = await batchOfTwo(1500);
    const { ended } = tandem.start("run", "suite.yaml");
    await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.getByRole("link", { name: /^two-/ }).click();
    await page.getByText("Running").waitFor();
    await page.getByRole("progressbar", { name: /^prod: \d+ of 6 jobs$/ }).waitFor();
    await ended;
    await page.getByRole("tab", { name: /^Rows/ }).waitFor({ timeout: 30_000 });
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^test is worse on correct/);
    expect(complaints).toEqual([]);
  });

  test("follows a link to a row, and steps on from it", async () => {
    const { tandem } = await batchOfTwo();
    await tandem.run("run", "suite.yaml");
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    const link = page.getByRole("link", { name: /^two-/ });
    await link.waitFor();
    const batch = (await link.textContent()) ?? "";
    const hash = new URLSearchParams({ batch, sort: "place", row: "a&b=c #1/%20" }).toString();
    await page.goto(`${new URL(url).origin}/#${hash}`);
    await expect.poll(() => page.locator(".detail h2").textContent()).toBe("a&b=c #1/%20");
    await page.locator(".detail-body").waitFor();
    await page.getByRole("button", { name: "Previous row" }).click();
    await expect.poll(() => page.locator(".detail h2").textContent()).toBe("emoji-1");
  });

  test("compares two targets that were picked", async () => {
    const { tandem } = await batchOfTwo();
    await tandem.run("run", "suite.yaml");
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.getByRole("button", { name: "test" }).click();
    await page.getByRole("button", { name: "prod" }).click();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("tab", { name: /^Rows/ }).waitFor();
    // Picked the other way round, what was worse is better.
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^prod is no worse on correct/);
  });
});
