import fc from "fast-check";
import { expect, test } from "vitest";
import { passCountTest } from "../../src/stats/paired/exact-pass-test.ts";
import { mcNemar } from "../../src/stats/paired/mcnemar.ts";

/** Every way to deal the runs of each case, one by one. */
function dealt(cases: readonly { a: boolean[]; b: boolean[] }[]): { below: number; same: number; above: number } {
  const seen = cases.reduce((sum, { a }) => sum + a.filter(Boolean).length, 0);
  let sums = [0];
  for (const { a, b } of cases) {
    const all = [...a, ...b];
    const ways = Array.from({ length: 2 ** all.length }, (_, chosen) => all.filter((__, run) => (chosen >> run) & 1))
      .filter((chosen) => chosen.length === a.length)
      .map((chosen) => chosen.filter(Boolean).length);
    sums = sums.flatMap((sum) => ways.map((passes) => sum + passes));
  }
  const share = (holds: (sum: number) => boolean): number => sums.filter(holds).length / sums.length;
  return { below: share((sum) => sum < seen), same: share((sum) => sum === seen), above: share((sum) => sum > seen) };
}

test("counts what dealing the runs of every case in every way counts", () => {
  const runs = (length: number) => fc.array(fc.boolean(), { minLength: length, maxLength: length });
  const cases = fc.array(fc.record({ a: runs(2), b: runs(3) }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(cases, (given) => {
      const passes = given.map(({ a, b }) => [...a, ...b].filter(Boolean).length);
      const counted = new Map(passes.map((each) => [each, passes.filter((other) => other === each).length]));
      const passesA = given.reduce((sum, { a }) => sum + a.filter(Boolean).length, 0);
      const { below, same, above } = dealt(given);
      const expected = Math.min(1, 2 * Math.min(below, above) + same);
      expect(passCountTest({ runs: { a: 2, b: 3 }, cases: counted, passesA })).toBeCloseTo(expected, 9);
    }),
    { numRuns: 30 },
  );
});

test("is McNemar's mid-p for one run each, 1 where all runs agree, and null for more than it counts", () => {
  const cases = new Map([
    [0, 7],
    [1, 13],
    [2, 80],
  ]);
  expect(passCountTest({ runs: { a: 1, b: 1 }, cases, passesA: 80 + 3 })).toBeCloseTo(
    mcNemar({ onlyA: 3, onlyB: 10 }).midP,
    12,
  );
  expect(passCountTest({ runs: { a: 2, b: 1 }, cases: new Map([[3, 50]]), passesA: 100 })).toBe(1);
  expect(passCountTest({ runs: { a: 1, b: 2 }, cases: new Map([[1, 5_000]]), passesA: 1_700 })).toBeNull();
});

test("counts many runs too, whose number of ways is beyond any number", () => {
  const runs = { a: 515, b: 515 };
  const even = passCountTest({ runs, cases: new Map([[515, 1]]), passesA: 257 });
  expect(even).toBeGreaterThan(0.9);
  const apart = passCountTest({ runs, cases: new Map([[515, 1]]), passesA: 200 });
  // 200 against 315 of 515: two rates 22 points apart.
  expect(apart).toBeGreaterThan(0);
  expect(apart).toBeLessThan(1e-10);
});
