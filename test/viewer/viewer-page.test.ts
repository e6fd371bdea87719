import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { slowTest } from "../often.ts";
import { seriousFaults } from "./accessibility.ts";
import { headNames } from "./head-names.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { Tandem } from "../e2e/tandem.ts";
import { batchOfTwo, endedBatch, startView } from "./viewing.ts";

describe.skipIf(chromiumPath === undefined)(`the viewer in a browser ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  /** A batch that has ended, in the viewer, with its rows on a large screen. */
  async function openBatch() {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser, { width: 1440, height: 900 });
    await page.goto(url);
    await page
      .getByRole("link", { name: /two, run of / })
      .first()
      .click();
    return { tandem, page, complaints };
  }

  test("has what the report of the run has: the file that was written opens with the same rows", async () => {
    const { tandem } = await endedBatch();
    const batch = readdirSync(join(tandem.folder, "results")).find((name) => name.startsWith("two-")) ?? "";
    const { page, complaints } = await openPage(browser);
    await page.goto(pathToFileURL(join(tandem.folder, "results", batch, "report.html")).href);
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).textContent())
      .toMatch(/^6 of 6 rows newly fail in test on correct; the limit is 0/);
    await page.getByRole("button", { name: /^Errors/ }).click();
    await expect.poll(() => page.locator(".question .key").allTextContents()).toEqual(["emoji-1"]);
    await page.locator("[data-row='0']").click();
    await page.getByText("no model").last().waitFor();
    expect(complaints).toEqual([]);
  });

  test("leads from the list of batches to a row, and keeps what a person says of its answer", async () => {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    expect(page.url()).not.toContain("token");
    await page.getByRole("link", { name: /two, run of / }).click();
    await page.getByRole("button", { name: /^Look at the \d rows that got worse$/ }).waitFor();
    await page.getByRole("combobox", { name: "Search in" }).fill("किताब");
    await expect.poll(() => page.getByRole("status").allTextContents()).toContain("1 row of 6");
    await page.locator("[data-row='0']").click();
    await page.locator(".detail").getByText("WHO KNOWS?").first().waitFor();
    const bar = page.getByRole("region", { name: "Judge this row" });
    await bar.getByLabel("Note").fill("अच्छा नहीं");
    await bar.getByLabel("By").fill("Ada");
    await bar.getByRole("button", { name: "Bad" }).click();
    await expect
      .poll(() => tandem.query("SELECT label, note, author FROM label"))
      .toEqual([{ label: "bad", note: "अच्छा नहीं", author: "Ada" }]);
    const judged = bar.getByRole("list", { name: "Judged" });
    await judged.getByText("अच्छा नहीं").waitFor();
    // A score is edited there too, by somebody and for a reason, and taken back.
    await bar.getByLabel("About").selectOption("correct");
    await bar.getByLabel("or a number").fill("1");
    await bar.getByLabel("or a number").press("Enter");
    await bar.getByText("A score is edited by somebody, for a reason: fill in Note and By.").waitFor();
    await bar.getByLabel("Note").fill("it is right");
    await bar.getByRole("button", { name: "Good" }).click();
    await judged.getByText("test, correct edited is ✓ good").waitFor();
    await bar.getByRole("button", { name: "Compare again with the edited scores" }).waitFor();
    await judged.locator("li", { hasText: "it is right" }).getByRole("button", { name: "Take back" }).click();
    await expect.poll(() => tandem.query("SELECT label FROM label")).toEqual([{ label: "bad" }]);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a row is judged by keys, undone, and judged blind, with names when each answer has a label", async () => {
    const { tandem, page, complaints } = await openBatch();
    await page.locator(".row", { hasText: "hi-1" }).locator("[data-row]").click();
    const bar = page.getByRole("region", { name: "Judge this row" });
    const labels = (): unknown => tandem.query("SELECT label, note, author FROM label");
    const pressed = (): Promise<string[]> => bar.locator("[aria-pressed=true]").allTextContents();
    await bar.getByLabel("By").fill("Ada");
    await bar.getByLabel("By").press("Enter");
    await page.keyboard.press("g");
    await expect.poll(labels).toEqual([{ label: "good", note: null, author: "Ada" }]);
    await expect.poll(pressed).toEqual(["✓ Good g"]);
    await page.keyboard.press("u");
    await expect.poll(labels).toEqual([]);
    expect(await page.locator(".expected").textContent()).toMatch(/these words/);
    expect(await page.locator(".expected-here").count()).toBeGreaterThan(0);
    await bar.getByLabel("Blind").check();
    const sides = page.locator(".side h3");
    await expect.poll(() => sides.allTextContents()).toEqual(["A", "B"]);
    // The names were seen: the next row is looked at without them.
    await page.keyboard.press("j");
    await expect.poll(() => page.locator(".detail .key").textContent()).not.toBe("hi-1");
    await page.reload();
    await expect.poll(() => sides.allTextContents()).toEqual(["A", "B"]);
    expect(await page.locator(".detail").textContent()).not.toMatch(/prod|candidate|baseline|worse|pass/);
    // No hint at which of them has the expected words, before somebody has chosen.
    expect(await page.locator(".expected").textContent()).not.toMatch(/these words/);
    expect(await page.locator(".expected-here").count()).toBe(0);
    // The second of them is judged first, as it is by name.
    await page.keyboard.press("b");
    await bar.getByText("Kept: B is bad.").waitFor();
    expect(await sides.allTextContents()).toEqual(["A", "B"]);
    await page.keyboard.press("s");
    await page.keyboard.press("g");
    await bar.getByText(/A is (?:prod, B is test|test, B is prod)\.$/).waitFor();
    const isTest = (await sides.first().textContent())?.startsWith("Atest") === true;
    const named = `SELECT target.name, label FROM label JOIN job ON job.id = job_id JOIN target ON target.id = target_id ORDER BY 1`;
    expect(tandem.query(named)).toEqual([
      { name: "prod", label: isTest ? "bad" : "good" },
      { name: "test", label: isTest ? "good" : "bad" },
    ]);
    expect(complaints).toEqual([]);
  });

  test("keys that are pressed while rows load are kept, each for the row that it was meant for", async () => {
    const { tandem, page, complaints } = await openBatch();
    await page.goto(`${page.url()}&sort=place`);
    await page.locator("[data-row='0']").click();
    const bar = page.getByRole("region", { name: "Judge this row" });
    await bar.waitFor();
    const labels = (): unknown =>
      tandem.query(
        `SELECT "case".key, label FROM label JOIN job ON job.id = job_id JOIN "case" ON "case".id = case_id`,
      );
    const title = page.locator(".detail .key");
    // Rows come while they flow, one after the other.
    let isFlowing = true;
    const asked: Route[] = [];
    await page.route("**/api/row?*", (route) => void asked.push(route));
    const timer = setInterval(() => {
      if (isFlowing) void asked.shift()?.continue();
    }, 50);
    onTestFinished(() => clearInterval(timer));
    for (const key of ["g", "j", "b", "j", "g", "l", "b"]) await page.keyboard.press(key);
    const kept = [
      { key: "en-1", label: "good" },
      { key: "en-2", label: "bad" },
      { key: "hi-1", label: "good" },
      { key: "ar-1", label: "bad" },
    ];
    await expect.poll(labels).toEqual(kept);
    await expect.poll(() => title.textContent()).toBe("ar-1");
    // The text of a note is none of the keys, and who leaves the row wants none of them.
    isFlowing = false;
    for (const key of ["j", "n", "b", "u", "g"]) await page.keyboard.press(key);
    isFlowing = true;
    await expect.poll(() => page.evaluate("document.activeElement?.placeholder")).toBe("then Enter");
    expect(await title.textContent()).toBe("emoji-1");
    await page.keyboard.press("Escape");
    isFlowing = false;
    for (const key of ["j", "g", "Escape"]) await page.keyboard.press(key);
    await title.waitFor({ state: "detached" });
    isFlowing = true;
    await page.locator("[data-row='5']").click();
    await bar.waitFor();
    expect(labels()).toEqual(kept);
    expect(complaints).toEqual([]);
  });

  slowTest(
    "faster than the answers come, a key judges and undoes what it was meant for, and a note is not lost",
    async () => {
      const { tandem, page, complaints } = await openBatch();
      await page.locator("[data-row]").first().waitFor();
      await page.locator(".row", { hasText: "en-1" }).locator("[data-row]").focus();
      await page.keyboard.press("b");
      await page.getByText("Open the row first: Enter").waitFor();
      await page.keyboard.press("Enter");
      const bar = page.getByRole("region", { name: "Judge this row" });
      const labels = (): unknown => tandem.query("SELECT label, note, author FROM label");
      const pressed = (): Promise<string[]> => bar.locator("[aria-pressed=true]").allTextContents();
      await bar.waitFor();
      await page.keyboard.press("g");
      await expect.poll(pressed).toEqual(["✓ Good g"]);
      // A word of somebody else is not the own one.
      await bar.getByLabel("By").fill("Ada");
      await expect.poll(pressed).toEqual([]);
      // Enter and Esc leave the field, and not the row.
      await bar.getByLabel("By").press("Escape");
      await page.keyboard.press("u");
      await expect.poll(labels).toEqual([]);
      await bar.getByLabel("By").press("Enter");
      await page.keyboard.press("g");
      await expect.poll(labels).toEqual([{ label: "good", note: null, author: "Ada" }]);
      await page.keyboard.press("b");
      await expect.poll(labels).toEqual([{ label: "bad", note: null, author: "Ada" }]);
      await expect.poll(pressed).toEqual(["✗ Bad b"]);
      const judged = bar.getByRole("list", { name: "Judged" });
      expect(await judged.textContent()).toMatch(/^Ada: (?:prod|test) is ✗ bad +\d{4}-\d\d-\d\d \d\d:\d\d Take back$/);
      await page.keyboard.press("n");
      await page.keyboard.type("अच्छा नहीं");
      // A note that is not kept yet is there again after a look at the next row.
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      await page.locator(".row.open", { hasText: "en-1" }).waitFor({ state: "detached" });
      expect(await bar.getByLabel("Note").inputValue()).toBe("");
      await page.keyboard.press("k");
      await page.locator(".row.open", { hasText: "en-1" }).waitFor();
      expect(await bar.getByLabel("Note").inputValue()).toBe("अच्छा नहीं");
      await bar.getByLabel("Note").press("Enter");
      await expect.poll(labels).toEqual([{ label: "bad", note: "अच्छा नहीं", author: "Ada" }]);
      await bar.getByText("Note kept: अच्छा नहीं").waitFor();
      expect(await bar.getByLabel("Note").inputValue()).toBe("");
      await page.locator(".row.open", { hasText: "labelled bad" }).waitFor();
      // Faster than the answers come: each undoes one judgement, the last one first.
      for (let times = 0; times < 3; times++) await page.keyboard.press("u");
      await expect.poll(() => tandem.query("SELECT id FROM label").length).toBe(0);
      await page.keyboard.press("g");
      await expect.poll(() => tandem.query("SELECT id FROM label").length).toBe(1);
      // A key that follows at once, before anything is painted, judges no row that was left.
      await page.evaluate(async () => {
        for (const key of ["j", "b"]) {
          dispatchEvent(new KeyboardEvent("keydown", { key }));
          for (let times = 0; times < 9; times++) await Promise.resolve();
        }
      });
      await page.keyboard.press("k");
      await expect.poll(pressed).toEqual(["✓ Good g"]);
      const good = { label: "good", note: null, author: "Ada" };
      await expect.poll(labels).toEqual([good, { ...good, label: "bad" }]);
      await page.keyboard.press("u");
      await bar.getByText("Undone: bad of").waitFor();
      expect(labels()).toEqual([good]);
      await page.keyboard.press("l");
      await expect.poll(() => page.locator(".detail .key").textContent()).not.toBe("en-1");
      const open = async (row: string, rest = ""): Promise<void> => {
        await page.goto(`${page.url().replace(/&(?:row|labelled|sort)=[^&]*/g, "")}&row=${row}&sort=place${rest}`);
        await expect.poll(() => page.locator(".detail .key").textContent()).toBe(row);
      };
      await open("en-2");
      // The word on a row goes with it, and with the names.
      await bar.getByRole("button", { name: "Good" }).click();
      await bar.getByText(/^Kept: (?:prod|test) is good\.$/).waitFor();
      await page.keyboard.press("u");
      await bar.getByText(/^Undone: good of (?:prod|test)\.$/).waitFor();
      await page.keyboard.press("g");
      await bar.getByText(/^Kept: (?:prod|test) is good\.$/).waitFor();
      await page.keyboard.press("k");
      await expect.poll(() => page.locator(".detail .key").textContent()).toBe("en-1");
      await expect.poll(() => bar.getByRole("status").textContent()).toBe("");
      await open("en-2");
      await bar.getByText(/^Kept: (?:prod|test) is good\.$/).waitFor();
      await bar.getByLabel("Blind").check();
      await open("hi-1", "&labelled=no");
      const sides = page.locator(".side h3");
      await expect.poll(() => sides.allTextContents()).toEqual(["A", "B"]);
      await page.reload();
      await expect.poll(() => sides.allTextContents()).toEqual(["A", "B"]);
      expect(await page.locator(".detail").textContent()).not.toMatch(/prod|candidate|baseline|worse|pass/);
      expect(await seriousFaults(page)).toEqual([]);
      await page.locator(".detail header").getByText("Blind is on").waitFor();
      // Keys are not dead after a click on the box.
      await bar.getByLabel("Blind").focus();
      const before = (labels() as unknown[]).length;
      await page.keyboard.press("b");
      await expect.poll(pressed).toEqual(["✗ Bad b"]);
      expect(await sides.allTextContents()).toEqual(["A", "B"]);
      await page.keyboard.press("s");
      await page.keyboard.press("g");
      await bar.getByText(/A is (?:prod, B is test|test, B is prod)\.$/).waitFor();
      expect((labels() as unknown[]).length).toBe(before + 2);
      // A row that was judged looks judged when somebody comes back to it, and without a label it is blind again.
      await page.keyboard.press("j");
      await expect.poll(() => page.locator(".detail .key").textContent()).not.toBe("hi-1");
      await page.keyboard.press("k");
      await bar.getByText(/A is (?:prod, B is test|test, B is prod)\.$/).waitFor();
      // Its line in the list, which the row covers while Blind is on.
      const line = page.locator(".row", { hasText: "hi-1" });
      await line.getByText("labelled").waitFor({ state: "attached" });
      await page.keyboard.press("u");
      await expect.poll(() => sides.allTextContents()).toEqual(["A", "B"]);
      await page.keyboard.press("u");
      await line.getByText("labelled").waitFor({ state: "detached" });
      await page.keyboard.press("b");
      await line.getByText("labelled").waitFor({ state: "attached" });
      // The list that was looked at kept the row; the same choice made again does not have it any more.
      await line.waitFor({ state: "attached" });
      await page.keyboard.press("Escape");
      for (const choice of ["any", "no"]) await page.getByLabel("Labels").selectOption(choice);
      await expect.poll(() => page.locator(".question .key").first().textContent()).toBe("ar-1");
      // An answer that stands alone is blind too.
      await open("emoji-1");
      await bar.waitFor();
      expect(await page.locator(".detail").textContent()).not.toMatch(/prod|candidate|baseline/);
      await bar.getByLabel("Blind").uncheck();
      await bar.getByRole("button", { name: "Good" }).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  slowTest("says that a batch runs, and shows its comparison when it has ended", async () => {
    const seen = Promise.withResolvers<void>();
    const { tandem, service } = await batchOfTwo({ half: seen.promise });
    const { ended } = tandem.begin("run", "suite.yaml");
    await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.getByRole("link", { name: /two, run of / }).click();
    await page.getByText(/^two-\S+ runs, and its comparison opens here/).waitFor();
    await page.getByRole("progressbar", { name: /^two-\S+: \d+ of 12 jobs$/ }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    seen.resolve();
    await ended;
    await page.getByRole("tab", { name: /^Rows/ }).waitFor({ timeout: 30_000 });
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(
      /^6 of 6 rows newly fail in test on correct; the limit is 0/,
    );
    expect(complaints).toEqual([]);
  });

  slowTest("follows a link to a row, and steps on from it", async () => {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page } = await openPage(browser);
    await page.goto(url);
    const link = page.getByRole("link", { name: /two, run of / });
    await link.waitFor();
    const batch = (await link.getAttribute("title")) ?? "";
    const hash = new URLSearchParams({ batch, sort: "place", row: "a&b=c #1/%20" }).toString();
    await page.goto(`${page.url().replace(/#.*/, "")}#${hash}`);
    await expect.poll(() => page.locator(".detail .key").textContent()).toBe("a&b=c #1/%20");
    await page.locator(".detail-body").waitFor();
    await page.getByRole("button", { name: "Previous row" }).click();
    await expect.poll(() => page.locator(".detail .key").textContent()).toBe("emoji-1");
  });

  slowTest(
    "says that another viewer was started, and goes on at its address in every tab, while a batch runs and after it",
    async () => {
      const seen = Promise.withResolvers<void>();
      const { tandem, service } = await batchOfTwo({ half: seen.promise });
      const { ended } = tandem.begin("run", "suite.yaml");
      await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
      const first = await startView(tandem);
      const context = await browser.newContext();
      const tabs = [await context.newPage(), await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(first.url);
        await tab.getByRole("link", { name: /two, run of / }).click();
        await tab.getByText(/^two-\S+ runs, and its comparison opens here/).waitFor();
      }
      first.child.kill("SIGKILL");
      await first.ended;
      await tabs[0]?.getByRole("alert").waitFor();
      const second = await startView(tandem, Number(new URL(first.url).port));
      // Its secrets are others: nothing comes back here by itself, and nothing says so.
      await tabs[0]
        ?.getByRole("alert")
        .getByText("Open the address that tandem view printed this time.")
        .first()
        .waitFor();
      expect(await tabs[0]?.getByText("comes back by itself").count()).toBe(0);
      for (const tab of tabs) {
        await tab.goto(second.url);
        await tab.getByRole("link", { name: /two, run of / }).click();
      }
      seen.resolve();
      await ended;
      for (const tab of tabs) await tab.getByRole("tab", { name: /^Rows/ }).waitFor({ timeout: 60_000 });
      // A comparison that was opened is opened again when it is asked about.
      await tabs[0]?.getByRole("combobox", { name: "Search in" }).fill("किताब");
      await expect.poll(() => tabs[0]?.getByRole("status").allTextContents()).toContain("1 row of 6");
      await context.close();
    },
  );

  slowTest("edits a score for a reason, compares again, and shows the mark", async () => {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.getByRole("link", { name: /two, run of / }).click();
    await page.locator("[data-row='0']").click();
    const bar = page.getByRole("region", { name: "Judge this row" });
    await bar.getByText("Judging test").waitFor();
    await bar.getByLabel("About").selectOption({ label: "edit the score correct" });
    await bar.getByRole("button", { name: "Good" }).click();
    await bar.getByText("A score is edited by somebody, for a reason").waitFor();
    expect(tandem.query("SELECT label FROM label")).toEqual([]);
    await bar.getByLabel("Note").fill("ठीक है <b>");
    await bar.getByLabel("By").fill("Ada");
    await bar.getByRole("button", { name: "Good" }).click();
    await page.getByRole("button", { name: "Compare again with the edited scores" }).click();
    await page
      .getByText(/edited by\s*Ada/)
      .first()
      .waitFor();
    await page.locator(".grades").getByText("ठीक है <b>").waitFor();
    expect(tandem.query("SELECT label, note, author, edits FROM label")).toEqual([
      { label: "good", note: "ठीक है <b>", author: "Ada", edits: 1 },
    ]);
    expect(complaints).toEqual([]);
  });

  slowTest("compares two whole batches that were picked, and shows a suite over time", async () => {
    const { tandem } = await endedBatch();
    await tandem.run("run", "suite.yaml");
    await tandem.run("pin", "two~1", "--as", "release");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.getByText("Pins (1)").click();
    await page.getByLabel("Compare release").check();
    await page
      .getByLabel(/^Compare two, run of /)
      .first()
      .check();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("tab", { name: /^Rows/ }).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(
      /^(prod|test) against release:\1: Both bots pass 0 of 6, so correct/,
    );
    const heads = await headNames(page);
    expect(heads.slice(1, 3).join(" ")).toMatch(/^release:(prod|test)baseline \1$/);
    await page.getByRole("link", { name: "Home" }).click();
    await page
      .getByRole("link", { name: /two, run of / })
      .first()
      .click();
    await page.getByPlaceholder("Pin as ...").fill("release");
    await page.keyboard.press("Enter");
    const said = page.locator(".pin [role=status]");
    await expect.poll(() => said.textContent()).toMatch(/already a pin "release": it names two-/);
    expect(await said.textContent()).not.toContain("--");
    await page.getByRole("button", { name: "Pin this one instead" }).click();
    await expect.poll(() => said.textContent()).toContain("Pinned");
    await page.getByRole("tab", { name: /^Rows/ }).click();
    const download = page.waitForEvent("download");
    await page.getByText("Export", { exact: true }).click();
    await page.getByRole("link", { name: /^Runs of two-.* as CSV$/ }).click();
    expect((await download).suggestedFilename()).toBe("runs.csv");
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByTitle("two over time").first().click();
    await page.getByRole("heading", { name: "Over past batches" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const bar = page.getByRole("region", { name: "Judge this row" });
    // An open row of two nights calls each side as people do.
    await page.goto(new URL("#side=two~1:prod&side=two:prod&row=en-1", page.url()).href);
    await bar.waitFor();
    await page.locator(".detail").getByText("has these words").first().waitFor();
    expect(await page.locator(".detail").innerText()).not.toMatch(/two-\d/);
    // Rows of two reports have the same keys: what is judged in one stands in that one.
    const openRow = async (place: "first" | "last"): Promise<void> => {
      await page.goto(new URL("#", page.url()).href);
      const links = page.getByRole("link", { name: /two, run of / });
      await links[place]().click();
      await page.locator(".row", { hasText: "en-1" }).locator("[data-row]").click();
    };
    await openRow("first");
    await bar.getByLabel("Note").fill("begun");
    await bar.getByRole("button", { name: "Bad" }).click();
    await bar.getByText(/^Kept: /).waitFor();
    await bar.getByLabel("Note").fill("begun again");
    await page.locator(".row.open", { hasText: "labelled bad" }).waitFor();
    await openRow("last");
    expect(await page.locator(".judged").count()).toBe(0);
    expect(await bar.getByRole("status").textContent()).toBe("");
    expect(await bar.getByLabel("Note").inputValue()).toBe("");
    await bar.getByRole("button", { name: "Undo" }).click();
    await bar.getByText("There is nothing to undo.").waitFor();
    expect(tandem.query("SELECT label, note FROM label")).toEqual([{ label: "bad", note: "begun" }]);
    // The browser's own word of the name that was taken.
    expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  test("opens a pinned night after rows of its sheet were replaced or asked something else, and two suites side by side", async () => {
    const tandem = new Tandem();
    const run = async (suite: string, ...rows: string[]): Promise<unknown> => {
      const text = `name: ${suite}
dataset: ${suite}.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { bot: { answers: bot, endpoint: video-bots } }
scorers: [{ name: correct, type: contains, primary: true }]
reports: [terminal]
`;
      const lines = rows.map((row) => `${row},blue,It is blue.`);
      tandem.file(`${suite}.yaml`, text).file(`${suite}.csv`, ["id,question,golden,bot", ...lines].join("\n"));
      return await tandem.run("run", `${suite}.yaml`, "--quiet");
    };
    await run("sky", "a,Sky?", "b,Sea?", "c,Eyes?");
    await tandem.run("pin", "latest", "--as", "before");
    await run("sky", "d,Ink?", "a,Sky?", "b,The sea?");
    await run("ink", "x,Ink?", "a,Sky?");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page
      .getByRole("link", { name: /sky, run of / })
      .first()
      .waitFor();
    const rows = async (address: string): Promise<string[]> => {
      await page.goto(new URL(address, page.url()).href);
      await page.locator("[data-row]").nth(3).waitFor();
      return (await page.locator(".question .key").allTextContents()).toSorted();
    };
    expect(await rows("#batch=sky&against=before")).toEqual(["a", "b", "c", "d"]);
    const first = page.getByRole("navigation", { name: "Where this is" }).getByText("the first run of this suite");
    expect(await first.count()).toBe(0);
    // What the compare bar leads to for nights of two suites.
    expect(await rows("#batch=latest&against=sky")).toEqual(["a", "b", "d", "x"]);
    expect(await first.count()).toBe(0);
    await page.goto(new URL("#batch=latest", page.url()).href);
    await first.waitFor();
    expect(complaints).toEqual([]);
  });

  test("a turn leads to the rows of its own conversation, and to those of them that nobody labelled", async () => {
    const turns = Array.from({ length: 12 }, (_, place) =>
      [1, 2].map((turn) => `k${place + 1}-${turn},c-${place + 1},${turn},Question ${turn}?,Answer ${turn}.`),
    );
    const tandem = new Tandem().file("talks.csv", ["id,talk,turn,question,bot", ...turns.flat()].join("\n")).file(
      "talks.yaml",
      `dataset: talks.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
targets: { bot: { answers: bot, endpoint: video-bots } }
reports: [terminal]
`,
    );
    await tandem.run("run", "talks.yaml", "--quiet");
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.goto(new URL("#batch=latest&row=k1-2&labelled=no", page.url()).href);
    await page.getByRole("button", { name: "c-1", exact: true }).click();
    const keys = (): Promise<string[]> => page.locator(".question .key").allTextContents();
    await expect.poll(keys).toEqual(["k1-1", "k1-2"]);
    await page.getByRole("button", { name: /^conversation c-1 2/ }).waitFor();
    await page.locator("[data-row='0']").click();
    await page.getByRole("region", { name: "Judge this row" }).getByRole("button", { name: "Good" }).click();
    await page.locator(".row.open").getByText("labelled good").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Labels").selectOption("no");
    await expect.poll(keys).toEqual(["k1-2"]);
    await page.getByRole("button", { name: /^conversation c-1 1/ }).click();
    await page.getByRole("status").getByText("23 rows of 24").waitFor();
    expect(complaints).toEqual([]);
  });

  slowTest("compares two targets that were picked", async () => {
    const { tandem } = await endedBatch();
    const { url } = await startView(tandem);
    const { page } = await openPage(browser, { width: 1280, height: 420 });
    await page.goto(url);
    // A count at home leads to the rows that it counts, and Back to where home was scrolled.
    const count = page.locator(".suite-line").getByRole("link", { name: "1", exact: true });
    await count.waitFor();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const scrolled = await page.evaluate("scrollY");
    expect(scrolled).toBeGreaterThan(0);
    await count.dispatchEvent("click");
    await expect.poll(() => page.locator(".question .key").allTextContents()).toEqual(["emoji-1"]);
    await expect.poll(async () => (await page.locator("[data-row]").boundingBox())?.y).toBeLessThan(420);
    await page.goBack();
    await expect.poll(() => page.evaluate("scrollY")).toBe(scrolled);
    await page.getByLabel(/^Compare two, run of /).check();
    await page.getByRole("button", { name: "compare two of its targets" }).click();
    await page.getByRole("button", { name: "Swap" }).click();
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("tab", { name: /^Rows/ }).waitFor();
    // Picked the other way round, what was worse is better.
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(
      /^Both bots|^test passes 0 of 6 and prod 6/,
    );
    // A viewer that stops says so over the open report, and comes back by itself.
    await page.route("**/api/**", (route) => route.abort());
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const bar = page.locator(".lost-bar");
    await bar.getByRole("alert").getByText("is tandem view still running?").waitFor();
    expect(await bar.textContent()).toMatch(/If so, this page comes back by itself; .+ What is shown is of .+\.$/);
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    await page.unroute("**/api/**");
    await bar.waitFor({ state: "detached" });
    // A batch of one of its targets shows that one as every other page does, and leads to a comparison with the last.
    await tandem.run("run", "suite.yaml", "--target", "test");
    await page.goto(new URL("#batch=latest", page.url()).href);
    await page.getByRole("link", { name: /^Compare with the run of / }).click();
    await page.getByRole("heading", { level: 1, name: /are too few to tell|^test is|cannot tell/ }).waitFor();
    await page.goBack();
    expect(await page.locator(".table-head svg.target-mark").getAttribute("class")).toContain("target-1");
  });
});
