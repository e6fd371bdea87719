import { expect, test } from "vitest";
import { calibrate, type RepeatedRuns } from "../../src/compare/summary/calibration.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { accepting, passing } from "./case-result.ts";

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

const plan = {
  metrics: [passing()],
  runs: { candidate: 1, baseline: 1 },
  drops: [0, 0.05, 0.3],
  repetitions: 300,
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

test("the same seed measures the same", () => {
  const data = conversations(30, 2, 0.5);
  const quick = { ...plan, repetitions: 40 };
  expect(calibrate(data, quick)).toEqual(calibrate(data, quick));
  expect(calibrate(data, { ...quick, seed: "2" })).not.toEqual(calibrate(data, quick));
});
