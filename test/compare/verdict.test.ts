import { notComparedWords } from "../../src/report/say/causes.ts";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { compareCases } from "./compare-cases.ts";
import type { Comparison, ComparisonSettings } from "../../src/compare/comparison.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { perNightAlpha } from "../../src/stats/planning/nights.ts";
import { accepting, aCase, aTarget, candidate, failed, passing, prod, says, scored, settings } from "./case-result.ts";

const measured: ComparisonSettings = { ...settings, metrics: [passing()] };
const compare = (results: Iterable<PairedResult>, given: Partial<ComparisonSettings> = {}): Comparison =>
  compareCases(results, { ...measured, ...given });

/** Cases of which so many pass on both sides, only on the baseline, only on the candidate, on none. */
function cases(counts: [both: number, onlyProd: number, onlyTest: number, none: number]): PairedResult[] {
  const kinds = counts.flatMap((count, kind) => Array.from({ length: count }, () => kind));
  return kinds.map((kind, i) =>
    aCase(`k${i}`, [says(prod, "a", scored(kind < 2)), says(candidate, "a", scored(kind === 0 || kind === 2))]),
  );
}

/** The gates that accept a margin, which have advice. */
const margins = ({ gates }: Comparison) => gates.flatMap((gate) => (gate.kind === "margin" ? [gate] : []));

describe("got worse?", () => {
  test("a drop beyond the margin is a regression, with its test, interval and the cases that turned", () => {
    const { verdict, gates, candidates } = compare(cases([70, 40, 2, 8]));
    expect(verdict).toBe("regression");
    expect(gates).toMatchObject([{ metric: "correct", of: "pass", margin: 0.05, state: "regression", settle: null }]);
    expect(candidates[0]?.metrics[0]).toMatchObject({
      worse: 40,
      better: 2,
      same: 78,
      comparison: { n: 120, clusters: 120, test: "exact-score" },
    });
    expect(candidates[0]?.metrics[0]?.baseline).toBeCloseTo(110 / 120);
    expect(candidates[0]?.metrics[0]?.comparison?.estimate).toBeCloseTo(-38 / 120);
    expect(candidates[0]?.flips.lists.find(({ kind }) => kind === "pass-to-fail")).toMatchObject({
      cases: 40,
      first: { length: 10 },
    });
  });

  test("a metric that another batch does not have is invalid for that reason, not for one of a metric that begins like it", () => {
    const metrics = [passing({ name: "a" }), passing({ name: "a: b", primary: false })];
    const ungraded = [1, 2].map((i) => aCase(`k${i}`, [says(prod, "x"), says(candidate, "x")]));
    const other = { kind: "other-scores", batch: "nightly~1", exportedAs: null } as const;
    const notCompared = [
      { metric: "a: b", ...other, is: "missing" as const },
      { metric: "a", ...other, is: "unscored" as const },
    ];
    const { gates, decision } = compareCases(ungraded, { ...settings, metrics, notCompared });
    expect(gates.map(({ metric, reason }) => [metric, reason])).toEqual([
      ["a", { kind: "not-compared", why: notCompared[1] }],
      ["a: b", { kind: "not-compared", why: notCompared[0] }],
    ]);
    expect(decision.notCompared).toEqual(notCompared);
    expect(notCompared.map(notComparedWords)).toEqual([
      "a: b: nightly~1 has no such scorer (grade it again: tandem score nightly~1 --suite FILE)",
      "a: nightly~1 was not scored (grade it again: tandem score nightly~1 --suite FILE)",
    ]);
  });

  test("many equal cases pass; few are inconclusive and say how many it takes", () => {
    expect(compare(cases([180, 2, 3, 15])).verdict).toBe("pass");
    const few = compare(cases([23, 1, 1, 0]));
    expect(few.verdict).toBe("inconclusive");
    // With one case worse and one better of 25, a pass is likely with so many.
    expect(margins(few)[0]?.settle).toMatchObject({ kind: "cases", cases: expect.any(Number), fewestToPass: 59 });
  });

  test("the smallest drop that so many rows would show is told also where few differ, else why there is none", () => {
    const dropOf = (results: PairedResult[], given: Partial<ComparisonSettings> = {}) => {
      const { detectable, notDetectable } = compare(results, given).candidates[0]?.metrics[0] ?? {};
      return [detectable ?? null, notDetectable];
    };
    // Five lost cases with none gained are enough; gains stay, and take more of them.
    expect(dropOf(cases([20, 5, 0, 6]))).toEqual([expect.closeTo(0.207, 3), null]);
    expect(dropOf(cases([20, 0, 5, 6]))).toEqual([expect.closeTo(0.418, 3), null]);
    expect(dropOf(cases([28, 0, 0, 0]))).toEqual([expect.closeTo(0.228, 3), null]);
    expect(dropOf(cases([4, 0, 0, 0]))).toEqual([
      null,
      { kind: "few-if-all-lost", size: { count: 4, of: { kind: "rows" } } },
    ]);
    const talks = cases([3, 6, 0, 3]).map((each, i) => ({ ...each, cluster: `c${i % 3}` }));
    expect(dropOf(talks, { clustered: true })).toEqual([
      null,
      { kind: "few", size: { count: 3, of: { kind: "conversations" } } },
    ]);
    expect(dropOf(talks, { clustered: true, clusterColumn: "article" })[1]).toEqual({
      kind: "few",
      size: { count: 3, of: { kind: "groups", column: "article" } },
    });
  });

  test("a difference that lies on the margin is not affordable to settle", () => {
    const { gates } = compare(cases([85, 10, 5, 0]));
    expect(gates[0]).toMatchObject({ state: "inconclusive", settle: { kind: "too many" } });
  });

  test("turns of conversations are counted as conversations", () => {
    const results = Array.from({ length: 120 }, (_, i) =>
      aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "a", scored(i % 40 > 4))], {
        cluster: `c${i % 40}`,
      }),
    );
    const metric = compare(results, { clustered: true }).candidates[0]?.metrics[0];
    expect(metric?.comparison).toMatchObject({ n: 120, clusters: 40, test: "cluster-t" });
    const few = compare(
      results.filter((_, i) => i % 40 < 10),
      { clustered: true },
    );
    expect(few.candidates[0]?.metrics[0]?.comparison).toMatchObject({ clusters: 10, test: "cluster-t" });
    const none = compare(
      results.filter((_, i) => i % 40 < 4),
      { clustered: true },
    );
    expect(none.gates[0]).toMatchObject({ state: "inconclusive", reason: { kind: "few-clusters", fewest: 5 } });
    expect(margins(none)[0]?.settle).toMatchObject({ kind: "clusters", least: 5, of: { kind: "conversations" } });
  });

  test("runs of a case are averaged before anything is compared", () => {
    const results = Array.from({ length: 30 }, (_, i) =>
      aCase(`k${i}`, [
        says(prod, "a", scored(true)),
        says(prod, "b", { repeat: 2, ...scored(i % 2 === 0) }),
        says(candidate, "a", scored(true)),
      ]),
    );
    const metric = compare(results).candidates[0]?.metrics[0];
    expect(metric).toMatchObject({
      baseline: 0.75,
      candidate: 1,
      better: 15,
      comparison: { n: 30, test: "cluster-t" },
    });
    expect(metric?.noise?.share).toBeGreaterThan(0);
  });

  test("a missing answer is a fail, and the complete pairs are shown too", () => {
    const results = [
      ...cases([60, 0, 0, 0]),
      ...[1, 2].map((n) => aCase(`f${n}`, [says(prod, "a", scored(true)), failed(candidate, "x")])),
    ];
    const metric = compare(results, { maxErrorShare: 0.1 }).candidates[0]?.metrics[0];
    expect(metric).toMatchObject({ worse: 2, missing: { baseline: 0, candidate: 2 }, comparison: { n: 62 } });
    expect(metric?.answered).toMatchObject({ n: 60, estimate: 0 });
  });

  test("a missing answer is the worst of a bounded scale, and leaves the pairing of an unbounded one", () => {
    const value = (score: number) => ({ scores: [{ value: score, pass: null, reason: null }] });
    const results = [
      ...Array.from({ length: 30 }, (_, i) =>
        aCase(`k${i}`, [says(prod, "a", value(50)), says(candidate, "a", value(60))]),
      ),
      aCase("f", [says(prod, "a", value(50)), failed(candidate, "x")]),
    ];
    const bounded = passing({ scale: { kind: "bounded", min: 0, max: 100 }, passes: false });
    expect(compare(results, { metrics: [bounded] }).candidates[0]?.metrics[0]).toMatchObject({
      worse: 1,
      comparison: { n: 31 },
    });
    const unbounded = passing({ scale: { kind: "unbounded", unit: "s" }, passes: false, lowerIsBetter: true });
    expect(compare(results, { metrics: [unbounded] }).candidates[0]?.metrics[0]).toMatchObject({
      worse: 30,
      left: 1,
      unit: "s",
      comparison: { n: 30 },
    });
  });

  test("what could not be scored is left out and counted, and too much of it is invalid", () => {
    const unscored = { scores: [{ value: null, pass: null, reason: "no JSON" }] };
    const odd = (n: number) =>
      Array.from({ length: n }, (_, i) =>
        aCase(`u${i}`, [says(prod, "a", scored(true)), says(candidate, "a", unscored)]),
      );
    const few = compare([...cases([100, 0, 0, 0]), ...odd(2)]);
    expect(few.candidates[0]?.metrics[0]).toMatchObject({
      left: 2,
      unscored: { candidate: 2 },
      comparison: { n: 100, estimate: 0 },
    });
    // Two more losses would be too many.
    expect(few).toMatchObject({ verdict: "inconclusive", word: "cannot-tell" });
    expect(compare([...cases([80, 0, 0, 0]), ...odd(20)])).toMatchObject({
      verdict: "invalid",
      validity: { reasons: [{ kind: "ungraded", target: "test", metric: "correct", answers: 20, share: 0.2 }] },
      gates: [{ state: "invalid" }],
    });
  });

  test("several candidates share alpha, but a pass needs no adjustment", () => {
    const others = Array.from({ length: 12 }, (_, i) => aTarget(i + 2, `t${i}`));
    const results = Array.from({ length: 60 }, (_, i) =>
      aCase(`k${i}`, [
        says(prod, "a", scored(true)),
        ...others.map((other, place) => says(other, "a", scored(place > 0 || i >= 9))),
      ]),
    );
    const one = compare(results, { sides: [prod, ...others.slice(0, 1)] });
    expect(one.gates[0]).toMatchObject({ state: "regression" });
    const pairs = others.map((_, i) => ({ baseline: 0, candidate: i + 1 }));
    const all = compare(results, { sides: [prod, ...others], pairs });
    const decided = margins(all)[0]?.decided;
    expect(decided?.adjusted).toBeCloseTo(12 * (decided?.pRegression ?? 0));
    // The bound that is shown is the one at the level that twelve gates leave.
    expect(decided?.confidence.upper).toBeCloseTo(1 - 0.05 / 12);
    expect(decided?.upper).toBeGreaterThan(-0.05);
    expect(all.gates[0]?.state).toBe("inconclusive");
    expect(margins(all)[0]?.settle).toMatchObject({ kind: "cases" });
    expect(all.gates.slice(1).map(({ state }) => state)).toEqual(Array.from({ length: 11 }, () => "pass"));
  });

  test("a candidate that is down does not hide the regression of another", () => {
    const third = aTarget(3, "third");
    const results = cases([60, 40, 0, 0]).map((result) => ({
      ...result,
      jobs: [...result.jobs, failed(third, "down")],
    }));
    const pairs = [1, 2].map((place) => ({ baseline: 0, candidate: place }));
    const found = compare(results, { sides: [prod, candidate, third], pairs });
    expect(found).toMatchObject({ verdict: "regression", validity: { state: "invalid" } });
    expect(found.gates.map(({ state }) => state)).toEqual(["regression", "invalid"]);
    expect(compare(results, { sides: [prod, third], pairs: pairs.slice(0, 1) }).verdict).toBe("invalid");
  });

  test("a gate whose metric was not scored makes the comparison invalid", () => {
    const undecided = [{ kind: "not-scored", metric: "tone" } as const];
    expect(compare(cases([100, 0, 0, 0]), { undecided })).toMatchObject({
      verdict: "invalid",
      validity: { reasons: undecided },
      gates: [{ state: "invalid" }],
    });
  });

  test("a ratio is compared by its logarithm", () => {
    const seconds = (value: number) => ({ scores: [{ value, pass: null, reason: null }] });
    const random = seededRandom("ratio");
    const results = Array.from({ length: 60 }, (_, i) => {
      const base = 1 + 9 * random();
      return aCase(`k${i}`, [
        says(prod, "a", seconds(base)),
        says(candidate, "a", seconds(base * (1.4 + random() / 10))),
      ]);
    });
    const metric = {
      ...passing({ scale: { kind: "unbounded", unit: "s" }, passes: false, lowerIsBetter: true }),
      of: "ratio" as const,
      gates: accepting(0.2),
    };
    expect(compare(results, { metrics: [metric] })).toMatchObject({
      verdict: "regression",
      gates: [{ of: "ratio", margin: 0.2 }],
    });
    expect(compare(results, { metrics: [{ ...metric, gates: accepting(0.6) }] }).verdict).toBe("pass");
  });

  test("a gate without a margin on a scale without bounds is invalid and says so", () => {
    const metric = { ...passing({ scale: { kind: "unbounded", unit: null }, passes: false }), gates: accepting(null) };
    expect(compare(cases([30, 0, 0, 0]), { metrics: [metric] }).gates).toMatchObject([
      { state: "invalid", reason: { kind: "no-margin", metric: "correct" } },
    ]);
  });

  test("what a judge says of a pair is measured from the middle of its scale", () => {
    const wins = Array.from({ length: 40 }, (_, i) =>
      aCase(`k${i}`, [
        says(prod, "a"),
        says(candidate, "b", { scores: [{ value: i < 30 ? 1 : 0, pass: null, reason: null }] }),
      ]),
    );
    const metric = passing({ scale: { kind: "bounded", min: 0, max: 1 }, passes: false, against: "baseline" });
    expect(compare(wins, { metrics: [metric] }).candidates[0]?.metrics[0]).toMatchObject({
      baseline: 0.5,
      candidate: 0.75,
      better: 30,
      worse: 10,
    });
  });

  test("a tag in which it got worse is found among many that did not", () => {
    const results = Array.from({ length: 200 }, (_, i) =>
      aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "a", scored(i % 10 !== 3))], {
        tags: { language: `l${i % 10}`, half: String(i % 2) },
      }),
    );
    const [first, ...rest] = compare(results).candidates[0]?.slices ?? [];
    expect(first).toMatchObject({ tag: "language", value: "l3", cases: 20, worse: 20, difference: -1 });
    expect(first?.adjusted).toBeLessThan(0.001);
    expect(rest.filter(({ adjusted, tag }) => tag === "language" && (adjusted ?? 1) < 0.05)).toEqual([]);
  });

  test("a pass of which rare large drops carry the difference has to hold where t is corrected for that", () => {
    const of = (worst: number) =>
      Array.from({ length: 60 }, (_, i) => {
        const value = (i % 20 === 0 ? worst : 0.8) + 0.01 * Math.sin(i);
        const score = (given: number) => ({ scores: [{ value: given, pass: null, reason: null }] });
        return aCase(`k${i}`, [says(prod, "a", score(0.8)), says(candidate, "a", score(value))]);
      });
    const metric = passing({ scale: { kind: "bounded", min: 0, max: 1 }, passes: false });
    const metrics = [{ ...metric, gates: accepting(0.1) }];
    const [gate] = margins(compare(of(0), { metrics }));
    expect(gate).toMatchObject({
      state: "inconclusive",
      reason: { kind: "skewed", skewness: expect.closeTo(-4.1, 1), isSkewed: true },
      decided: { pPass: expect.closeTo(0.067, 2), heldBy: "skewness" },
    });
    expect(gate?.decided?.lower).toBeLessThan(-0.1);
    expect(compare(of(0.3), { metrics }).gates).toMatchObject([{ state: "pass", reason: null }]);
    expect(compare(of(0.8), { metrics }).gates).toMatchObject([{ state: "pass", reason: null }]);
  });

  test("nights tighten regressions, not passes: what is spent are false alarms", () => {
    const month = { nights: 30, alpha: perNightAlpha(0.05, 30) };
    const stateOf = (counts: Parameters<typeof cases>[0], given: Partial<ComparisonSettings>) =>
      compare(cases(counts), given).gates[0]?.state;
    expect([stateOf([100, 0, 0, 0], {}), stateOf([100, 0, 0, 0], month)]).toEqual(["pass", "pass"]);
    expect([stateOf([108, 12, 0, 0], {}), stateOf([108, 12, 0, 0], month)]).toEqual(["regression", "inconclusive"]);
    expect(stateOf([90, 30, 0, 0], month)).toBe("regression");
  });

  test("cases are said to be in conversations only where they are turns of one", () => {
    const results = cases([40, 0, 0, 0]).map((result, i) => ({ ...result, cluster: `c${i % 4}` }));
    const [of, text] = [
      (clusterColumn: string | null) => compare(results, { clustered: true, clusterColumn }),
      (found: Comparison) => [found.candidates[0]?.metrics[0]?.groups, margins(found)[0]?.settle],
    ];
    expect(text(of("article"))).toMatchObject([
      { count: 4, of: { kind: "groups", column: "article" } },
      { kind: "clusters", least: 59, of: { kind: "groups", column: "article" } },
    ]);
    expect(text(of(null))[0]).toEqual({ count: 4, of: { kind: "conversations" } });
    expect(text(compare(results))[0]).toBeNull();
  });

  test("alpha decides", () => {
    const results = cases([60, 16, 5, 0]);
    expect(compare(results, { alpha: 0.2 }).verdict).toBe("regression");
    expect(compare(results, { alpha: 0.0001 }).verdict).toBe("inconclusive");
  });
});

describe("pairing", () => {
  const here = { ...prod, batchIds: [1] };
  const there = { ...candidate, batchIds: [2] };
  const sides = [here, there];

  test("lists what is only on one side, and what has another input, and compares none of it", () => {
    const both = Array.from({ length: 100 }, (_, i) =>
      aCase(`k${i}`, [says(here, "a", scored(true)), says(there, "a", scored(true))], {
        variants: [[1, 2]],
      }),
    );
    const odd = [
      aCase("old", [says(here, "a", scored(true))], { variants: [[1]] }),
      aCase("new", [says(there, "a", scored(false))], { variants: [[2]] }),
      aCase("other", [says(there, "a", scored(false))], { variants: [[2], [1]] }),
    ];
    const { candidates, verdict, targets } = compare([...both, ...odd], { sides });
    expect(candidates[0]?.pairing).toEqual({
      paired: 100,
      onlyBaseline: { cases: 1, keys: ["old"] },
      onlyCandidate: { cases: 1, keys: ["new"] },
      inputDiffers: { cases: 1, keys: ["other"] },
    });
    expect(candidates[0]?.metrics[0]?.comparison?.n).toBe(100);
    expect(verdict).toBe("pass");
    expect(targets.map(({ cases: own }) => own)).toEqual([101, 102]);
  });

  test("is invalid when too many inputs differ, or cases of the baseline are missing that were not left out", () => {
    const both = Array.from({ length: 10 }, (_, i) =>
      aCase(`k${i}`, [says(here, "a", scored(true)), says(there, "a", scored(true))], { variants: [[1, 2]] }),
    );
    const gone = Array.from({ length: 5 }, (_, i) =>
      aCase(`g${i}`, [says(here, "a", scored(true))], { variants: [[1]] }),
    );
    const other = gone.map((result) => ({ ...result, variants: [[1], [2]] }));
    expect(compare([...both, ...gone], { sides }).validity).toEqual({
      state: "invalid",
      reasons: [{ kind: "rows-missing", candidate: "test", baseline: "prod", rows: 5, share: 1 / 3 }],
    });
    expect(compare([...both, ...gone], { sides, selected: true }).validity).toEqual({ state: "valid" });
    expect(compare([...both, ...other], { sides, selected: true }).validity).toEqual({
      state: "invalid",
      reasons: [{ kind: "other-input", candidate: "test", baseline: "prod", rows: 5, share: 1 / 3 }],
    });
  });
});
