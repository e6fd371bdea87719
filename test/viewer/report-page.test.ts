import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import { slowTest } from "../often.ts";
import { htmlOf, reportFile } from "../report/html-file.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPageAgain, withoutBrowser } from "./browser.ts";
import { chooseTags } from "./open-report.ts";

describe.skipIf(chromiumPath === undefined)(`the page of a report ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  /** A report of so many rows, opened from disk. */
  async function opened(count = 400, hash = "", size = { width: 1280, height: 800 }) {
    const rows = [...syntheticRows(count)];
    const { page, complaints } = await openPageAgain(browser, size);
    await page.goto(`${await reportFile(rows, syntheticSummary(count))}${hash}`);
    await page
      .getByText(new RegExp(`^${count} rows`))
      .or(page.locator(".detail"))
      .first()
      .waitFor();
    return { page, complaints, rows };
  }

  const found = async (page: Page): Promise<string> => (await page.getByRole("status").first().textContent()) ?? "";
  const firstKey = async (page: Page): Promise<string> =>
    (await page.locator(".row:has([data-row='0']) .key").textContent()) ?? "";

  test("opens from disk with the verdict on top, asks nobody for anything, and draws only the rows in sight", async () => {
    const { page, complaints } = await opened();
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).textContent())
      .toBe("test is worse on correct: 81 % → 74 %");
    expect(await page.getByRole("img", { name: /Difference -7.1 points, range from -11.1/ }).count()).toBe(1);
    expect(await page.locator("[data-row]").count()).toBeLessThan(60);
    // What stands there without scripts has given way.
    expect(await page.getByRole("main").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("shows result and rows where a policy forbids scripts, as for artifacts of Jenkins", async () => {
    const { page } = await openPageAgain(browser, { width: 390, height: 844 });
    const summary = syntheticSummary(60);
    const body = await htmlOf([...syntheticRows(60)], summary);
    const headers = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" };
    await page.route("**/report.html", (route) => route.fulfill({ body, headers, contentType: "text/html" }));
    await page.goto("http://127.0.0.1:9/report.html");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(summary.verdict.sentence);
    expect(await page.getByText("Opening the report").isVisible()).toBe(false);
    await page.locator("summary").filter({ hasText: "row" }).nth(1).click();
    await page.getByRole("heading", { name: "Asked" }).nth(1).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.unrouteAll();
  });

  test("names in the next step stand without backticks", async () => {
    const next: ReportSummary["next"] = {
      step: { kind: "fill", column: "new", file: "sheet.csv", first: [], rows: 3 },
      commands: [["tandem", "run", "suite.yaml"]],
    };
    const { page } = await openPageAgain(browser, { width: 390, height: 844 });
    await page.goto(await reportFile([...syntheticRows(1)], { ...syntheticSummary(1), next }));
    expect(await page.locator(".next").textContent()).toMatch(
      /^Next: {1,2}fill column new of sheet.csv, then run it again: tandem run suite.yaml/,
    );
  });

  slowTest("filters, sorts and searches all rows, in every script", async () => {
    const { page, rows } = await opened();
    const worse = rows.filter(({ changes }) => changes[0]?.trend === "worse").length;
    await page.getByRole("button", { name: /^Worse/ }).click();
    await expect.poll(() => found(page)).toBe(`${worse} rows of 400`);
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByLabel("Order").selectOption("place");
    await expect.poll(() => firstKey(page)).toBe(rows[0]?.key);
    for (const [word, language] of [
      ["कार्ड", "hi"],
      ["بطاقتك", "ar"],
      ["👨‍👩‍👧‍👦", "emoji"],
    ] as const) {
      await page.getByRole("combobox", { name: "Search in" }).fill(word);
      const holding = rows.filter((row) => JSON.stringify(row).includes(word));
      await expect.poll(() => found(page)).toBe(`${holding.length} rows of 400`);
      expect(new Set(holding.map(({ tags }) => tags["language"]))).toEqual(new Set([language]));
    }
    await page.getByRole("combobox", { name: "Search in" }).fill("");
    await chooseTags(page, "language", "ar");
    const arabic = rows.filter(({ tags }) => tags["language"] === "ar").length;
    await expect.poll(() => found(page)).toBe(`${arabic} rows of 400`);
  });

  slowTest("a link leads to a row whatever stands in its key, and Back leads away from it", async () => {
    const [row, ...others] = syntheticRows(20);
    if (row === undefined) throw new Error("no row");
    const key = 'a&b=c #1/%20 "naïve" किताब 👍🏽\nnext';
    const { page } = await openPageAgain(browser);
    const address = await reportFile([{ ...row, key }, ...others], syntheticSummary(20));
    await page.goto(`${address}#${new URLSearchParams({ row: key, target: "test" }).toString()}`);
    await expect.poll(() => page.locator(".detail .key").textContent()).toBe(key);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("combobox", { name: "Search in" }).fill("naïve");
    await expect.poll(() => found(page)).toBe("1 row of 20");
    await page.locator("[data-row='0']").click();
    await expect.poll(() => page.locator(".detail .key").textContent()).toBe(key);
    await page.goBack();
    await expect.poll(() => page.locator(".detail").count()).toBe(0);
  });

  test("shows both answers of a row with the words that differ, and keeps both texts whole", async () => {
    const { page, rows } = await opened();
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("button", { name: /^Changed more than/ }).click();
    await page.getByLabel("Order").selectOption("distance");
    await page.locator("[data-row='0']").click();
    const key = await page.locator(".detail .key").textContent();
    const row = rows.find((each) => each.key === key);
    const said = await page.locator(".said").allTextContents();
    expect(said).toEqual(row?.sides.map(({ runs }) => runs[0]?.answer));
    expect(await page.locator(".said del").count()).toBeGreaterThan(0);
    expect(await page.locator(".said ins").count()).toBeGreaterThan(0);
  });

  slowTest("is used by keys alone: j and k, Enter, Esc, / and ?", async () => {
    const height = 400;
    const { page } = await opened(400, "", { width: 1280, height });
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const focused = (): Promise<string | null> => page.locator(":focus").getAttribute("data-row");
    await expect.poll(focused).toMatch(/^\d+$/);
    await page.keyboard.press("Enter");
    // While a row is read, its key stands for its title.
    await page.locator(".detail-body").waitFor();
    const first = await page.locator("#row-title").textContent();
    const steps = await page.evaluate("history.length");
    // Far enough that the line where it began is not drawn any more.
    for (let times = 0; times < 14; times++) await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect.poll(() => page.locator("#row-title").textContent()).not.toBe(first);
    await page.locator(".detail-body").waitFor();
    const last = await page.locator("#row-title").textContent();
    expect(await page.evaluate("history.length")).toBe(steps);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".detail").count()).toBe(0);
    // The list stands at the row that was looked at last, and goes on from there.
    await expect.poll(() => page.locator(":focus").textContent()).toBe(last);
    const { y = 0 } = (await page.locator(":focus").boundingBox()) ?? {};
    expect([y > 0, y < height]).toEqual([true, true]);
    const at = Number(await focused());
    await page.keyboard.press("j");
    await expect.poll(focused).toBe(String(at + 1));
    await page.keyboard.press("Enter");
    for (let times = 0; times < 14; times++) await page.keyboard.press("k");
    await expect.poll(() => page.locator("#row-title").textContent()).toBe(first);
    await page.goBack();
    await expect.poll(() => page.locator(":focus").textContent()).toBe(first);
    await page.keyboard.press("/");
    expect(await page.locator(":focus").getAttribute("id")).toBe("search");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
  });

  test("runs that may have been paid without a record, or twice, stand beside the verdict", async () => {
    const { page } = await openPageAgain(browser);
    const paid = { possiblyPaid: 36, possiblyPaidTwice: { cases: 72, judges: 2 } };
    await page.goto(await reportFile([...syntheticRows(1)], { ...syntheticSummary(20), ...paid }));
    const lines = page.locator(".details p", { hasText: "Possibly paid" });
    await lines.first().waitFor();
    expect(await lines.allTextContents()).toEqual([
      "paid Possibly paid without a record: 36 jobs",
      "paid Possibly paid twice: 74 requests, sent again for such jobs (2 of them to judges)",
    ]);
    await page.goto(await reportFile([...syntheticRows(1)], syntheticSummary(20)));
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await lines.count()).toBe(0);
  });

  test("what bots say stays text: no script runs, no address is asked for, no link but http and https", async () => {
    const { page, complaints } = await openPageAgain(browser);
    const address = await reportFile([hostileRow()], hostileSummary());
    await page.goto(address);
    for (const view of ["About this batch", "Rows"]) await page.getByRole("tab", { name: view }).click();
    await page.locator("[data-row='0']").click();
    await page.locator(".detail-body").waitFor();
    for (const summary of await page.locator(".detail summary").all()) await summary.click();
    expect(await page.evaluate(() => ("ran" in globalThis ? "a script ran" : "nothing ran"))).toBe("nothing ran");
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.filter((link) => link !== null && !/^(?:https?:|#)/.test(link))).toEqual([]);
    expect(
      await page.locator("#app img, #app iframe, #app script, #app form:not(.pin, .bound-form), #app audio").count(),
    ).toBe(0);
    expect(await page.locator(".said").first().textContent()).toContain("<img src=x");
    expect(complaints).toEqual([]);
  });

  test.each([["light", 1280]] as const)(
    "has no serious fault for people with other senses (%s, %i pixels)",
    hasNoFault,
  );
  slowTest.each([
    ["dark", 1280],
    ["light", 360],
  ] as const)("has no serious fault for people with other senses (%s, %i pixels)", hasNoFault);

  async function hasNoFault(colours: "light" | "dark", width: number): Promise<void> {
    const { page } = await opened(60, "", { width, height: 800 });
    await page.emulateMedia({ colorScheme: colours });
    // In the dark the same elements stand at the same places.
    const coloursAlone = colours === "dark";
    for (const view of ["About this batch", "Rows"]) {
      await page.getByRole("tab", { name: view }).click();
      expect(await seriousFaults(page, { coloursAlone })).toEqual([]);
    }
    await page.locator("[data-row='0']").click();
    await page.locator(".detail-body").waitFor();
    expect(await seriousFaults(page, { coloursAlone })).toEqual([]);
  }

  slowTest("fits a screen of 360 pixels without scrolling sideways", async () => {
    const { page } = await opened(60, "", { width: 360, height: 740 });
    const sideways = (): Promise<number> => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    for (const view of ["About this batch", "Rows"]) {
      await page.getByRole("tab", { name: view }).click();
      expect(await sideways()).toBeLessThanOrEqual(0);
    }
  });

  test("a report that was cut off says so", async () => {
    const { page } = await openPageAgain(browser);
    const [row] = syntheticRows(1);
    const address = await reportFile(row === undefined ? [] : [row], syntheticSummary(1));
    await page.goto(address);
    const html = (await page.content()).replace(/(id="data">\s*)[\s\S]*?(<\/script>)/, "$1$2");
    await page.setContent(html);
    await expect.poll(() => page.getByRole("heading", { name: "This report cannot be shown" }).count()).toBe(1);
  });
});

const hostile = [
  '<img src=x onerror="globalThis.ran = 1">',
  "</script><script>globalThis.ran = 1</script>",
  "<svg onload='globalThis.ran = 1'>",
  '<!--tandem:data--><iframe src="https://example.org/"></iframe>',
  "\u001B]8;;javascript:alert(1)\u0007\u001B[31mred",
  '=HYPERLINK("http://example.org")',
  "\u202Etxet sdrawkcab",
].join(" ");

/** A row in which every text is hostile. */
function hostileRow(): ReportRow {
  const [row] = syntheticRows(1);
  const run = row?.sides[0]?.runs[0];
  if (row === undefined || run === undefined) throw new Error("no row");
  const bad = "javascript:globalThis.ran=1";
  const side = {
    scores: [{ value: 0, passes: 0, runs: 1 }, null],
    runs: [
      {
        ...run,
        answer: hostile,
        error: hostile,
        url: bad,
        runId: hostile,
        scores: [{ value: 0, pass: false, reason: hostile }, null],
        extras: {
          references: [
            { url: bad, title: hostile, snippet: hostile, score: 1 },
            { url: "data:text/html,<script>globalThis.ran=1</script>", title: null, snippet: null, score: null },
            { url: "  JavaScript:globalThis.ran=1", title: "x", snippet: null, score: null },
          ],
          audio: [bad, "file:///etc/passwd"],
          logs: [{ level: hostile, message: hostile }],
          buttons: [hostile],
          searchQuery: hostile,
          finishReason: hostile,
          functionError: hostile,
        },
      },
    ],
  };
  return {
    ...row,
    key: hostile,
    tags: { [hostile]: hostile, ["__proto__"]: hostile },
    input: [{ field: hostile, text: hostile }],
    expected: hostile,
    cluster: hostile,
    columns: { [hostile]: hostile },
    sides: [side, side],
    changes: row.changes.map((change) => ({
      ...change,
      kind: "changed",
      members: [{ path: hostile, baseline: hostile, candidate: hostile }],
    })),
  };
}

function hostileSummary() {
  const summary = syntheticSummary(1);
  return {
    ...summary,
    suite: hostile,
    batch: hostile,
    reason: hostile,
    verdict: { ...summary.verdict, sentence: hostile, details: [hostile] },
    notes: [hostile],
    validity: { state: "invalid" as const, checks: [{ ok: false, text: hostile }] },
    gates: summary.gates.map((gate) => ({ ...gate, advice: hostile, method: hostile })),
    members: summary.members.map((member) => ({ ...member, path: hostile, about: hostile })),
    slices: summary.slices.map((slice) => ({ ...slice, tag: hostile, value: hostile })),
    tags: { [hostile]: [{ value: hostile, cases: 1 }] },
  };
}
