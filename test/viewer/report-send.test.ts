import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { startView } from "./viewing.ts";

/** Tags that nobody would choose: markup, another direction, another script. */
const languages = ["en", "<b>hi", "عربي", "de"];
const topics = ["card", "fees", "hours"];

/** A run of stored answers with two tags, in one pair of which the candidate fails all. */
async function ran(): Promise<Tandem> {
  const lines = Array.from({ length: 240 }, (_, row) => {
    const [language = "", topic = ""] = [languages[row % 4], topics[Math.floor(row / 4) % 3]];
    const isLost = language === "عربي" && topic === "card";
    return [
      `question ${row}?`,
      `answer ${row}`,
      language,
      topic,
      `answer ${row}`,
      isLost ? "no idea" : `answer ${row}`,
    ];
  });
  const tandem = new Tandem()
    .file(
      "sheet.csv",
      [["question", "expected", "language", "topic", "prod", "test"], ...lines]
        .map((line) => line.join(","))
        .join("\n"),
    )
    .file(
      "suite.yaml",
      `name: tags
dataset: sheet.csv
case: { tags: [language, topic] }
targets: { prod: { answers: prod }, test: { answers: test } }
scorers: [{ name: correct, type: equals }]
compare: { baseline: prod }
gates: [{ metric: correct, margin: 0.02 }]
`,
    );
  const { code, err } = await tandem.run("run", "suite.yaml", "-o", "page.html");
  expect([0, 1], err).toContain(code);
  return tandem;
}

describe.skipIf(chromiumPath === undefined)(
  `the line of figures, the map of tags, and what can be sent ${withoutBrowser}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
    });

    const found = (page: Page): Promise<string | null> => page.locator("#panel [role=status]").first().textContent();

    test("stand under the verdict: one line of figures with round ticks, and a map each cell of which leads to as many rows", async () => {
      const tandem = await ran();
      const { page, complaints } = await openPage(browser, { width: 1280, height: 900 });
      await page.goto(pathToFileURL(join(tandem.folder, "page.html")).href);
      const line = await page.locator(".reliability").textContent();
      expect(line).toMatch(
        /^prod 100 % → test 91\.7 %−8\.3 points−[\d.]+ to −[\d.]+ \(each end 95 %\)limit −2 points480\/480 answeredrun to run: not known, asked once$/,
      );
      // Round ticks, and nothing of the line is told again in the headline.
      const ticks = await page.locator(".gate .tick-axis text").allTextContents();
      expect(ticks).toContain("0");
      expect(
        ticks.every((tick) => /^(?:0|[−+]\d+(?:\.5)?)$/.test(tick)),
        ticks.join(),
      ).toBe(true);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).not.toMatch(/Measured|The limit is/);
      const map = page.getByRole("group", { name: "Where: language by topic" });
      expect(await page.locator(".where > p").first().textContent()).toBe(
        "language = عربي and topic = card: 20 of 20 cases got worse; of the other 220: 0.",
      );
      expect(await map.locator(".stands-worse").allTextContents()).toEqual([
        expect.stringMatching(/^card ▼ −100\.0 20.*, surely worse$/s),
      ]);
      // What is worse only because of that pair is not coloured.
      expect(await map.locator(".large").count()).toBe(2);
      const cells = map.locator("tbody button");
      for (let place = 0; place < (await cells.count()); place++) {
        const [, cases = ""] = /(\d+)$/.exec((await cells.nth(place).locator(".beside").textContent()) ?? "") ?? [];
        await cells.nth(place).click();
        await expect.poll(() => found(page), { message: String(place) }).toBe(`${cases} rows of 240`);
      }
      await page.getByRole("button", { name: "Look at the 20 rows that got worse" }).click();
      await expect.poll(() => found(page)).toBe("20 rows of 240");
      for (const width of [390, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate("document.documentElement.scrollWidth"), String(width)).toBeLessThanOrEqual(width);
        expect(await seriousFaults(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
    });

    test("the first screen has the first rows, tells the loss and its rows once, and folds the groups of failures into one line", async () => {
      const tandem = await ran();
      const { page, complaints } = await openPage(browser, { width: 1280, height: 800 });
      await page.goto(pathToFileURL(join(tandem.folder, "page.html")).href);
      await page.locator("[data-row='0']").waitFor();
      const bottomOf = async (what: string): Promise<number> => {
        const box = await page.locator(what).first().boundingBox();
        return (box?.y ?? Infinity) + (box?.height ?? 0);
      };
      expect(await bottomOf("[data-row='0']")).toBeLessThanOrEqual(800);
      // The verdict counts them, and one button leads to them.
      const result = page.locator(".result");
      expect(await result.getByRole("button", { name: /got worse|^20 worse/ }).allTextContents()).toEqual([
        "Look at the 20 rows that got worse ",
      ]);
      expect(await result.getByText("that got worse").count()).toBe(1);
      const head = page.getByText("What newly failing rows are answered: 20 × “no idea”");
      expect(await page.getByRole("heading", { name: "What newly failing rows are answered" }).isVisible()).toBe(false);
      await head.click();
      await page.getByRole("group", { name: "What newly failing rows are answered" }).getByText("20 of 20").waitFor();
      // Opened, they have the whole width, below both columns.
      const opened = await page.locator(".new-failures").boundingBox();
      expect(opened?.width).toBeGreaterThan(1100);
      expect(opened?.y).toBeGreaterThanOrEqual(await bottomOf(".where-and-how"));
      // How it was measured has the whole sentence about behaviour.
      await page.getByText("How it was measured").click();
      await page
        .locator(".method")
        .getByText(/worded differently/)
        .waitFor();
      expect(complaints).toEqual([]);
    });

    test("on a telephone the map of tags is a list of what changed, which nobody has to scroll sideways", async () => {
      const tandem = await ran();
      const { page, complaints } = await openPage(browser, { width: 390, height: 844 });
      await page.goto(pathToFileURL(join(tandem.folder, "page.html")).href);
      const map = page.getByRole("group", { name: "Where: language by topic" });
      const isWhole = (): Promise<boolean> => map.evaluate((own) => own.scrollWidth <= own.clientWidth);
      const line = map.locator("tbody tr", { has: page.getByRole("rowheader", { name: "عربي" }) });
      expect(await line.locator("td:visible").allTextContents()).toEqual([
        expect.stringMatching(/^card ▼ −100\.0 20/),
        expect.stringMatching(/^all −33\.3 60/),
      ]);
      for (const direction of ["ltr", "rtl"]) {
        await page.evaluate(`document.documentElement.dir = "${direction}"`);
        expect(await isWhole(), direction).toBe(true);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
        expect(await seriousFaults(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await map.locator("tbody td:visible").count()).toBe(20);
      expect(complaints).toEqual([]);
    });

    test("a night has crumbs, a title that says the verdict, a summary of five lines, a short link, and pages of its view and row", async () => {
      const tandem = await ran();
      await tandem.run("run", "suite.yaml");
      const { url } = await startView(tandem);
      const { page, complaints } = await openPage(browser, { width: 1280, height: 900 });
      const written: string[] = [];
      await page.exposeFunction("keep", (text: string) => written.push(text));
      await page.addInitScript(
        "if (navigator.clipboard) navigator.clipboard.writeText = (text) => globalThis.keep(text)",
      );
      await page.goto(url);
      await page.getByRole("link", { name: /^See the 20 rows of tags/ }).click();
      await expect.poll(() => found(page)).toBe("20 rows of 240");
      expect(await page.title()).toMatch(/^▼ Regression: tags, \d+ \w+ · tandem$/);
      const crumbs = page.getByRole("navigation", { name: "Where this is" });
      expect(await crumbs.getByRole("link").allTextContents()).toEqual([
        "Home",
        "tags",
        expect.stringMatching(/^‹Previous: run of /),
      ]);
      const batch = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("batch") ?? "";
      await crumbs.getByRole("link", { name: /^Previous/ }).click();
      await crumbs.getByRole("link", { name: /^Next/ }).click();
      await crumbs.getByRole("link", { name: /^Previous/ }).waitFor();
      // The summary is text, whatever names are in it.
      await page.locator(".send summary").click();
      await page.getByRole("button", { name: "Copy summary" }).click();
      await expect.poll(() => written.length).toBe(1);
      const lines = written[0]?.trim().split("\n") ?? [];
      expect(lines).toHaveLength(5);
      expect(lines[0]).toMatch(/^\*\*❌ Regression\*\* · tags · /);
      expect(lines[2]).toContain("100 % → 91.7 %, −8.3 points (");
      expect(lines[3]).toContain("language = عربي and topic = card: 20 of 20 cases got worse");
      // A short link leads to the same night.
      await page.getByRole("button", { name: "Copy a short link" }).click();
      await expect.poll(() => written.length).toBe(2);
      expect(new URL(written[1] ?? "").hash).toBe(`#${batch}`);
      await page.goto("about:blank");
      await page.goto(written[1] ?? "");
      await expect.poll(() => page.title()).toMatch(/^▼ Regression: tags/);
      // The view that is shown is one file; so is a row.
      await page.getByRole("button", { name: "Look at the 20 rows that got worse" }).click();
      await expect.poll(() => found(page)).toBe("20 rows of 240");
      const saved = async (name: string): Promise<string> => {
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
        expect(download.suggestedFilename()).toMatch(/^tags-\d+-\d+(?:-\d+)?(?:-row)?\.html$/);
        const path = join(tandem.folder, download.suggestedFilename());
        writeFileSync(path, readFileSync(await download.path()));
        return pathToFileURL(path).href;
      };
      await page.locator(".send:not([open]) summary").click();
      const view = await saved("Save this view as HTML");
      await page.locator(".send summary").click();
      await page.locator("[data-row='0']").click();
      await page.locator(".detail-body").waitFor();
      const row = await saved("Save this row as HTML");
      await page.goto(view);
      await page.getByRole("tab", { name: "Rows20" }).waitFor();
      expect(await page.locator(".send a").count()).toBe(0);
      await page.goto(row);
      await page.getByRole("tab", { name: "Rows1" }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(
        "test is worse than prod on correct",
      );
      expect(complaints).toEqual([]);
    });
  },
);
