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

  test("texts that nobody sees become visible, in names too", () => {
    const hidden = `fine${String.fromCodePoint(0xe0049, 0xe0047)}`;
    expect(withinBounds({ [hidden]: hidden }, wide)).toEqual({ "fine⟨TAG 49⟩⟨TAG 47⟩": "fine⟨TAG 49⟩⟨TAG 47⟩" });
    expect(withinBounds("a\u001b[31m\u202eb", wide)).toBe("a␛[31m⟨RLO⟩b");
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

test.each([
  ["zero-width spaces", "be\u200Bfore", "be⟨ZWSP⟩fore"],
  ["a mark of order", "\uFEFFbe\u2060fore", "⟨BOM⟩be⟨WJ⟩fore"],
  ["a soft hyphen", "be\u00ADfore", "be⟨SHY⟩fore"],
  ["marks of direction", "\u200Ebe\u200Ffore", "⟨LRM⟩be⟨RLM⟩fore"],
  ["fillers of Hangul", "be\u3164fore\uFFA0", "be⟨3164⟩fore⟨FFA0⟩"],
  ["a text in forms of an emoji", "😀\uFE0F\uFE01\u{E0101}\u{E0142}", "😀\uFE0F⟨FE01⟩⟨E0101⟩⟨E0142⟩"],
  ["a text in joiners", "a\u200D\u200C\u200D", "a\u200D⟨200C⟩⟨200D⟩"],
  ["tags", "a\u{E0041}\u{E0042}", "a⟨TAG 41⟩⟨TAG 42⟩"],
])("characters that nobody sees are told to an agent as signs: %s", (_what, text, shown) => {
  expect(withinBounds({ [text]: text }, { text: 100, total: 1_000, items: 10, from: 0 })).toEqual({ [shown]: shown });
});

test.each(["👩🏽‍🌾 🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️", "क्‍ष می‌خواهم", "葛\u{E0100}城", "line\nline\ttab", "ሰላም"])(
  "what scripts and emoji are made of stays: %j",
  (text) => {
    expect(withinBounds(text, { text: 100, total: 1_000, items: 10, from: 0 })).toBe(text);
  },
);
