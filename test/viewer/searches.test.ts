import { pathToFileURL } from "node:url";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { startView } from "./viewing.ts";

const questions = {
  "ss-1": "Wo ist die Straße?",
  "ss-2": "WO IST DIE STRASSE?",
  "hi-1": "मैं किताब कैसे लूँ?",
  "hi-2": "पुस्तक कहाँ है, कि नहीं?",
  "ar-1": "أين مُحَمَّد؟",
  "ar-2": "هل أحمد هنا؟",
  "en-1": "Is the café open?",
};

const searches: readonly [text: string, keys: string][] = [
  ["straße", "ss-1 ss-2"],
  ["Strasse", "ss-1 ss-2"],
  ["किताब", "hi-1"],
  ["कि", "hi-1 hi-2"],
  ["लूँ", "hi-1"],
  ["محمد", "ar-1"],
  ["احمد", "ar-2"],
  ["أَحْمَد", "ar-2"],
  ["CAFE", "en-1"],
  ["question:STRASSE", "ss-1 ss-2"],
];

describe.skipIf(chromiumPath === undefined)(`a search ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function finds(page: Page, text: string, keys: string): Promise<void> {
    await page.locator("#search").fill(text);
    const found = () => page.locator(".question .key").allTextContents();
    await expect.poll(async () => (await found()).join(" "), { message: text }).toBe(keys);
  }

  test("in any script finds the same in report.html and in the viewer", async () => {
    const rows = Object.entries(questions).map(([id, question]) => `${id},"${question}",yes,no`);
    const tandem = new Tandem().file("sheet.csv", ["id,question,before,after", ...rows].join("\n")).file(
      "suite.yaml",
      `name: stored
dataset: sheet.csv
case: { key: id, input: { input_prompt: question } }
targets:
  before: { answers: before, endpoint: video-bots }
  after: { answers: after, endpoint: video-bots }
scorers: [{ name: says-yes, type: contains, value: "yes" }]
compare: { baseline: before, candidates: [after] }
`,
    );
    await tandem.run("run", "suite.yaml", "--quiet");
    const results = join(tandem.folder, "results");
    const batch = readdirSync(results).find((name) => name.startsWith("stored-")) ?? "";
    const { url } = await startView(tandem);
    const [report, viewer] = await Promise.all([openPage(browser), openPage(browser)]);
    await report.page.goto(`${pathToFileURL(join(results, batch, "report.html")).href}#sort=place`);
    await viewer.page.goto(url);
    await viewer.page.goto(new URL("#batch=latest&sort=place", viewer.page.url()).href);
    for (const [text, keys] of searches) {
      await finds(report.page, text, keys);
      await finds(viewer.page, text, keys);
    }
    expect([...report.complaints, ...viewer.complaints]).toEqual([]);
  });
});
