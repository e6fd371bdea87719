import fc from "fast-check";
import { expect, test } from "vitest";
import type { RowHead } from "../../src/report/shape/row-head.ts";
import { maskOf, RowOrder } from "../../src/viewer/server/row-order.ts";

function head(given: { rank: number; score: number | null; latencyMs: number | null; failed: boolean }): RowHead {
  const { rank, score, latencyMs, failed } = given;
  const change = { kind: "changed", trend: rank > 4 ? "worse" : null, distance: rank / 10, excess: null } as const;
  return {
    key: "k",
    place: 1,
    row: 2,
    file: null,
    question: "",
    tags: {},
    sides: [{ outcome: "answered", failed, excerpt: "", scores: [score], latencyMs, cost: null, tokens: null }],
    changes: [{ ...change, rank, members: 0 }],
    failed,
    graded: score === null ? null : score < 1 ? "missed" : "passed",
    flaky: false,
  };
}

const heads = fc.array(
  fc.record({
    rank: fc.double({ min: 0, max: 7, noNaN: true }),
    score: fc.option(fc.double({ min: -5, max: 5, noNaN: true })),
    latencyMs: fc.option(fc.double({ min: 0, max: 90_000, noNaN: true })),
    failed: fc.boolean(),
  }),
  { maxLength: 40 },
);

function orderOf(given: RowHead[]): RowOrder {
  const order = new RowOrder(1, given.length);
  for (const each of given) order.add(each);
  return order;
}

test("sorts as comparing the keys two by two would, equal ones as in the dataset", () => {
  fc.assert(
    fc.property(heads, (given) => {
      const rows = given.map(head);
      const order = orderOf(rows);
      const keys = {
        rank: rows.map(({ changes }) => Math.fround(changes[0]?.rank ?? 0)),
        distance: rows.map(({ changes }) => Math.fround(changes[0]?.distance ?? -1)),
        // Rows without a score come last.
        score: rows.map(({ sides }) => Math.fround(-(sides[0]?.scores[0] ?? Infinity))),
        slow: rows.map(({ sides }) => Math.fround(sides[0]?.latencyMs ?? -1)),
      };
      for (const [sort, values] of Object.entries(keys)) {
        const expected = values
          .map((_, place) => place)
          .toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
        expect(Array.from(order.order(0, sort as keyof typeof keys))).toEqual(expected);
      }
    }),
  );
});

test("counts and marks the rows that each filter finds", () => {
  const order = orderOf([5, 1, 6].map((rank) => head({ rank, score: 1, latencyMs: 1, failed: rank === 1 })));
  expect(order.counts()[0]).toMatchObject({ all: 3, changed: 3, worse: 2, errors: 1, passed: 3, slow: 3, flaky: 0 });
  const worse = Array.from(order.flags(0)).map((flag) => (flag & maskOf("worse")) !== 0);
  expect(worse).toEqual([true, false, true]);
  expect(maskOf("all")).toBe(0);
});
