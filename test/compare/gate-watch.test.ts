import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import { gateWatch, type WatchPlan } from "../../src/compare/verdict/watch.ts";
import type { StopRule } from "../../src/compare/stop-rule.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { accepting, aCase, aTarget, candidate, failed, passing, prod, says, scored, settings } from "./case-result.ts";
import { compareCases } from "./compare-cases.ts";

const measured: ComparisonSettings = { ...settings, metrics: [passing()] };
const plan: WatchPlan = { planned: 1_000, most: 1, values: new Map() };

const aPair = (place: number, before: boolean, now: boolean, given: Partial<PairedResult> = {}): PairedResult =>
  aCase(`k${place}`, [says(prod, "a", scored(before)), says(candidate, "a", scored(now))], {
    caseId: place,
    ...given,
  });

/** Enters cases until it is settled; the number that it took. */
function until(
  next: (place: number) => PairedResult,
  given: Partial<ComparisonSettings> = {},
  more: Partial<WatchPlan> = {},
): { cases: number; verdict: string | null } {
  const watch = gateWatch({ ...measured, ...given }, { ...plan, ...more });
  for (let cases = 1; cases <= plan.planned; cases++) {
    watch.add([next(cases)]);
    if (watch.settled() !== null) return { cases, verdict: watch.settled() };
  }
  return { cases: plan.planned, verdict: null };
}

describe("gates that are looked at while cases come in", () => {
  test("pass when nothing differs for long enough, and not a case earlier", () => {
    expect(until((place) => aPair(place, true, true))).toEqual({ cases: 94, verdict: "pass" });
  });

  test("find a bot that lost a fifth", () => {
    const { cases, verdict } = until((place) => aPair(place, true, place % 5 !== 0));
    expect(verdict).toBe("regression");
    expect(cases).toBeLessThan(110);
  });

  test("share the false alarms of a regression, and wait for each other with a pass", () => {
    const [one, other] = [passing(), passing({ name: "other", primary: false })];
    const both = { metrics: [one, { ...other, gates: accepting(0.02) }] };
    // Of two gates with the same scores the narrower one decides last.
    const narrow = until((place) => aPair(place, true, true), { metrics: [{ ...one, gates: accepting(0.02) }] });
    expect(until((place) => aPair(place, true, true), both)).toEqual(narrow);
    const alone = until((place) => aPair(place, true, place % 4 !== 0));
    const four = until((place) => aPair(place, true, place % 4 !== 0), {
      metrics: [
        passing(),
        ...["b", "c", "d"].map((name) => ({ ...passing({ name, primary: false }), gates: accepting(0.9) })),
      ],
    });
    expect(four.verdict).toBe("regression");
    expect(four.cases).toBeGreaterThan(alone.cases);
  });

  test("decide nothing by a metric at its floor, and nothing while too many answers are missing", () => {
    expect(until((place) => aPair(place, false, false)).verdict).toBeNull();
    const lacking = (place: number) =>
      place % 10 === 0
        ? aCase(`k${place}`, [says(prod, "a", scored(true)), failed(candidate, "down")], { caseId: place })
        : aPair(place, true, true);
    const { cases, verdict } = until(lacking);
    // More than 50 of 1,000 cannot be made up for.
    expect({ cases, verdict }).toEqual({ cases: 510, verdict: "invalid" });
  });

  test("count losses at once and their absence at the end", () => {
    const metrics = [{ ...passing(), gates: [{ kind: "losses" as const, losses: 2, by: null }] }];
    expect(until((place) => aPair(place, true, place > 3), { metrics })).toEqual({ cases: 3, verdict: "regression" });
    expect(until((place) => aPair(place, true, true), { metrics })).toEqual({ cases: 1_000, verdict: "pass" });
  });

  test("wait for each value of a tag, but for one with too few cases in the plan", () => {
    const metrics = [{ ...passing(), gates: [{ kind: "margin" as const, margin: 0.05, by: "kind" }] }];
    const tagged = (place: number) =>
      aPair(place, true, true, { tags: { kind: place % 20 === 0 ? "rare" : place % 2 === 0 ? "even" : "odd" } });
    const values = new Map([
      [
        "kind",
        new Map([
          ["even", 450],
          ["odd", 500],
          ["rare", 50],
        ]),
      ],
    ]);
    const { cases, verdict } = until(tagged, { metrics }, { values });
    expect(verdict).toBe("pass");
    expect(cases).toBeGreaterThan(94 * 2);
    expect(cases).toBeLessThan(94 * 2.4);
  });

  test("keep one candidate's missing answers from the other", () => {
    const third = aTarget(3, "bench");
    const given = {
      sides: [prod, candidate, third],
      pairs: [
        { baseline: 0, candidate: 1 },
        { baseline: 0, candidate: 2 },
      ],
    };
    const { verdict } = until(
      (place) =>
        aCase(
          `k${place}`,
          [says(prod, "a", scored(true)), says(candidate, "a", scored(place % 3 !== 0)), failed(third, "down")],
          { caseId: place },
        ),
      given,
    );
    expect(verdict).toBe("regression");
  });
});

describe("a comparison of a run that stopped", () => {
  const random = seededRandom("stopped");
  const all = Array.from({ length: 400 }, (_, place) => aPair(place + 1, random() < 0.95, random() < 0.75));

  test("comes to the state of the watch by the cases that count, whatever order they are read in", () => {
    const watch = gateWatch(measured, { ...plan, planned: 400 });
    let decided = 0;
    for (const each of all) {
      watch.add([each]);
      decided += 1;
      if (watch.settled() !== null) break;
    }
    const stop: StopRule = {
      ...plan,
      planned: 400,
      placeOf: (caseId) => (caseId <= decided ? caseId : null),
      isWhole: false,
      needsSuite: false,
      decidedAfter: decided,
    };
    const { verdict, gates, candidates, stopping } = compareCases(all.toReversed(), { ...measured, stop });
    expect(verdict).toBe(watch.settled());
    expect(candidates[0]).toMatchObject({ compared: decided });
    expect(stopping).toMatchObject({ cases: 400, decidedAfter: decided });
    const [gate] = gates;
    expect(gate).toMatchObject({ state: "regression", decided: { by: "betting" } });
    if (gate?.kind !== "margin") throw new Error("the gate accepts a margin");
    expect(gate.decided?.upper).toBeLessThan(-0.05);
    expect(gate.decided?.pRegression).toBeLessThanOrEqual(0.05);
  });

  test("claims nothing of a score without bounds before all cases are in", () => {
    const scale = { kind: "unbounded" as const, unit: "ms" };
    const slow = passing({ name: "ms", primary: false, passes: false, scale, lowerIsBetter: true });
    const metrics = [passing(), { ...slow, gates: [] }];
    const isWhole = compareCases(all, {
      ...measured,
      metrics,
      stop: { ...plan, placeOf: (id) => id, isWhole: true, needsSuite: false, decidedAfter: 60 },
    });
    const isPart = compareCases(all, {
      ...measured,
      metrics,
      stop: { ...plan, placeOf: (id) => id, isWhole: false, needsSuite: false, decidedAfter: 60 },
    });
    const pOf = ({ candidates }: typeof isPart) =>
      candidates[0]?.metrics.map(({ comparison }) => comparison?.p ?? null);
    expect(pOf(isWhole)?.every((p) => p !== null)).toBe(true);
    expect(pOf(isPart)?.[0]).not.toBeNull();
    expect(pOf(isPart)?.[1]).toBeNull();
  });
});
