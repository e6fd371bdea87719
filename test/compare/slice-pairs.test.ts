import { describe, expect, test } from "vitest";
import { SliceIndex } from "../../src/compare/tallies/slices.ts";

describe("pairs of tags", () => {
  test("have so many cases that they can tell something, and so have their values without each other", () => {
    const index = new SliceIndex();
    const add = (times: number, tags: Record<string, string>): void => {
      for (let i = 0; i < times; i++) index.add(tags);
    };
    add(10, { a: "1", b: "x" });
    add(9, { a: "2", b: "x" });
    add(10, { a: "1", b: "y" });
    add(12, { a: "3", b: "z" });
    add(10, { a: "1" });
    add(1, { b: "x" });
    // Value 2 has too few with x; of 3 and z all cases are the same; y without 1 has none.
    expect(index.slices().pairs.map(({ tag, value, and, places }) => [tag, value, and, places.length])).toEqual([
      ["a", "1", { tag: "b", value: "x" }, 10],
    ]);
  });

  test("are so few that single values can still be told from chance: the largest, and the others are counted", () => {
    const index = new SliceIndex();
    for (let i = 0; i < 12 * 12 * 11; i++) index.add({ a: String(i % 12), b: String(Math.floor(i / 12) % 12) });
    for (let i = 0; i < 5; i++) index.add({ a: "7", b: "7" });
    const { pairs, pairsLeft } = index.slices();
    expect([pairs.length, pairsLeft]).toEqual([100, 44]);
    expect(pairs[0]).toMatchObject({ value: "7", and: { value: "7" } });
    expect(pairs[0]?.places).toHaveLength(16);
  });
});
