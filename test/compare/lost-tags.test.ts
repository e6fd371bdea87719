import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import type { LostTag } from "../../src/compare/summary/lost-tags.ts";
import { byGravity } from "../../src/compare/verdict-word.ts";
import { fisherMore } from "../../src/stats/fisher.ts";
import { drawnLostTags, falselyNamed } from "../bench/simulation/lost-tags.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";

interface Row {
  before?: boolean;
  now?: boolean;
  tags: Record<string, string>;
  cluster?: string;
}

const casesOf = (rows: readonly Row[]): PairedResult[] =>
  rows.map(({ before = true, now = true, tags, cluster }, at) =>
    aCase(`k${at}`, [says(prod, "a", scored(before)), says(candidate, "a", scored(now))], {
      tags,
      ...(cluster !== undefined && { cluster }),
    }),
  );

const lostIn = (rows: readonly Row[], given: Partial<ComparisonSettings> = {}): LostTag[] =>
  compareCases(casesOf(rows), { ...settings, metrics: [passing()], ...given }).lostTags;

const times = (count: number, row: (at: number) => Row): Row[] => Array.from({ length: count }, (_, at) => row(at));

describe("Fisher's exact test", () => {
  test("is the chance of as many failing rows in the group or more", () => {
    // 4 of 4 with the other 396 untouched: 1 of the ways to choose 4 of 400.
    expect(fisherMore({ failing: 4, rows: 4, allFailing: 4, allRows: 400 })).toBeCloseTo(1 / 1_050_739_900, 18);
    // Fisher's tea: 3 of 4 cups, 17 of 70 ways.
    expect(fisherMore({ failing: 3, rows: 4, allFailing: 4, allRows: 8 })).toBeCloseTo(17 / 70, 12);
    expect(fisherMore({ failing: 0, rows: 4, allFailing: 4, allRows: 8 })).toBe(1);
    expect(fisherMore({ failing: 5, rows: 4, allFailing: 4, allRows: 8 })).toBe(0);
    expect(fisherMore({ failing: 4, rows: 4, allFailing: 8, allRows: 8 })).toBe(1);
    // Twice the same chance, counted from both sides.
    const one = fisherMore({ failing: 300, rows: 2_000, allFailing: 900, allRows: 9_000 });
    const other = fisherMore({ failing: 300, rows: 900, allFailing: 2_000, allRows: 9_000 });
    expect(Math.abs(one / other - 1)).toBeLessThan(1e-6);
  });
});

describe("a value of a tag that lost everything", () => {
  const intact = (at: number): Row => ({ tags: { intent: `i${at % 10}`, language: at % 2 === 0 ? "en" : "de" } });
  const dead = (count: number, given: Partial<Row> = {}): Row[] =>
    times(count, (at) => ({ now: false, tags: { intent: "refund", language: at % 2 === 0 ? "en" : "de" }, ...given }));

  test("makes a candidate worse although its gate passes, with the exact p over all values", () => {
    const rows = [...times(396, intact), ...dead(4)];
    const found = compareCases(casesOf(rows), { ...settings, metrics: [passing()] });
    expect(found.gates[0]?.word).toBe("pass");
    expect(found.verdicts[0]).toMatchObject({ word: "worse", byPlace: { tag: "intent", value: "refund", worse: 4 } });
    const [lost, ...more] = found.lostTags;
    expect(more).toEqual([]);
    expect(lost).toMatchObject({
      candidate: "test",
      baseline: "prod",
      metric: "correct",
      tag: "intent",
      value: "refund",
      lost: 4,
      others: { passed: 396, lost: 0 },
    });
    // 13 values in all.
    expect((lost?.p ?? 0) / 13).toBeCloseTo(1 / 1_050_739_900, 18);
  });

  test.each([
    ["all of 8 rows", 8, 8],
    ["all but one of 18 rows", 18, 17],
  ])("keeps a candidate worse however much it loses elsewhere: %s", (_about, size, failing) => {
    const words = Array.from({ length: 13 }, (_, at) => at * 3).flatMap((lost) => {
      const others = times(200 - size, (at) => ({
        before: at >= 6,
        now: at < 6 || at >= 6 + lost,
        tags: { intent: `i${at % 5}` },
      }));
      const place = times(size, (at) => ({ now: at >= failing, tags: { intent: "refund" } }));
      const found = compareCases(casesOf([...others, ...place]), { ...settings, metrics: [passing()] });
      return found.word ?? [];
    });
    // From WORSE to REGRESSION, and never back.
    expect(words).toHaveLength(13);
    expect(words.toSorted(byGravity).toReversed()).toEqual(words);
    expect(new Set(words)).toEqual(new Set(["worse", "regression"]));
  });

  test("is not named where a row of it still passes, of one row, or where as much may fail by chance", () => {
    expect(lostIn([...times(396, intact), ...dead(4), ...dead(1, { now: true })])).toEqual([]);
    expect(lostIn([...times(99, intact), ...dead(1)])).toEqual([]);
    const atRandom = times(98, (at) => ({ ...intact(at), now: at % 7 !== 0 }));
    expect(lostIn([...atRandom, ...dead(2)])).toEqual([]);
    // 2 of 2 of 100: named while at most two others fail.
    const withOthers = (failing: number) => times(98, (at) => ({ ...intact(at), now: at >= failing }));
    expect([1, 2, 3, 8].map((failing) => lostIn([...withOthers(failing), ...dead(2)]).length)).toEqual([1, 1, 1, 0]);
  });

  test("is about the rows that the baseline passed: those that it failed are no matter", () => {
    const rows = [...times(100, intact), ...dead(3), ...dead(5, { before: false })];
    expect(lostIn(rows)).toMatchObject([{ value: "refund", lost: 3, others: { passed: 100, lost: 0 } }]);
  });

  test("is named once where two tags have the same rows, and not within another that is named", () => {
    const both = times(6, (at) => ({
      now: false,
      tags: { intent: "refund", topic: "money", detail: at < 3 ? "card" : "cash" },
    }));
    expect(lostIn([...times(200, intact), ...both])).toMatchObject([{ tag: "intent", value: "refund", lost: 6 }]);
  });

  test("counts rows that belong together once", () => {
    const clustered = { clustered: true };
    const spread = times(200, (at) => ({ ...intact(at), cluster: `c${at}` }));
    const oneTalk = dead(6, { cluster: "talk" });
    expect(lostIn([...spread, ...oneTalk])).toHaveLength(1);
    expect(lostIn([...spread, ...oneTalk], clustered)).toEqual([]);
    const threeTalks = times(6, (at) => ({ ...(dead(1)[0] as Row), cluster: `talk${at % 3}` }));
    expect(lostIn([...spread, ...threeTalks], clustered)).toMatchObject([{ value: "refund", lost: 6 }]);
  });

  test("says nothing where the comparison is invalid, by a metric without a gate that is not the main one, or of scores", () => {
    const rows = [...times(396, intact), ...dead(4)];
    expect(lostIn(rows, { undecided: [{ kind: "not-scored", metric: "tone" }] })).toEqual([]);
    expect(lostIn(rows, { chosen: { kind: "chosen-rows", batch: "b" } })).toEqual([]);
    const beside = { ...passing({ name: "beside", primary: false }), gates: [] };
    expect(lostIn(rows, { metrics: [beside] })).toEqual([]);
    const value = { ...passing({ scale: { kind: "bounded", min: 0, max: 1 } }), of: "value" as const };
    expect(lostIn(rows, { metrics: [value] })).toEqual([]);
  });
});

describe("simulated", () => {
  test("rows lost at random name a value falsely in at most .7 % of comparisons", () => {
    const rates = [60, 400].flatMap((n) => [0.01, 0.05, 0.2].map((rate) => falselyNamed({ n, rate }, 300)));
    // 1,800 comparisons: .7 % are 13, and 22 are three standard deviations more.
    expect(rates.reduce((sum, named) => sum + named, 0)).toBeLessThanOrEqual(22);
  });

  test("the tags of a drawn comparison are found", () => {
    const rows = times(200, (at) => ({ tags: { a: `v${at % 20}` }, now: at % 20 !== 3 }));
    const drawn = rows.map(({ tags, now = true }) => ({ baseline: 1, candidate: Number(now), tags }));
    expect(drawnLostTags(drawn)).toMatchObject([{ tag: "a", value: "v3", lost: 10 }]);
  });
});
