import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportSummary } from "../../src/report/shape/model.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "./browser.ts";
import { openMore, openReport } from "./open-report.ts";

const rows = [...syntheticRows(60)];
const given = syntheticSummary(60);
const targets = given.targets.map(({ name }) => name);
const key = rows[4]?.key ?? "";

/** A report in which the first target stands out in one value of a tag, and a row passes with none. */
const summary: ReportSummary = {
  ...given,
  choice: {
    metric: given.metrics[0]?.name ?? "",
    expected: null,
    set: targets,
    named: null,
    ahead: null,
    lead: null,
    level: { set: 0.05, name: 0.025 },
    intervals: targets.map((target, at) => ({
      target,
      cost: null,
      costRange: null,
      time: null,
      timeRange: null,
      mean: 0.9 - at / 10,
      lower: -0.1,
      upper: 0.1,
      range: { lower: 0.8 - at / 10, upper: 1 - at / 10 },
    })),
    fronts: [],
    ranks: [],
    alike: [],
    cases: 60,
    clusters: 60,
    left: [],
    open: null,
    casesNeeded: null,
    nobody: { cases: 1, first: [{ key, row: 6, question: "Which question?" }] },
    disputed: [{ key, row: 6, question: "Which question?", scores: targets.map((_, at) => at % 2) }],
    slices: {
      across: null,
      columns: targets,
      left: 0,
      lines: [
        {
          slice: { tag: "topic", value: "billing" },
          cells: targets.map((_, at) => ({
            cases: 20,
            mean: at === 0 ? 0.98 : 0.7,
            difference: at === 0 ? 0.28 : -0.28,
            p: at < 2 ? 0.001 : null,
            mark: at === 0 ? ("better" as const) : at === 1 ? ("worse" as const) : null,
          })),
        },
      ],
    },
  },
};

/** The same with what each costs, the dearest first. */
const priced: ReportSummary = {
  ...summary,
  ...(summary.choice !== undefined && {
    choice: {
      ...summary.choice,
      intervals: summary.choice.intervals.map((each, at) => ({ ...each, cost: targets.length - at })),
      fronts: [
        {
          by: "cost",
          targets: targets.map((target) => ({ target, state: "yes", beatenBy: null })),
          line: targets.toReversed(),
        },
      ],
    },
  }),
};

const narrow = { width: 390, height: 800 };

describe.skipIf(chromiumPath === undefined)(`beside a choice, a page ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("shows where each is good by figures and marks, and never by a colour alone", async () => {
    const { page, complaints } = await openReport(browser, { rows, summary });
    await openMore(page);
    const map = page.getByRole("group", { name: "Where each is good" });
    const cells = await map.locator("tbody td").allTextContents();
    expect(cells.slice(1, 3)).toEqual(["98 % ▲", "70 % ▼"]);
    expect(await map.getByRole("columnheader").allTextContents()).toEqual(["Rows with", "Rows", ...targets]);
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("opens the row on which they disagree, with the keyboard too", async () => {
    const { page } = await openReport(browser, { rows, summary });
    await openMore(page);
    const found = page.getByRole("group", { name: "Where they disagree most" });
    await found.getByRole("button", { name: "Which question?" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("row")).toBe(key);
  });

  test("draws score against cost, beside a table with the same figures", async () => {
    const { page, complaints } = await openReport(browser, { rows, summary: priced });
    await openMore(page);
    const picture = page.getByRole("img", { name: /against cost of a run/ });
    expect(await picture.locator("title").allTextContents()).toEqual(
      targets.toReversed().map((target) => expect.stringContaining(`${target}: `)),
    );
    await page
      .getByRole("group", { name: "Choice" })
      .getByRole("columnheader", { name: "Cost", exact: true })
      .waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("is legible on a telephone in the dark: the map scrolls in its place, and the page does not", async () => {
    const { page } = await openReport(browser, { rows, summary, size: narrow });
    await openMore(page);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await widthBeyond(page)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(page, { coloursAlone: true })).toEqual([]);
  });
});

const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
