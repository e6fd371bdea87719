import fc from "fast-check";
import { expect, test } from "vitest";
import { changeOrder, greatestFirst } from "../../src/report/model/row-loss.ts";
import { readAddress, writeAddress } from "../../src/viewer/app/data/address.ts";
import { directionOf, headSorts, nextSort, sortName } from "../../src/viewer/app/rows/row-sorts.ts";
import { syntheticSummary } from "../report/synthetic.ts";

const { metrics, targets } = syntheticSummary(10);
const [first, second] = metrics;
if (first === undefined || second === undefined) throw new Error("two metrics are needed");

test("clicks on the head of the change lead from what lost most to what gained most, and back", () => {
  const { change, row, answer } = headSorts({ metrics, targets }, "rank");
  expect(change).toEqual([`change:${first.name}`, `gain:${first.name}`]);
  expect(nextSort(change, "rank")).toBe(`change:${first.name}`);
  expect(nextSort(change, `change:${first.name}`)).toBe(`gain:${first.name}`);
  expect(nextSort(change, `gain:${first.name}`)).toBe("rank");
  expect([nextSort(row, "slow"), nextSort(row, "place")]).toEqual(["place", "rank"]);
  // The lowest score of two targets is no order of one of them.
  expect(answer).toEqual([]);
  expect(headSorts({ metrics, targets: targets.slice(0, 1) }, "rank").answer).toEqual(["score"]);
  expect(headSorts({ metrics: [], targets: targets.slice(0, 1) }, "rank")).toMatchObject({
    answer: ["slow"],
    change: ["distance"],
  });
});

test("whoever sorts by the change of another metric stays with it", () => {
  const { change } = headSorts({ metrics, targets }, `change:${second.name}`);
  expect(nextSort(change, `change:${second.name}`)).toBe(`gain:${second.name}`);
  expect([`change:${second.name}`, `gain:${second.name}`].map((sort) => directionOf(sort as "rank"))).toEqual([
    "ascending",
    "descending",
  ]);
});

test("an order by a metric of any name stands in the address and in words", () => {
  for (const name of ["a:b", "gain:x", "two\nlines", 'q"&#%'] as const) {
    for (const sort of [`change:${name}`, `gain:${name}`] as const) {
      expect(readAddress(writeAddress({ ...readAddress(""), sort })).sort).toBe(sort);
      expect(sortName(sort)).toBe(`${sort.startsWith("gain:") ? "Gained" : "Lost"} most by ${name} first`);
    }
  }
});

test("what gained most first is what lost most first the other way round, and what cannot be compared is last in both", () => {
  const score = fc.option(fc.integer({ min: -50, max: 50 }).map((tenths) => tenths / 10));
  const rows = fc.array(fc.record({ baseline: score, candidate: score }), { maxLength: 30 });
  const facts = fc.record({ lowerIsBetter: fc.boolean(), relative: fc.boolean() });
  fc.assert(
    fc.property(rows, facts, (sides, given) => {
      const metric = { ...first, ...given };
      const keysIn = (sort: string): number[] => {
        const key = changeOrder(sort, [metric])?.key;
        if (key === undefined) throw new Error("no order");
        return sides.map(key).toSorted(greatestFirst);
      };
      const [lost, gained] = [keysIn(`change:${metric.name}`), keysIn(`gain:${metric.name}`)];
      const known = sides.filter(({ baseline, candidate }) => baseline !== null && candidate !== null).length;
      const turned = lost.slice(0, known).map((key) => 0 - key);
      // No zero is below another.
      expect(gained.slice(0, known).map((key) => key + 0)).toEqual(turned.toReversed());
      const rest = [...lost.slice(known), ...gained.slice(known)];
      expect(rest.every((key) => key === Number.NEGATIVE_INFINITY)).toBe(true);
    }),
  );
  expect(changeOrder("gain:nowhere", metrics)).toBeNull();
});
