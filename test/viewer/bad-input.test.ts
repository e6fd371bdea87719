import { cpSync, renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
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

  test("says that the database was damaged while the page is open, and what to do", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a", "b", "c"].map(line));
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest", page.url()).href);
    await page.locator(".found [role=status]").first().getByText("3 rows").waitFor();
    const path = join(tandem.folder, "results", "tandem.db");
    // The same file, of which a copy that stopped half-way has left nothing.
    truncateSync(path, 0);
    await page.goto("about:blank");
    await page.goto(url);
    const said = page.getByText(/Could not read .+tandem\.db, which is damaged: .+\.recover` saves what can be read\./);
    await said.first().waitFor();
    expect(await page.locator("body").textContent()).not.toContain("Internal Server Error");
  });

  test("says that nothing is here of a suite that nobody ran", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a"].map(line));
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#suite=nowhere", page.url()).href);
    await page.getByText("There is no run of a suite of this name here.").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("A line over time");
    expect(complaints).toEqual([]);
  });

  test("reads and writes nothing of a database that is of another tandem now, says so, and goes on after it", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a", "b", "c"].map(line));
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&row=b", page.url()).href);
    await page.locator(".detail .sides").waitFor();
    const other = new Database(join(tandem.folder, "results", "tandem.db"));
    onTestFinished(() => void other.close());
    const known = Number(other.pragma("user_version", { simple: true }));
    other.pragma("user_version = 999");
    // A label that cannot be kept is not shown as kept, and its reason is.
    await page.keyboard.press("g");
    await page
      .getByText(/The database .* is of another tandem now/)
      .first()
      .waitFor();
    expect(other.prepare("SELECT count(*) AS labels FROM label").get()).toEqual({ labels: 0 });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator(".lost-bar").getByText("start it again with the tandem that wrote it.").waitFor();
    other.pragma(`user_version = ${known}`);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator(".lost-bar").waitFor({ state: "detached" });
  });

  test("shows what is there while another process holds the database, and keeps a label when it is free", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a", "b", "c"].map(line));
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&row=a", page.url()).href);
    await page.locator(".detail .sides").waitFor();
    const other = new Database(join(tandem.folder, "results", "tandem.db"));
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await expect.poll(() => page.locator(".question .key").allTextContents()).toContain("b");
    await page.locator("#search").fill("key:c");
    await page.locator(".found [role=status]").first().getByText("1 row of 3").waitFor();
    other.exec("COMMIT");
    await expect.poll(() => other.prepare("SELECT count(*) AS labels FROM label").get()).toEqual({ labels: 1 });
    expect(complaints).toEqual([]);
  });

  test("lists every row of one target alone", async () => {
    const tandem = new Tandem();
    await stored(tandem, "desk", ["a", "b", "c"].map(line));
    await tandem.run("run", "desk.yaml", "--target", "after", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest", page.url()).href);
    await page.locator(".found [role=status]").first().getByText("3 rows").waitFor();
    expect(complaints).toEqual([]);
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
    const { page, complaints } = await openReport(browser, { rows, summary, hash: "sort=place", size });
    await page.locator("[data-row]").first().waitFor();
    expect(pageHarm(await readOf(page))).toEqual([]);
    for (const value of texts) {
      const text = queryOfRows({ tags: [{ tag: "topic", value }], group: ["said", "test", value] });
      await page.evaluate(`location.hash = ${JSON.stringify(`#${new URLSearchParams({ q: text }).toString()}`)}`);
      await expect.poll(() => page.locator(".group-chip").count()).toBe(2);
      expect([value, pageHarm(await readOf(page))]).toEqual([value, []]);
      expect(await page.locator("#search").getAttribute("aria-invalid")).toBe("false");
    }
    expect(complaints).toEqual([]);
  });

  test("takes hostile names for text: of suites and bots, in crumbs, comments, and all that can be sent", async () => {
    const texts = hostile.map(([, text]) => text.toWellFormed().replaceAll("\0", "").slice(0, 90));
    const long = "x".repeat(20_000);
    const tandem = new Tandem();
    await stored(tandem, "desk", [line("a"), `b,${long},yes,${long} yes,${long}`]);
    await tandem.run("run", "desk.yaml", "--quiet");
    const { url } = await startView(tandem);
    const db = new Database(join(tandem.folder, "results", "tandem.db"));
    onTestFinished(() => void db.close());
    db.pragma("foreign_keys = OFF");
    const label = db.prepare(
      "INSERT INTO label (job_id, scorer, label, value, note, author, at) VALUES (1, '', 'good', 1, ?, ?, 1)",
    );
    for (const [place, text] of [...texts, long].entries()) label.run(text, `${place} ${text.slice(0, 40)}`);
    const { page, complaints } = await openPage(browser, { width: 1280, height: 3_000 });
    await page.goto(url);
    const half = Math.ceil(texts.length / 2);
    for (const [first, width] of [
      [0, 1280],
      [half, 390],
    ] as const) {
      await page.setViewportSize({ width, height: 3_000 });
      const name = texts.slice(first, first + half).join(" ");
      db.prepare("UPDATE batch SET suite_name = ?").run(name);
      for (const hash of [
        "",
        `suite=${encodeURIComponent(name)}`,
        "batch=latest",
        "batch=latest&row=a",
        "batch=latest&row=b",
      ]) {
        await page.goto("about:blank");
        await page.goto(url);
        await page.goto(new URL(`#${hash}`, page.url()).href);
        await page.locator("main h1, main h2").first().waitFor({ state: "attached" });
        if (hash.includes("row=")) await page.locator(".detail .sides").waitFor();
        for (const menu of await page.locator(".send > summary").all()) {
          await menu.dispatchEvent("click");
          expect([hash, pageHarm(await readOf(page))]).toEqual([hash, []]);
        }
        expect([hash, pageHarm(await readOf(page))]).toEqual([hash, []]);
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        expect(wide, hash.slice(0, 40)).toBeLessThanOrEqual(width);
      }
    }
    expect(complaints).toEqual([]);
  });
});
