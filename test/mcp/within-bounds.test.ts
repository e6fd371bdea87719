import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withinBounds } from "../../src/mcp/server.ts";

const wide = { text: 1000, from: 0, total: 100_000, items: 100 };

describe("the bounds of what an agent is told", () => {
  test("a long text says where it was cut, and is read on from there", () => {
    const answer = "abcdefghij";
    expect(withinBounds({ answer }, { ...wide, text: 4 })).toEqual({ answer: "abcd [cut: characters 0 to 4 of 10]" });
    expect(withinBounds({ answer }, { ...wide, text: 4, from: 8 })).toEqual({
      answer: "ij [cut: characters 8 to 10 of 10]",
    });
    // Short texts, such as keys, are whole wherever long ones begin.
    expect(withinBounds({ key: "abc" }, { ...wide, text: 4, from: 8 })).toEqual({ key: "abc" });
  });

  test("long lists and wide maps say how many they leave out", () => {
    expect(withinBounds([1, 2, 3], { ...wide, items: 2 })).toEqual([1, 2, "[cut: 1 more]"]);
    expect(withinBounds({ a: 1, b: 2, c: 3 }, { ...wide, items: 2 })).toEqual({ a: 1, b: 2, "[cut]": "1 more" });
  });

  test("all texts together keep within their total, whatever their lengths", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 });
    fc.assert(
      fc.property(lengths, (each) => {
        const texts = each.map((length) => "x".repeat(length));
        const reported = JSON.stringify(withinBounds(texts, { text: 50, from: 0, total: 300, items: 100 }));
        const whole = each.reduce((sum, length) => sum + Math.min(50, length), 0);
        expect(reported.match(/x/g)?.length ?? 0).toBe(Math.min(300, whole));
      }),
    );
  });
});
