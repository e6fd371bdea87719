import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { krippendorff } from "../../src/stats/agreement/krippendorff.ts";

interface Vector {
  function: string;
  inputs: { level: "nominal" | "interval"; units: (number | null)[][]; confidence: number };
  expected: { alpha: number; low: number; high: number; units: number };
  tolerance: number;
}

const file = new URL("../fixtures/judges.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: Vector[] };
const published = vectors.filter((vector) => vector.function === "krippendorff");

/** The definition, pair by pair. */
function byPairs(units: readonly (readonly number[])[], distance: (x: number, y: number) => number): number {
  const paired = units.filter((values) => values.length > 1);
  const all = paired.flat();
  const over = (values: readonly number[]): number =>
    values.reduce((total, x, i) => total + values.reduce((sum, y, j) => sum + (i === j ? 0 : distance(x, y)), 0), 0);
  const within = paired.reduce((total, values) => total + over(values) / (values.length - 1), 0) / all.length;
  return 1 - within / (over(all) / (all.length * (all.length - 1)));
}

const some = Array.from({ length: 24 }, (_, at) =>
  [at % 3, (at * 7) % 3, at % 5 === 0 ? 2 : at % 3].slice(at % 4 === 0 ? 1 : 0),
);

describe("Krippendorff's alpha", () => {
  test("has reference values", () => {
    expect(published.length).toBeGreaterThan(0);
  });

  test.each(published)("is as published, with its interval", ({ inputs, expected, tolerance }) => {
    const found = krippendorff(inputs.units, inputs);
    expect(found.units).toBe(expected.units);
    expect(Math.abs((found.alpha ?? Number.NaN) - expected.alpha)).toBeLessThan(tolerance);
    expect(Math.abs((found.interval?.low ?? Number.NaN) - expected.low)).toBeLessThan(tolerance);
    expect(Math.abs((found.interval?.high ?? Number.NaN) - expected.high)).toBeLessThan(tolerance);
  });

  test("is what its definition gives pair by pair, for classes and for numbers", () => {
    expect(krippendorff(some, { level: "nominal", confidence: 0.95 }).alpha).toBeCloseTo(
      byPairs(some, (x, y) => (x === y ? 0 : 1)),
      12,
    );
    const far = some.map((values) => values.map((value) => value + 1e6));
    const expected = byPairs(some, (x, y) => (x - y) ** 2);
    expect(krippendorff(some, { level: "interval", confidence: 0.95 }).alpha).toBeCloseTo(expected, 12);
    expect(krippendorff(far, { level: "interval", confidence: 0.95 }).alpha).toBeCloseTo(expected, 9);
  });

  test("takes whole clusters away for its interval", () => {
    const each = krippendorff(some, { level: "nominal", confidence: 0.95 });
    const twice = krippendorff([...some, ...some], { level: "nominal", confidence: 0.95 });
    const clusters = [...some.keys(), ...some.keys()];
    const clustered = krippendorff([...some, ...some], { level: "nominal", confidence: 0.95, clusters });
    const width = ({ interval }: typeof each): number => (interval === null ? 0 : interval.high - interval.low);
    // The same units once more tell nothing new.
    expect(width(twice)).toBeLessThan(0.8 * width(each));
    expect(width(clustered) / width(each)).toBeCloseTo(1, 1);
  });

  test("says why there is none", () => {
    const of = (units: (number | null)[][]) => krippendorff(units, { level: "nominal", confidence: 0.95 });
    expect(of([[1, null], [2]])).toEqual({ alpha: null, interval: null, units: 0, reason: "nothing was valued twice" });
    expect(
      of([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual({ alpha: null, interval: null, units: 2, reason: "one class only" });
    expect(
      of([
        [1, 1],
        [0, 0],
      ]),
    ).toEqual({ alpha: 1, interval: null, units: 2, reason: "no disagreement" });
    expect(of([[1, 0]])).toMatchObject({ alpha: 0, interval: null, reason: "needs at least 2 units" });
    expect(
      of([
        [1, 1],
        [1, 1],
        [1, 0],
      ]),
    ).toMatchObject({ interval: null, reason: "all units but one have one class only" });
  });
});
