import { describe, expect, test } from "vitest";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { aCase, aTarget, passing, says, scored, settings } from "../compare/case-result.ts";
import { factTexts } from "../../src/report/say/findings.ts";
import { toldOf } from "./run-summary.ts";

/** For each configuration, by its name, the share of the cases that it passes: which ones, by their number. */
type Passing = Record<string, (place: number) => boolean | null>;

interface Given extends Partial<ComparisonSettings> {
  cases?: number;
  prices?: Record<string, number>;
  /** Answers are the same to the letter for those that are named. */
  alike?: readonly string[];
}

/** The choice among some configurations, as a report says it. */
function chosen(passes: Passing, { cases = 120, prices = {}, alike = [], ...given }: Given = {}) {
  const names = Object.keys(passes);
  const sides = names.map((name, place) => aTarget(place + 1, name, { price: prices[name] ?? null }));
  const results: PairedResult[] = Array.from({ length: cases }, (_, place) =>
    aCase(
      `k${place}`,
      sides.flatMap((side) => {
        const pass = passes[side.target]?.(place) ?? null;
        const text = alike.includes(side.target) ? `same ${place}` : `${side.target} ${place}`;
        return pass === null
          ? [says(side, text, { scores: [{ value: null, pass: null, reason: "not graded" }] })]
          : [says(side, text, scored(pass))];
      }),
      { row: place + 2 },
    ),
  );
  const pairs = names.slice(1).map((_, at) => ({ baseline: 0, candidate: at + 1 }));
  const metrics = [{ ...passing(), gates: [] }];
  const choice = { expected: null, margin: null };
  const { model } = toldOf(results, {}, { ...settings, sides, pairs, metrics, choice, ...given });
  return { verdict: model.verdict, choice: model.choice, facts: factTexts(model) };
}

const all = (): boolean => true;
const none = (): boolean => false;
/** Fails in so many of a hundred cases, from a place on. */
const failing =
  (share: number, from = 0) =>
  (place: number): boolean =>
    (place + from) % 100 >= share;

describe("the best of many", () => {
  test("gives no place that its word denies: one that is behind is not the first, the best is no other", () => {
    let behind = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const shares = [2, 3, 4, 5].map((prime) => (seed * prime * 7) % 23);
      const passes = Object.fromEntries(
        shares.map((share, at) => [`t${at}`, (place: number) => (place * 37 + at * 11 + seed) % 100 >= share + 2]),
      );
      const { choice } = chosen(passes, { cases: 100 + seed });
      for (const { target, first, last } of choice?.ranks ?? []) {
        if (choice?.set.includes(target) === true) continue;
        behind += 1;
        expect([seed, target, first]).toEqual([seed, target, Math.max(2, first)]);
        expect(last).toBeGreaterThanOrEqual(first);
      }
      const best = choice?.ranks.find(({ target }) => target === choice.named);
      if (best !== undefined) expect([seed, best.first, best.last]).toEqual([seed, 1, 1]);
    }
    expect(behind).toBeGreaterThan(20);
  });

  test("is named with its lead, where it is known", () => {
    const { verdict, choice } = chosen({ a: failing(30), b: failing(4), c: failing(28, 50) }, { cases: 200 });
    expect(verdict).toMatchObject({ state: "pass", word: "best", claim: "none", metric: "correct" });
    expect(verdict.sentence).toMatch(
      /^take b: it is the best of 3 on `correct`, at least [\d.]+ points ahead of the others$/,
    );
    expect(choice).toMatchObject({
      named: "b",
      set: ["b"],
      level: { set: 0.05, name: 0.025 },
      ahead: null,
      open: null,
    });
    expect(choice?.ranks.find(({ target }) => target === "b")).toEqual({ target: "b", first: 1, last: 1 });
    const own = choice?.intervals.find(({ target }) => target === "b");
    expect(own?.lower).toBe(0);
    expect(choice?.intervals.every(({ lower, upper }) => (lower ?? -1) <= 0 && (upper ?? 1) >= 0)).toBe(true);
  });

  test("is a change, where another was expected, and none where it is the one", () => {
    const passes = { a: failing(30), b: failing(4) };
    const changed = chosen(passes, { cases: 200, choice: { expected: "a", margin: null } }).verdict;
    expect(changed).toMatchObject({ state: "regression", word: "changed" });
    expect(changed.sentence).toMatch(/^take b: it is the best of 2 on `correct`.*; expected was a$/);
    expect(chosen(passes, { cases: 200, choice: { expected: "b", margin: null } }).verdict.word).toBe("best");
  });

  test("is never the one with the highest mean alone: those that may be the best are named together, and the others as behind", () => {
    const { verdict, choice, facts } = chosen({ a: failing(10), b: failing(8, 50), c: failing(60) }, { cases: 200 });
    expect(verdict).toMatchObject({ state: "pass", word: "best" });
    expect(verdict.sentence).toBe("take a or b: neither is surely better on `correct`; c is behind");
    expect(facts[0]).toMatch(
      /^to decide: about [\d,]+ rows would separate the top two, if the measured gap is real: b 92 %, a 90 %$/,
    );
    expect(choice).toMatchObject({ named: null, set: ["a", "b"] });
  });

  test("is not known of few cases, or where all are equal, and the sentence says so", () => {
    const { verdict } = chosen({ a: failing(10), b: failing(10, 40), c: failing(10, 70) }, { cases: 100 });
    expect(verdict.sentence).toBe("no configuration is surely the best of 3 on `correct` in 100 rows");
    expect(chosen({ a: all, b: none, c: all }, { cases: 4 }).verdict.sentence).toBe(
      "4 rows are too few to tell which of 3 is the best on `correct`; five are the fewest, and five groups where rows belong together",
    );
  });

  test("cannot be told by a metric at an end of its scale in all, nor among answers that are the same to the letter", () => {
    const floor = chosen({ a: none, b: none, c: none });
    expect(floor.verdict).toMatchObject({ state: "inconclusive", word: "cannot-tell" });
    expect(floor.verdict.sentence).toBe("all 3 pass 0 of 120 rows, so `correct` cannot tell them apart");
    expect(chosen({ a: all, b: all }).verdict.sentence).toBe(
      "all 2 pass all 120 rows, so `correct` cannot tell them apart",
    );
    const same = chosen({ a: failing(10), b: failing(10) }, { alike: ["a", "b"] });
    expect(same.verdict.sentence).toBe("take any: all 2 gave the same answers in 120 rows");
  });

  test("is one of two that are alike to the letter: they count as one, and the sentence names both", () => {
    const passes = { a: failing(40), b: failing(4), c: failing(4) };
    const { verdict, choice } = chosen(passes, { cases: 200, alike: ["b", "c"] });
    expect(verdict.sentence).toMatch(/^take b or c: both pass the same 192 of 200 rows on `correct`$/);
    expect(choice).toMatchObject({ named: "b", set: ["b", "c"], alike: [["b", "c"]] });
  });

  test("counts the cases that all have a score of, and says because of whom others leave", () => {
    const passes = { a: failing(30), b: (place: number) => (place < 3 ? null : failing(4)(place)) };
    const { choice, facts } = chosen(passes, { cases: 200 });
    expect(choice).toMatchObject({ cases: 197, left: [{ target: "b", cases: 3, keys: ["k0", "k1", "k2"] }] });
    expect(facts[0]).toBe("left out: 3 rows without a score of b (such as k0, k1 and k2)");
  });

  test("names the cases that nobody passes", () => {
    const lost = (place: number): boolean => place !== 7 && place !== 9;
    const { facts } = chosen({
      a: (place) => lost(place) && place !== 20,
      b: lost,
      c: (place) => lost(place) && place !== 20,
    });
    expect(facts.at(-1)).toBe("none passes: 2 rows: 9 and 11");
  });
});

describe("the cheapest that is good enough", () => {
  const choice = { expected: null, margin: 0.1 };
  const prices = { a: 2, b: 1, c: 0.1 };

  test("is named with its price beside the highest", () => {
    const { verdict } = chosen({ a: failing(4), b: failing(5), c: failing(50) }, { cases: 300, prices, choice });
    expect(verdict).toMatchObject({ state: "pass", word: "best" });
    expect(verdict.sentence).toBe(
      "take b: the cheapest of those that are surely less than 10 points worse than the best on `correct`",
    );
  });

  test("is not known where none is surely good enough, or a price is missing", () => {
    const open = chosen(
      { a: failing(10), b: failing(12, 50) },
      { cases: 100, prices, choice: { expected: null, margin: 0.01 } },
    );
    expect(open.verdict.word).toBe("too-few-cases");
    expect(open.verdict.sentence).toMatch(/^none of 2 is surely less than 1 point worse than the best on `correct`$/);
    const unpriced = chosen({ a: failing(4), b: failing(5) }, { cases: 300, prices: { a: 2 }, choice });
    expect(unpriced.verdict.word).toBe("cannot-tell");
    expect(unpriced.verdict.sentence).toBe(
      "b has no known cost, so the cheapest is not known: give its deployment a `price`",
    );
  });
});
