import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GateState, VerdictWord } from "../../src/compare/verdict-word.ts";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import { slowTest } from "../often.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { seriousFaults } from "./accessibility.ts";
import { headNames } from "./head-names.ts";
import { chromiumPath, openBrowser, withoutBrowser } from "./browser.ts";
import { openMore, openReport } from "./open-report.ts";

const laptop = { width: 1280, height: 720 };

const plain = syntheticSummary(60);
const [topic] = plain.slices.slice(-1);

/** The same with a place that is surely worse. */
const withPlace: typeof plain = {
  ...plain,
  findings: {
    ...plain.findings,
    facts: [
      {
        kind: "where",
        candidate: topic?.candidate ?? "",
        isOther: false,
        metric: topic?.metric ?? "",
        places: [
          {
            tag: topic?.tag ?? "",
            value: topic?.value ?? "",
            and: null,
            rows: topic?.cases ?? 0,
            worse: topic?.worse ?? 0,
            flips: true,
            difference: null,
          },
        ],
        rest: { rows: 48, worse: 12, better: 0 },
      },
    ],
  },
};

describe.skipIf(chromiumPath === undefined)(`the first screen of a report ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("says on a laptop, without scrolling: is it fine, are the data complete, how sure, what changed, which rows", async () => {
    const { page } = await openReport(browser, { size: laptop, summary: withPlace });
    const isInSight = async (part: Locator): Promise<boolean> => {
      const box = await part.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= laptop.height;
    };
    for (const part of [
      page.getByRole("heading", { level: 1 }),
      page.getByRole("button", { name: "Look at the 14 rows that got worse" }),
      page.getByRole("heading", { name: "The data are complete" }),
      page.getByRole("img", { name: /^Difference -7.1 points/ }),
      page.locator(".details").getByRole("button", { name: /rows worse$/ }),
      page.locator("[data-row='0']"),
    ])
      expect(await isInSight(part), String(part)).toBe(true);
    // Whatever else explains the result is one click away, so that rows stand on the first screen.
    expect((await page.locator("[data-row='0']").boundingBox())?.y).toBeLessThan(600);
    expect(await page.getByRole("heading", { name: "Behaviour changed?" }).isVisible()).toBe(false);
    await openMore(page);
    await page.getByRole("heading", { name: "Behaviour changed?" }).waitFor();
  });

  test("leads from what it counts to the rows, and to all that got worse", async () => {
    const { page, rows } = await openReport(browser, { size: laptop, summary: withPlace });
    await openMore(page);
    await page.getByText("Output fields that changed").first().click();
    await page.getByRole("group", { name: "Output fields that changed" }).getByRole("button").first().click();
    await expect.poll(() => page.url()).toContain("q=among%3Afield");
    await page
      .locator(".details")
      .getByRole("button", { name: /rows worse$/ })
      .click();
    await expect.poll(() => page.url()).toContain("q=topic%3D%3D");
    const worse = rows.filter(({ changes }) => changes[0]?.trend === "worse").length;
    // A second way to the same rows would only make a reader compare the two.
    expect(await page.getByRole("button", { name: /that got worse/ }).count()).toBe(1);
    const button = page.getByRole("button", { name: `Look at the ${worse} rows that got worse` });
    await button.click();
    await expect.poll(() => page.getByRole("status").first().textContent()).toBe(`${worse} rows of 60`);
    // However few rows there are, they come to the top of the window.
    await page.setViewportSize({ width: laptop.width, height: 2400 });
    await page.evaluate("scrollTo(0, 0)");
    await button.click();
    const tabsAt = async (): Promise<number> => (await page.locator("#tabs").boundingBox())?.y ?? Infinity;
    await expect.poll(tabsAt).toBeLessThan(2);
  });

  slowTest("of several candidates is about the one of the verdict, and about another that is chosen", async () => {
    const { rows, summary } = severalCandidates();
    const { page, complaints } = await openReport(browser, { rows, summary, size: laptop });
    const states = page.getByRole("group", { name: "Result" }).locator("tbody .state");
    await expect.poll(() => states.allTextContents()).toEqual(["▼ Regression", "✓ Pass", "✓ Pass", "? Too few rows"]);
    const choice = page.getByLabel("Candidate");
    expect(await choice.inputValue()).toBe("third");
    expect((await headNames(page)).slice(1, 3)).toEqual(["prodbaseline", "third"]);
    await choice.selectOption("first");
    await expect.poll(async () => (await headNames(page)).slice(1, 3)).toEqual(["prodbaseline", "first"]);
    expect(page.url()).toContain("target=first");
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("says once why the data of a comparison are not complete, and names each error once in place of its rows", async () => {
    const reason = "test gave no answer in 31 of 60 rows (51.7 %, at most 5 % may be without one).";
    const summary = syntheticSummary(60);
    const { page } = await openReport(browser, {
      size: laptop,
      summary: {
        ...summary,
        verdict: {
          state: "invalid",
          word: "invalid",
          claim: "none",
          metric: null,
          sentence: `${reason} The data are not complete, so nothing is decided`,
        },
        findings: {
          ...summary.findings,
          headline: { kind: "invalid", word: "invalid", why: reason, quotes: false },
          facts: [],
        },
        next: {
          step: { kind: "find-out", target: "test", runs: null },
          commands: [["tandem", "run", "suite.yaml", "--noise-repeats", "2"]],
        },
        targets: summary.targets.map((target, place) => ({
          ...target,
          errors: place === 0 ? [] : [{ outcome: "run-failed", message: "overloaded", jobs: 31, example: "k1" }],
        })),
        validity: { state: "invalid", checks: [{ ok: false, text: reason }] },
        gates: summary.gates.map((gate) => ({ ...gate, state: "invalid" as const, advice: reason })),
      },
    });
    const reported = await page.getByText("no answer in 31 of 60 rows").filter({ visible: true }).all();
    expect(reported.length).toBe(1);
    await page.getByRole("heading", { name: "Without an answer" }).waitFor();
    expect(await page.locator(".missing li").allTextContents()).toEqual([
      "31 × test, run-failed: overloaded (such as k1)",
    ]);
    // The verdict says it once, for its gates too.
    expect(await page.locator(".state.invalid").count()).toBe(1);
    const [flag, error] = [page.getByText("--noise-repeats 2", { exact: true }), page.locator(".missing .link")];
    for (let width = 350; width < 400; width += 5) {
      await page.setViewportSize({ width, height: 800 });
      expect(await flag.evaluate((own) => own.getClientRects().length), `${width}`).toBe(1);
      expect(await error.evaluate((own) => own.getBoundingClientRect().right), `${width}`).toBeLessThanOrEqual(width);
    }
    // No colour speaks of a decision that is none.
    expect(await page.locator("#rows .mark", { hasText: "worse" }).count()).toBe(0);
    await page.locator("#panel").getByText("worse and better do not count here").waitFor();
    expect(await page.locator(".mark.worse, .mark.better, .of-worse, .of-better, .is-worse, .is-better").count()).toBe(
      0,
    );
    await page.getByRole("button", { name: "run-failed: overloaded" }).click();
    await expect.poll(() => page.url()).toContain("q=among%3Aerror");
  });

  test("with one target has no comparison, and its rows at once", async () => {
    const { rows, summary } = oneTarget();
    const { page, complaints } = await openReport(browser, { rows, summary, size: laptop });
    expect(await page.locator("[data-row='0']").isVisible()).toBe(true);
    const list = await page.locator("[data-row='0']").boundingBox();
    expect(list?.y).toBeLessThan(laptop.height);
    await page.getByText("Where its score is lowest").click();
    await page.getByRole("button", { name: "topic = opening hours" }).waitFor();
    const line = page.locator("[data-row='0']").locator("xpath=ancestor::*[@role='row']");
    // The time alone: an answer may hold a number and a letter too.
    const time = line.locator(".side-head").getByText(/^\d[\d.]* (?:ms|s)$/);
    expect(await time.count()).toBe(0);
    await page.getByRole("button", { name: "topic = cards" }).click();
    await expect.poll(() => page.url()).toContain("q=topic%3D%3D");
    await page.getByLabel("Order").selectOption("slow");
    await expect.poll(() => time.count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.getByRole("button", { name: /^Worse/ }).count()).toBe(0);
    await page.getByRole("tab", { name: "About this batch" }).click();
    await page.locator("#panel").getByRole("columnheader", { name: "Median time" }).waitFor();
    expect(complaints).toEqual([]);
  });

  slowTest("says since when a target is lower", async () => {
    const summary = syntheticSummary(60);
    const day = "2026-11-17";
    const { batch = "" } = summary.past.find((each) => each.day === day) ?? {};
    const night = { batch, startedAt: "2026-11-17T05:12:00.000Z", day, time: null };
    const sentence = "`correct` of test has been lower since the run of 17 November: 79 % before, 70 % since.";
    const alarm = { target: "test", thing: "metric", metric: "correct", state: "new", direction: "lower" } as const;
    const dates = { changed: night, earliest: night, latest: night, noticed: night, until: null };
    const alarms = [{ ...alarm, isWorse: true, before: 0.79, since: 0.7, ...dates, sentence }];
    const past = summary.past.map((each) => ({ ...each, noticed: each.day === night.day ? [sentence] : [] }));
    const { page } = await openReport(browser, { summary: { ...summary, alarms, past } });
    await page
      .locator(".details", { hasText: "correct of test has been lower since the run of 17 November" })
      .waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  slowTest("on paper has no controls, and every row of the filter", async () => {
    const { page } = await openReport(browser, { rows: [...syntheticRows(90)] });
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await expect.poll(() => page.locator("[data-row]").count()).toBe(90);
    for (const control of [
      page.getByRole("combobox", { name: "Search in" }),
      page.getByRole("tab", { name: "About this batch" }),
    ])
      expect(await control.isVisible()).toBe(false);
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
  });
});

/** Three candidates of which the last is the one that got worse. */
function severalCandidates(): { rows: ReportRow[]; summary: ReportSummary } {
  const names = ["first", "second", "third"];
  const summary = syntheticSummary(60);
  const [gate] = summary.gates;
  const [prod, other] = summary.targets;
  if (gate === undefined || prod === undefined || other === undefined) throw new Error("no gate or no target");
  const states: Record<string, GateState[]> = {
    first: ["pass"],
    second: ["pass", "inconclusive"],
    third: ["regression"],
  };
  const words: Record<string, VerdictWord> = { first: "pass", second: "too-few-cases", third: "regression" };
  return {
    rows: [...syntheticRows(60)].map((row) => ({
      ...row,
      sides: [...row.sides, ...row.sides.slice(1), ...row.sides.slice(1)],
      changes: names.flatMap((candidate) => row.changes.map((change) => ({ ...change, candidate }))),
    })),
    summary: {
      ...summary,
      candidates: names,
      pairs: names.map((candidate) => ({
        baseline: "prod",
        candidate,
        word: words[candidate] ?? null,
        claim: "none" as const,
      })),
      targets: [prod, ...names.map((name) => ({ ...other, name }))],
      gates: names.flatMap((candidate) =>
        (states[candidate] ?? []).map((state, index) => ({
          ...gate,
          candidate,
          state,
          word: state === "inconclusive" ? ("too-few-cases" as const) : state,
          metric: summary.metrics[index]?.name ?? "",
        })),
      ),
    },
  };
}

function oneTarget(): { rows: ReportRow[]; summary: ReportSummary } {
  const summary = syntheticSummary(60);
  return {
    rows: [...syntheticRows(60)].map((row) => ({ ...row, sides: row.sides.slice(0, 1), changes: [] })),
    summary: {
      ...summary,
      verdict: {
        state: "none",
        word: null,
        claim: "none",
        metric: null,
        sentence: "prod answered 60 of 60 jobs",
      },
      baseline: null,
      candidates: [],
      pairs: [],
      targets: summary.targets.slice(0, 1).map((target) => ({
        ...target,
        byTag: ["cards", "tools", "fees", "renewals", "opening hours"].map((value) => {
          return { tag: "topic", value, cases: 12, mean: 0.4, interval: { lower: 0.2, upper: 0.7 } };
        }),
      })),
      gates: [],
      validity: { state: "unknown", checks: [] },
      flips: [],
      behaviour: [],
      members: [],
      slices: [],
      past: [],
      alarms: [],
    },
  };
}
