import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { markdownText } from "../../src/report/text/markdown-text.ts";
import { Tandem } from "../e2e/tandem.ts";
import { slowTest } from "../often.ts";
import { markdownHarm, pageHarm } from "../hostile/harm.ts";
import { readOf } from "../hostile/page-text.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, complaintsOf, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { openMore } from "./open-report.ts";
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

    test("stand under the verdict: one line of figures, and a map each cell of which leads to as many rows", async () => {
      const tandem = await ran();
      const { page, complaints } = await openPage(browser, { width: 1280, height: 900 });
      await page.goto(pathToFileURL(join(tandem.folder, "page.html")).href);
      const cellsOfLine = page.getByRole("group", { name: "Result" }).locator("tbody tr").first().locator("th, td");
      expect((await cellsOfLine.allTextContents()).filter((text) => text !== "")).toEqual([
        "correct",
        "100.0 %",
        "91.7 %",
        "-8.3 points",
        expect.stringMatching(/^-[\d.]+ to -[\d.]+$/),
        "2 points",
        "20",
        "0",
      ]);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).not.toMatch(/Measured|The limit is/);
      await openMore(page);
      const map = page.getByRole("group", { name: "Where: language by topic" });
      expect(await page.locator(".details p").allTextContents()).toEqual([
        "where language = عربي and topic = card: 20 of 20 rows worse",
        " the other 220 rows: 0 worse",
      ]);
      expect(await map.locator(".stands-worse").allTextContents()).toEqual([
        expect.stringMatching(/^card ▼ -100\.0 20.*, surely worse$/s),
        // Each of its two values alone is worse, too.
        expect.stringMatching(/^all ▼ .*, surely worse$/s),
        expect.stringMatching(/^all ▼ .*, surely worse$|^card ▼ .*, surely worse$/s),
      ]);
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
      await openMore(page);
      await page.getByText("What newly failing rows are answered").first().click();
      await page.getByRole("group", { name: "What newly failing rows are answered" }).getByText("20 of 20").waitFor();
      expect(complaints).toEqual([]);
    });

    test("on a telephone the map of tags is a list of what changed, which nobody has to scroll sideways", async () => {
      const tandem = await ran();
      const { page, complaints } = await openPage(browser, { width: 390, height: 844 });
      await page.goto(pathToFileURL(join(tandem.folder, "page.html")).href);
      await openMore(page);
      const map = page.getByRole("group", { name: "Where: language by topic" });
      const isWhole = (): Promise<boolean> => map.evaluate((own) => own.scrollWidth <= own.clientWidth);
      const line = map.locator("tbody tr", { has: page.getByRole("rowheader", { name: "عربي" }) });
      expect(await line.locator("td:visible").allTextContents()).toEqual([
        expect.stringMatching(/^card ▼ -100\.0 20/),
        expect.stringMatching(/^all ▼ -33\.3 60/),
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
      expect(lines[2]).toContain("100 % -&gt; 91.7 %, -8.3 points (likely ");
      expect(lines[3]).toContain("language = عربي and topic = card: 20 of 20 rows worse");
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
        await download.saveAs(path);
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
      // It says whose rows it holds, and leads to none that it may not have.
      await page.getByText("This file holds 20 of 240 rows: those of a view that was saved.").waitFor();
      expect(await page.locator(".next button").allTextContents()).toEqual([" Copy"]);
      await page.goto(row);
      await page.getByRole("tab", { name: "Rows1" }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(
        "test is worse than prod on correct",
      );
      expect(complaints).toEqual([]);
    });

    slowTest(
      "what is copied and saved is letter for letter what is there, in every script, and stays text",
      async () => {
        const texts = [
          ["हिन्दी कि श्रीमान्", "नहीं | <b>बोल्ड</b>"],
          ["ما السؤال؟ لا إله", "لا [رابط](https://evil.test) @all"],
          ["👩🏽‍🌾 📚 renew?", "👨‍👩‍👧‍👦 `code` ~~no~~"],
          ["e\u0301 a\u0323\u0307 n\u0303", "Z\u0301\u0322 <img src=x onerror=alert(1)>"],
          ["two\nlines\tand | a bar", "| a | b |\n| --- | --- |\n# title"],
        ] as const;
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const lines = texts.map(([asked, said], row) => [`k${row} ${asked}`, asked, said, said, `no ${said}`]);
        const [suite, before, after] = ["लाइब्रेरी | <i>👩🏽‍🌾</i> `x`", "पुराना-कि", "لا_e\u0301"];
        const tandem = new Tandem()
          .file(
            "sheet.csv",
            ["id,question,golden,before,after", ...lines.map((line) => line.map(quoted).join(","))].join("\n"),
          )
          .file(
            "suite.yaml",
            `name: ${JSON.stringify(suite)}
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { ${JSON.stringify(before)}: { answers: before }, ${JSON.stringify(after)}: { answers: after } }
scorers: [{ name: same, type: equals, primary: true }]
compare: { baseline: ${JSON.stringify(before)} }
gates: [{ metric: same, losses: 0 }]
reports: [terminal]
`,
          );
        const { code, err } = await tandem.run("run", "suite.yaml", "--quiet");
        expect([0, 1], err).toContain(code);
        const { url } = await startView(tandem);
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
        onTestFinished(() => context.close());
        await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
        const page = await context.newPage();
        const complaints = complaintsOf(page);
        await page.goto(url);
        await page.goto(new URL("#batch=latest&sort=place", page.url()).href);
        const clipboard = async (): Promise<string> => String(await page.evaluate("navigator.clipboard.readText()"));
        const send = async (name: string, said: string): Promise<string> => {
          await page.locator(".send:not([open]) summary").click();
          await page.getByRole("button", { name }).click();
          await page.locator(".send").getByText(said).waitFor();
          await page.locator(".send summary").click();
          return clipboard();
        };
        const brief = await send("Copy summary", "Copied the summary.");
        const short = await send("Copy a short link", "Copied a short link.");
        expect(new URL(short).hash).toMatch(/^#[\w%.-]+$/);
        expect(brief.trimEnd().split("\n")).toHaveLength(4);
        expect(markdownHarm(brief)).toEqual([]);
        for (const name of [suite, after]) expect(brief).toContain(markdownText(name));
        // The address of each row leads to it, whatever its key is.
        for (const [place, [key = ""]] of lines.entries()) {
          await page.locator(`[data-row="${place}"]`).click();
          await page.locator(".detail .sides").waitFor();
          await page.locator(".detail").getByRole("button", { name: "Copy link" }).click();
          await page.locator(".detail").getByRole("button", { name: "Copied" }).waitFor();
          const link = await clipboard();
          await page.goto("about:blank");
          await page.goto(link);
          await page.locator(".detail .sides").waitFor();
          expect(await page.locator(".detail").textContent()).toContain(key);
          const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("link", { name: "Save this row as HTML" }).click(),
          ]);
          expect(await download.failure()).toBeNull();
          const path = join(tandem.folder, `row-${place}.html`);
          await download.saveAs(path);
          const saved = await context.newPage();
          const ofSaved = complaintsOf(saved);
          await saved.goto(pathToFileURL(path).href);
          await saved.getByRole("tab", { name: "Rows1" }).waitFor();
          await saved.locator("[data-row='0']").click();
          await saved.locator(".detail .sides").waitFor();
          const [asked, said] = texts[place] ?? [];
          const shown = (await saved.locator(".detail").textContent()) ?? "";
          for (const text of [asked, said])
            expect(shown.replaceAll(/\s+/g, " ")).toContain(text?.replaceAll(/\s+/g, " "));
          expect([place, pageHarm(await readOf(saved)), ofSaved]).toEqual([place, [], []]);
          await saved.close();
          await page.keyboard.press("Escape");
          await page.locator(".detail").waitFor({ state: "detached" });
        }
        // Rows as a file for a spreadsheet: every text is in it, and none is a formula or a line of its own.
        await page.locator(".menu", { hasText: "Export" }).locator("summary").click();
        const [csv] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "These rows as CSV" }).click(),
        ]);
        await csv.saveAs(join(tandem.folder, "rows.csv"));
        const text = readFileSync(join(tandem.folder, "rows.csv"), "utf8");
        const read = parse<Record<string, string>>(text, { bom: true, columns: true });
        expect(read.map(({ case_key }) => case_key)).toEqual(lines.map(([key]) => key));
        expect(complaints).toEqual([]);
      },
    );
  },
);
