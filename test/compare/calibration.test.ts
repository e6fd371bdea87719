import { expect, test } from "vitest";
import { calibrationNotes } from "../../src/app/calibrate/calibrate.ts";
import { calibrate } from "../../src/compare/summary/calibration.ts";
import type { RepeatedRuns } from "../../src/compare/summary/imitation.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { accepting, passing } from "./case-result.ts";
import { often } from "../often.ts";

/** Conversations of so many turns; of the variation of a run so much is shared by all turns of its conversation. */
function conversations(count: number, turns: number, shared: number): RepeatedRuns {
  const random = seededRandom("conversations");
  const starts = Array.from({ length: count + 1 }, (_, i) => i * turns);
  const values = Array.from({ length: count }, () => {
    const moods = [random(), random(), random(), random()];
    return Array.from({ length: turns }, () =>
      moods.map((mood) => ((random() < shared ? mood : random()) < 0.8 ? 1 : 0)),
    );
  }).flat();
  return { starts, runs: Array.from({ length: count }, () => 4), values: [values], tags: values.map(() => ({})) };
}

/** A limit that is wider than the drop which is planted beside it. */
const lenient = { ...passing(), gates: accepting(0.2) };

const plan = {
  metrics: [passing()],
  runs: { candidate: 1, baseline: 1 },
  drops: [0, 0.05, 0.3],
  repetitions: often(120, 300),
  alpha: 0.05,
  passAlpha: 0.05,
  seed: "1",
};

test("the gates give at most as many false alarms as they promise, also at the margin, and find a large drop", () => {
  const [none, margin, large] = calibrate(conversations(120, 1, 0), plan);
  expect(none?.regression).toBeLessThan(0.02);
  expect(margin?.regression).toBeLessThan(0.09);
  expect(large?.regression).toBeGreaterThan(0.9);
  expect(large?.promised).toBeGreaterThan(0.9);
  // A pass is false from the margin on.
  expect([none?.keptPass, margin?.keptPass, large?.keptPass]).toEqual([null, true, true]);
});

test("conversations of turns that are alike stay calm, because they are drawn and counted as a whole", () => {
  const [none, margin] = calibrate(conversations(30, 6, 0.9), plan);
  expect(none?.regression).toBeLessThan(0.05);
  expect(margin?.regression).toBeLessThan(0.1);
});

test("a drop is planted in full where half of the values are at the end of their scale and cannot fall", () => {
  const data = conversations(150, 1, 0);
  const of = (metric: ReturnType<typeof passing>) => calibrate(data, { ...plan, metrics: [metric] })[2];
  const rate = of(passing());
  const value = of({ ...passing({ passes: false, scale: { kind: "bounded", min: 0, max: 1 } }), of: "value" });
  expect(value?.regression).toBeGreaterThan(0.9);
  expect(Math.abs((value?.regression ?? 0) - (rate?.regression ?? 0))).toBeLessThan(0.1);
  const loss = passing({ passes: false, lowerIsBetter: true, scale: { kind: "bounded", min: 0, max: 1 } });
  expect(of({ ...loss, of: "value" })?.regression).toBeGreaterThan(0.9);
});

test("each gate has as many of its own margins planted, whatever its unit", () => {
  const data = conversations(150, 1, 0);
  const points = passing({ name: "points", passes: false, scale: { kind: "bounded", min: 0, max: 100 } });
  const hundred = data.values[0]?.map((runs) => runs.map((run) => run * 100)) ?? [];
  const metrics = [{ ...points, gates: accepting(5) }, passing()];
  const both = { ...data, values: [hundred, ...data.values] };
  const [none, margin, large] = calibrate(both, { ...plan, drops: [0, 5, 30], metrics });
  expect(none?.regression).toBeLessThan(0.02);
  // Five points of a hundred, and five points of a rate: not five times all of it.
  expect(margin?.kept).toBe(true);
  expect(large?.regression).toBeGreaterThan(0.9);
});

test("a score without ends passes here as seldom as in a run: never where nothing varied, and with one more loss", () => {
  const endless = passing({ passes: false, scale: { kind: "unbounded", unit: null } });
  const metrics = [{ ...endless, of: "value" as const, gates: accepting(0.1) }];
  const data = (count: number, valueOf: (place: number) => number): RepeatedRuns => ({
    ...conversations(count, 1, 0),
    values: [Array.from({ length: count }, (_, place) => [0, 1, 2, 3].map(() => valueOf(place)))],
  });
  const passes = (given: RepeatedRuns): number => {
    const [none] = calibrate(given, { ...plan, metrics, repetitions: 40, drops: [0] });
    return (none?.states.pass ?? 0) / (none?.repetitions ?? 1);
  };
  // The same in all runs of all cases; of twenty cases, with values a whole unit apart; and of a hundred.
  expect(passes(data(40, () => 3))).toBe(0);
  expect(passes(data(20, (place) => place % 2))).toBe(0);
  expect(passes(data(100, (place) => place % 2))).toBe(1);
});

test("the words are counted: of equal bots few are WORSE or BETTER, and a drop within the limit is named WORSE", () => {
  const [none, small] = calibrate(conversations(200, 1, 0), { ...plan, drops: [0, 0.15], metrics: [lenient] });
  const { words, states } = none ?? { words: null, states: null };
  expect(words?.pass).toBeGreaterThan(plan.repetitions / 2);
  expect([none?.keptWorse, none?.keptBetter]).toEqual([true, true]);
  expect(none?.falseAlarms?.share).toBeLessThan(0.05);
  expect(states?.pass).toBe((words?.pass ?? 0) + (words?.better ?? 0));
  expect(small?.words.worse).toBeGreaterThan(plan.repetitions / 4);
  expect(small).toMatchObject({ falseAlarms: null, keptWorse: null, keptBetter: true });
  expect(small?.states.inconclusive).toBeGreaterThanOrEqual(small?.words.worse ?? 0);
});

test("of equal bots about one in forty gains by chance, and is counted as BETTER", () => {
  const data = conversations(400, 1, 0);
  const few = calibrate(data, { ...plan, drops: [0], repetitions: often(600, 2000) })[0];
  expect(few?.words.better).toBeGreaterThan(0);
  expect((few?.words.better ?? 0) / (few?.repetitions ?? 1)).toBeLessThan(0.045);
});

test("the same seed measures the same", () => {
  const data = conversations(30, 2, 0.5);
  const quick = { ...plan, repetitions: 40 };
  expect(calibrate(data, quick)).toEqual(calibrate(data, quick));
  expect(calibrate(data, { ...quick, seed: "2" })).not.toEqual(calibrate(data, quick));
});

/** Cases that pass in every run, but for a share that is a toss of a coin; each with a category of two. */
function coins(count: number, share: number): RepeatedRuns {
  const data = conversations(count, 1, 0);
  const random = seededRandom("coins");
  const values = Array.from({ length: count }, () => {
    const isCoin = random() < share;
    return [0, 1, 2].map(() => (isCoin && random() < 0.5 ? 0 : 1));
  });
  return {
    ...data,
    runs: data.runs.map(() => 3),
    values: [values],
    tags: values.map((_, i) => ({ kind: i % 2 ? "odd" : "even" })),
  };
}

test("a gate that counts losses tells how often the same bot loses more cases than allowed", () => {
  const losing = (losses: number) => ({ ...passing(), gates: [{ kind: "losses", losses, by: null } as const] });
  const of = (data: RepeatedRuns, losses: number) =>
    calibrate(data, { ...plan, drops: [0], metrics: [losing(losses)] });
  expect(of(coins(60, 0), 0)).toMatchObject([{ losses: 0, kept: null, states: { regression: 0, pass: 0 } }]);
  // Six coins: one side passes and the other fails in a quarter of them.
  expect(of(coins(60, 0.1), 0)[0]?.losses).toBeGreaterThan(0.6);
  expect(of(coins(60, 0.1), 8)[0]?.losses).toBeLessThan(0.05);
});

test("a gate by a tag keeps its promise over all values together, and finds what is lost in each", () => {
  const by = { ...passing(), gates: [{ kind: "margin", margin: 0.1, by: "kind" } as const] };
  const [none, margin, large] = calibrate(coins(160, 0.1), { ...plan, drops: [0, 0.1, 0.4], metrics: [by] });
  expect(none?.regression).toBeLessThan(0.02);
  expect(none?.states.pass).toBeGreaterThan(plan.repetitions / 2);
  expect([margin?.kept, margin?.keptPass]).toEqual([true, true]);
  expect(large?.regression).toBeGreaterThan(0.9);
});

test("a median is lowered by the whole of a drop, of a score with bounds too", () => {
  const random = seededRandom("scores");
  const scores = Array.from({ length: 60 }, () => {
    const ofCase = 0.2 + random() / 2;
    return [0, 1, 2].map(() => ofCase + random() / 50);
  });
  const bounded = passing({ passes: false, scale: { kind: "bounded", min: 0, max: 1 } });
  const data = { ...conversations(60, 1, 0), values: [scores] };
  const of = { ...plan, drops: [0, 0.05, 0.1], metrics: [{ ...bounded, of: "median" } as const] };
  const [none, margin, double] = calibrate({ ...data, runs: data.runs.map(() => 3) }, of);
  expect([none?.regression, none?.states.pass]).toEqual([0, plan.repetitions]);
  expect([margin?.kept, margin?.keptPass]).toEqual([true, true]);
  expect(double?.regression).toBeGreaterThan(0.95);
});

test("a gate at its floor is open whatever is planted", () => {
  const data = conversations(60, 1, 0);
  const failed = data.values[0]?.map((runs) => runs.map(() => 0)) ?? [];
  const rows = calibrate({ ...data, values: [failed] }, plan);
  expect(rows.map(({ states }) => states.inconclusive)).toEqual(Array(3).fill(plan.repetitions));
});

test("a run that says nothing leaves the other runs of its case, and a case of which a side says nothing leaves", () => {
  const data = conversations(100, 1, 0);
  const passes = data.values[0]?.map(() => [1, 1, 1, 1]) ?? [];
  const quiet = passes.map((runs, i) => (i % 2 === 0 ? [1, Number.NaN, 1, 1] : runs));
  const two = { ...plan, runs: { candidate: 2, baseline: 2 }, drops: [0] };
  // With one of four runs missing each side has one or two, and no case is lost.
  const ofAll = calibrate({ ...data, values: [passes] }, two);
  expect(calibrate({ ...data, values: [quiet] }, two)).toEqual(ofAll);
  expect(ofAll[0]?.states.pass).toBe(plan.repetitions);
  // Of 50 cases 45 say nothing: five that pass everything are too few for a pass.
  const rest = passes.map((runs, i) => (i % 20 === 0 ? runs : runs.map(() => Number.NaN)));
  expect(calibrate({ ...data, values: [rest] }, two)[0]?.states.pass).toBe(0);
});

test("what would make a real comparison invalid, or open whatever happens, is said beside the shares", () => {
  const notes = (values: number[][], unanswered: number) =>
    calibrationNotes("prod", [passing()], {
      values: [values],
      runs: { asked: 140, unanswered },
      maxErrorShare: 0.05,
      isStopped: false,
    });
  const sound = Array.from({ length: 70 }, () => [1, 1]);
  expect(notes(sound, 7)).toEqual([]);
  expect(notes(sound, 12)).toEqual([
    "12 of 140 runs of prod have no answer (8.6 %, at most 5 % are allowed): a real comparison would be invalid",
  ]);
  const floor = sound.map((runs, i) => runs.map(() => (i < 2 ? 1 : 0)));
  expect(notes(floor, 0)).toEqual([
    "correct of prod (2.9 %) is so near the end of its scale that it cannot fall by the margin: its gate cannot tell",
  ]);
});
