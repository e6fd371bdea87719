import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { type Comparison } from "../../src/compare/comparison.ts";
import { compareCases } from "../compare/compare-cases.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { planPower, type PowerPlan } from "../../src/app/plan/power.ts";
import { powerLines } from "../../src/cli/commands/check/plan.power.text.ts";
import { keepComparison } from "../../src/store/compared/comparisons.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "../compare/case-result.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { spec } from "./scored.ts";
import { wordOf } from "../bench/simulation/equal-bots.ts";

/** Plans so many cases after this comparison. */
async function planAfter(
  comparison: Comparison,
  { cases, drop, metric = "correct" }: { cases: number; drop: number; metric?: string },
): Promise<PowerPlan> {
  const database = join(temporaryFolder(), "tandem.db");
  const db = temporaryDatabase(database);
  const batch = await plannedBatch(db, [oneCase("k")]);
  const kept = {
    batchId: batch.id,
    against: "",
    seed: "1",
    word: null,
    verdict: null,
    summary: JSON.stringify(comparison),
  };
  keepComparison(db, { ...kept, version: "0.0.0", createdAt: 1 });
  const given = { ...suite, scorers: [spec(metric, "contains")], compare: null };
  return planPower({ suite: given, database, cases, clusters: cases, drop, discordant: null, judgeCost: null });
}

/** Groups of six, of each of which the candidate is better or worse as a whole; every case in so many runs. */
function groups(count: number, runs: number, rate = 0.6): PairedResult[] {
  const random = seededRandom("groups");
  return Array.from({ length: count }, () => rate + 0.4 * (random() - 0.5)).flatMap((chance, group) =>
    Array.from({ length: 6 }, (_, i) => {
      const of = (side: typeof prod, pass: number) =>
        Array.from({ length: runs }, (_run, repeat) =>
          says(side, "a", { repeat: repeat + 1, ...scored(random() < pass) }),
        );
      return aCase(`g${group}-${i}`, [...of(prod, 0.7), ...of(candidate, chance)], { cluster: `g${group}` });
    }),
  );
}

const rules = { ...settings, metrics: [passing()] };
const detectableIn = ({ candidates }: Comparison) => candidates[0]?.metrics[0]?.detectable ?? 0;

describe("planning by a stored comparison", () => {
  test("more runs of clustered cases take away the noise of runs alone, which clusters do not multiply", async () => {
    const comparison = compareCases(groups(40, 2, 0.68), { ...rules, clustered: true });
    const noise = comparison.candidates[0]?.metrics[0]?.noise;
    const { rows } = await planAfter(comparison, { cases: 240, drop: 0.05 });
    const [one = 0, two = 0, three = 0] = rows.map(({ detectable }) => detectable ?? 0);
    // The suite has one run of each: half of what was measured.
    const share = noise?.share ?? 0;
    expect((two / one) ** 2).toBeCloseTo(1 / (1 + share), 3);
    expect((three / one) ** 2).toBeCloseTo((1 - share / 3) / (1 + share), 3);
    expect(two).toBeCloseTo(detectableIn(comparison), 6);
    expect(comparison.gates).toMatchObject([{ smallestDrop: expect.closeTo(rows[1]?.regression ?? NaN, 6) }]);
  });

  test("of single runs says about what the comparison says, and nothing of what more runs would show", async () => {
    const results = groups(20, 1).map((result) => ({ ...result, cluster: result.key }));
    const comparison = compareCases(results, rules);
    const { rows, wanted, within } = await planAfter(comparison, { cases: 120, drop: 0.1 });
    expect(rows[0]?.detectable).toBe(detectableIn(comparison));
    const [gate] = comparison.gates;
    expect(gate).toMatchObject({ kind: "margin", smallestDrop: rows[0]?.regression });
    expect(rows.map(({ detectable }) => detectable === null)).toEqual([false, true, true, false, false]);
    expect([within, wanted?.times]).toEqual([null, null]);
    // A drop that is asked for is found with so many cases, by the same rule.
    const again = await planAfter(comparison, { cases: wanted?.cases ?? 0, drop: 0.1 });
    expect(again.rows[0]?.worse).toBeCloseTo(0.1, 2);
  });

  test("passes over a comparison by other metrics than the suite's own", async () => {
    const comparison = compareCases(groups(4, 1), { ...rules, metrics: [passing({ name: "seconds" })] });
    expect((await planAfter(comparison, { cases: 24, drop: 0.1 })).from).toBeNull();
    const own = await planAfter(comparison, { cases: 24, drop: 0.1, metric: "seconds" });
    expect(own).toMatchObject({ metric: "seconds", from: expect.stringContaining("test against prod") });
  });
});

/** Plans so many cases of which nothing is stored: 15 % of them pass on one side only, or as many as the drop takes. */
function planAssumed(cases: number, about: { clusters?: number; drop?: number } = {}): PowerPlan {
  const { clusters = cases, drop = null } = about;
  const given = { ...suite, scorers: [spec("correct", "contains")], compare: null };
  const database = join(temporaryFolder(), "none.db");
  return planPower({ suite: given, database, cases, clusters, drop, discordant: null, judgeCost: null });
}

describe("planning without a comparison, at a margin of 5 points", () => {
  // Every outcome of so many cases gone through with the gate's own rule, by another program.
  test.each([
    [6, 0.732],
    [12, 0.413],
    [20, 0.314],
    [40, 0.191],
    [80, 0.14],
  ])("%i cases show the gate a true drop of %f, 4 times in 5", (cases, drop) => {
    expect(Math.abs((planAssumed(cases).rows[0]?.regression ?? NaN) - drop)).toBeLessThan(0.0012);
  });

  test("below five cases no outcome is a drop or a regression, with however many runs", () => {
    const { rows } = planAssumed(3);
    expect(rows.slice(0, 3).map(({ detectable, regression }) => [detectable, regression])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(rows[3]).toMatchObject({ cases: 6, detectable: expect.any(Number), regression: expect.any(Number) });
    const text = powerLines(planAssumed(3), false).join("\n");
    expect(text).toMatch(/^ +3 {2}1 against 1 +never +never +never +never /m);
    expect(text).toMatch(/^ {2}BETTER +never likely\n {2}PASS +never with so few: 59 are enough where none is lost; /m);
    expect(text).toContain("compare two targets once to have its own");
    expect(planAssumed(40, { clusters: 4 }).rows[0]).toMatchObject({ detectable: null, regression: null });
  });

  test("a drop that the gate calls is never smaller than one that is shown, and more cases or runs never ask for more", () => {
    for (const cases of [5, 6, 8, 12, 20, 33, 60, 130, 251, 400]) {
      const { rows } = planAssumed(cases);
      for (const { detectable, regression } of rows) {
        expect(regression).toBeGreaterThanOrEqual(detectable ?? NaN);
        expect(regression).toBeLessThanOrEqual(1);
        expect(detectable).toBeGreaterThan(0);
      }
      const [first, two, three, double] = rows.map(({ regression }) => regression ?? NaN);
      expect(two).toBeLessThanOrEqual(first ?? NaN);
      expect(three).toBeLessThanOrEqual(two ?? NaN);
      expect(double).toBeLessThan(first ?? NaN);
    }
  });

  test("the verdicts of drawn comparisons have the words that are called likely", () => {
    const [cases, differ] = [400, 0.15];
    const { rows, casesToPass } = planAssumed(cases);
    const { better = null, pass = null, worse = null, regression = null } = rows[0] ?? {};
    const random = seededRandom("likely words");
    /** How often one of the words comes out where the candidate is truly better by so much, below 0 worse. */
    const share = (gain: number, words: readonly string[], n = cases): number => {
      const turns = Math.max(differ, Math.abs(gain));
      const [won, lost] = [(turns + gain) / 2, (turns - gain) / 2];
      const said = Array.from({ length: 200 }, () => {
        const outcome = { won: 0, lost: 0 };
        for (let each = 0; each < n; each++) {
          const at = random();
          if (at < won) outcome.won += 1;
          else if (at < won + lost) outcome.lost += 1;
        }
        return words.includes(wordOf(n, outcome) ?? "");
      });
      return said.filter(Boolean).length / said.length;
    };
    const isLikely = (found: number): void => {
      expect(found).toBeGreaterThan(0.7);
      expect(found).toBeLessThan(0.9);
    };
    isLikely(share(better ?? NaN, ["better"]));
    isLikely(share(-(pass ?? NaN), ["pass", "better"]));
    isLikely(share(-(worse ?? NaN), ["worse", "regression"]));
    isLikely(share(-(regression ?? NaN), ["regression"]));
    expect(casesToPass).toBeNull();
    // Of fewer it is said how many would pass.
    const enough = planAssumed(100).casesToPass ?? NaN;
    isLikely(share(0, ["pass", "better"], enough));
  });

  test("each word stands with its true difference, in the unit of the score, and a loss within the limit is WORSE at most", () => {
    const text = powerLines(planAssumed(100, { drop: 0.04 }), false).join("\n");
    expect(text).toContain("Words that 100 rows are likely to bring (4 times in 5), by an assumed variance");
    expect(text).toMatch(/^ {2}BETTER {9}from a true gain of 1\d(\.\d)? points$/m);
    expect(text).toMatch(/^ {2}PASS {11}only where fewer cases differ; about \d+ rows where they differ so much$/m);
    expect(text).toMatch(/^ {2}REGRESSION {5}from a true loss of 1\d(\.\d)? points$/m);
    expect(text).toMatch(/^cases +runs of each +BETTER from +PASS up to +WORSE from +REGRESSION from +jobs +cost$/m);
    expect(text).toMatch(/^A true loss of 4 points is called WORSE, 4 times in 5: about [\d,]+ rows \(/m);
    expect(text).toContain("It is within the limit: no number of cases makes it a REGRESSION.");
  });

  test("cases for a drop that is asked for are those of the table", () => {
    const { wanted } = planAssumed(10, { drop: 0.35 });
    const called = planAssumed(wanted?.gateCases ?? 0).rows[0]?.regression ?? NaN;
    expect(called).toBeLessThanOrEqual(0.35);
    expect(called).toBeGreaterThan(0.3);
    expect(wanted?.cases).toBeLessThanOrEqual(wanted?.gateCases ?? 0);
  });
});
