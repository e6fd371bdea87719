import { cpSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { pageHarm } from "../hostile/harm.ts";
import { readOf } from "../hostile/page-text.ts";
import { hostile } from "../hostile/texts.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { queryOfRows } from "../../src/report/query/query-edit.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { openReport } from "./open-report.ts";
import { startView } from "./viewing.ts";

/** A run of stored answers: no service is asked. */
async function stored(tandem: Tandem, name: string, lines: readonly string[]): Promise<void> {
  tandem.file(`${name}.csv`, ["id,question,golden,before,after", ...lines].join("\n")).file(
    `${name}.yaml`,
    `name: ${name}
dataset: ${name}.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { before: { answers: before, endpoint: video-bots }, after: { answers: after, endpoint: video-bots } }
scorers: [{ name: correct, type: contains, primary: true }]
compare: { baseline: before, candidates: [after] }
reports: [terminal]
`,
  );
  await tandem.run("run", `${name}.yaml`, "--quiet");
}

const line = (key: string): string => `${key},Question ${key}?,yes,yes,no`;

describe.skipIf(chromiumPath === undefined)(`the viewer with what is bad ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("says that the database was taken away or replaced, over what it shows, and goes on when it is back", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a", "b", "c"].map(line));
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest", page.url()).href);
    const status = page.locator(".found [role=status]").first();
    await status.getByText("3 rows").waitFor();
    const [path, away] = ["results/tandem.db", "results/elsewhere.db"].map((name) => join(tandem.folder, name));
    const look = (): Promise<unknown> => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    renameSync(path ?? "", away ?? "");
    await look();
    const bar = page.locator(".lost-bar").getByRole("alert");
    await bar.getByText("is gone. Stop tandem view, and start it again where the batches are.").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    // A list that cannot be read says so, and does not search without an end.
    await page.locator("#search").fill("key:b");
    await status.getByText(/^The rows cannot be read\. The database .+ is gone\./).waitFor();
    cpSync(away ?? "", path ?? "");
    await look();
    await bar.getByText("is another file now").waitFor();
    renameSync(away ?? "", path ?? "");
    await look();
    await page.locator(".lost-bar").waitFor({ state: "detached" });
    await status.getByText("1 row of 3").waitFor();
  });

  test("says that two suites have no case in common, with what to do, and lists the rows of both", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a", "b"].map(line));
    await stored(tandem, "shop", ["x", "y", "z"].map(line));
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#side=desk:before&side=shop:after", page.url()).href);
    await page.getByRole("heading", { level: 1, name: /no case|no row|in common/i }).waitFor();
    await page.getByRole("status").getByText("5 rows").first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("shows a row of 200 KB without holding the page up, and finds its last word", async () => {
    const tandem = new Tandem();
    const long = `${"word of a very long answer ".repeat(7_500)} lastword`;
    await stored(tandem, "desk", [line("a"), `b,${long.slice(0, 200_000)},yes,${long},no`, line("c")]);
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&q=lastword", page.url()).href);
    await page.locator("[data-row='0']").click();
    await page.locator(".detail .sides").waitFor();
    expect(await page.locator(".question .key").allTextContents()).toEqual(["b"]);
    // Keys still work: Escape closes it.
    await page.keyboard.press("Escape");
    await page.locator(".detail").waitFor({ state: "detached" });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("takes hostile values of tags for text: in heads of groups, chips, the heat map, the address and lists", async () => {
    const texts = hostile.map(([, text]) => text.toWellFormed().slice(0, 300));
    const rows = [...syntheticRows(texts.length)].map((row, place) => ({
      ...row,
      tags: { ...row.tags, topic: texts[place] ?? "" },
    }));
    const given = syntheticSummary(rows.length);
    const [slice] = given.slices;
    const summary = {
      ...given,
      suite: "<img src=x onerror=alert(1)>",
      tags: { ...given.tags, topic: texts.map((value) => ({ value, cases: 1 })) },
      slices: slice === undefined ? [] : texts.map((value) => ({ ...slice, tag: "topic", value, and: null })),
    };
    const size = { width: 1280, height: 6_000 };
    const { page, complaints } = await openReport(browser, { rows, summary, hash: "by=topic&sort=place", size });
    await page.locator(".group-head").first().waitFor();
    expect(pageHarm(await readOf(page))).toEqual([]);
    for (const value of texts) {
      const text = queryOfRows({ tags: [{ name: "topic", value }], group: ["said", "test", value] });
      await page.evaluate(`location.hash = ${JSON.stringify(`#${new URLSearchParams({ q: text }).toString()}`)}`);
      await page.locator(".group-chip").waitFor();
      expect([value, pageHarm(await readOf(page))]).toEqual([value, []]);
      expect(await page.locator("#search").getAttribute("aria-invalid")).toBe("false");
    }
    expect(complaints).toEqual([]);
  });
});
