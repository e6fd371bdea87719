import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyTable } from "../../src/dataset/table/key-table.ts";

describe("the table of keys", () => {
  test("tells the number that a text had before, like a map", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (texts) => {
        const table = new KeyTable();
        const map = new Map<string, number>();
        for (const [i, text] of texts.entries()) {
          expect(table.addOnce(text, i)).toBe(map.get(text) ?? null);
          if (!map.has(text)) map.set(text, i);
        }
      }),
    );
  });

  test("counts repetitions", () => {
    const table = new KeyTable();
    expect(["a", "b", "a", "a", "b"].map((text) => table.count(text))).toEqual([1, 1, 2, 3, 2]);
  });

  test("keeps 300,000 similar keys apart", () => {
    const table = new KeyTable();
    let found = 0;
    for (let i = 0; i < 300_000; i++) if (table.addOnce(`q${i}`, i) !== null) found++;
    expect(found).toBe(0);
    expect(table.addOnce("q299999", 1)).toBe(299_999);
  });
});
