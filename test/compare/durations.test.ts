import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durations } from "../../src/compare/tallies/durations.ts";
import { ranking } from "../../src/compare/tallies/candidate-tally.ts";

describe("durations", () => {
  test("give every quantile exactly for few, and within 1 % for many", () => {
    const milliseconds = fc.oneof(fc.double({ min: 0.001, max: 1e8, noNaN: true }), fc.integer({ min: 0, max: 5_000 }));
    const copies = fc.constantFrom(1, 1, 50);
    const share = fc.constantFrom(0, 0.01, 0.5, 0.95, 1);
    fc.assert(
      fc.property(fc.array(milliseconds, { minLength: 1, maxLength: 200 }), share, copies, (values, wanted, times) => {
        const held = durations();
        for (const value of values) for (let i = 0; i < times; i++) held.add(value);
        const exact = values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(wanted * values.length) - 1)] ?? 0;
        expect(Math.abs((held.quantile(wanted) ?? NaN) - exact)).toBeLessThanOrEqual(
          values.length * times > 1000 ? 0.0101 * exact : 0,
        );
      }),
    );
  });

  test("have no quantile when there are none", () => expect(durations().quantile(0.5)).toBeNull());
});

test("a ranking keeps the first of all that were added, equal ones in their order", () => {
  const numbers = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 5 })));
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 5 }), (ranks, size) => {
      const kept = ranking<number>(size);
      for (const [index, rank] of ranks.entries()) kept.add(rank, index);
      const order = ranks
        .map((rank, index) => ({ rank, index }))
        .toSorted((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1]);
      expect(kept.entries()).toEqual(order.slice(0, size).map(({ index }) => index));
    }),
  );
});
