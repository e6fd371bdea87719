import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excerpts } from "../../src/report/terminal/row-lines.ts";
import { duration } from "../../src/report/say/quantity.ts";
import { visible } from "../../src/report/text/visible.ts";
import { displayWidth, fit, pad } from "../../src/report/text/width.ts";
import { anyCharacter } from "../any-character.ts";

describe("the width of a text", () => {
  test.each([
    ["plain", 5],
    ["café", 4],
    ["cafe\u0301", 4],
    ["日本語", 6],
    ["한국어", 6],
    ["\u1112\u1161\u11ab", 2],
    ["ｆｕｌｌ", 8],
    ["ｶﾅ", 2],
    ["سلام", 4],
    ["ሰላም", 3],
    ["हिन्दी", 5],
    ["🙂", 2],
    ["👩🏽‍🌾", 2],
    ["🇮🇳", 2],
    ["1️⃣", 2],
    ["❤️", 2],
    ["❤", 1],
    ["©", 1],
    ["a\u200bb", 2],
    ["", 0],
  ])("%j is %i", (text, width) => expect(displayWidth(text)).toBe(width));
});

const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: anyCharacter }).map(visible));

test("a fitted text is never wider than asked, and is unchanged where it fits", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, width) => {
      expect(displayWidth(fit(text, width))).toBeLessThanOrEqual(width);
      expect(fit(text, Math.max(width, displayWidth(text)))).toBe(text);
      expect(displayWidth(pad(fit(text, width), width))).toBe(width);
    }),
  );
});

test("fitting tears no character apart", () => {
  expect(fit("👩🏽‍🌾👩🏽‍🌾👩🏽‍🌾", 5)).toBe("👩🏽‍🌾👩🏽‍🌾…");
  expect(fit("日本語", 4)).toBe("日…");
  expect(fit("日本語", 5)).toBe("日本…");
});

describe("what is visible", () => {
  test("of marks upon marks, and of characters joined without end, the first; the others are counted", () => {
    expect(visible(`a${"\u0301".repeat(20_000)} b`)).toBe(`a${"\u0301".repeat(32)}⟨19968 more marks⟩ b`);
    expect(visible("\u{1f469}\u200d".repeat(20_000)).length).toBeLessThan(200);
    expect(visible(`${"\u0600".repeat(20_000)}x`).length).toBeLessThan(200);
    const scripts = `${"नमस्ते ".repeat(99)}${"👨‍👩‍👧‍👦".repeat(99)}${"ཧཱུྃ".repeat(99)}${"한".normalize("NFD").repeat(9)}`;
    expect(visible(scripts)).toBe(scripts);
  });

  test("is one line without anything that a terminal obeys", () => {
    expect(visible("a\u001b[31m\u0007\u007f\u0085\u0000")).toBe("a␛[31m␇␡⟨85⟩␀");
    expect(visible("one\r\n\n  two\tthree")).toBe("one ↵ two␉three");
    expect(visible("\u202eabc\u2069\u200f")).toBe("⟨RLO⟩abc⟨PDI⟩⟨RLM⟩");
    expect(visible("\ud800x")).toBe("\ufffdx");
  });

  test("keeps letters, marks, joiners and emoji", () => {
    const text = "हिन्दी क्‍ष سلام ሰላም 👩🏽‍🌾 e\u0301";
    expect(visible(text)).toBe(text);
  });
});

describe("excerpts", () => {
  test("begin where two texts begin to differ, at a word", () => {
    const shared = "the plants need water twice a week and ".repeat(3);
    expect(excerpts(`${shared}sun`, `${shared}shade`, 30)).toEqual(["…and sun", "…and shade"]);
  });

  test("of short texts are the texts", () => {
    expect(excerpts("one", "two", 30)).toEqual(["one", "two"]);
    expect(excerpts("same".repeat(3), "same".repeat(3), 30)).toEqual(["same".repeat(3), "same".repeat(3)]);
  });

  test("never are wider than asked and never tear characters apart", () => {
    fc.assert(
      fc.property(texts, texts, texts, (shared, a, b) => {
        for (const text of excerpts(shared + a, shared + b, 12)) expect(displayWidth(text)).toBeLessThanOrEqual(12);
      }),
    );
  });
});

test("quantities are written for people", () => {
  expect([0, 0.44, 9.9, 9.96, 120.4, 999.6, 12_345, 59_940, 59_960, 200_000, 7_500_000].map(duration)).toEqual([
    "0 ms",
    "0.4 ms",
    "9.9 ms",
    "10 ms",
    "120 ms",
    "1.0 s",
    "12.3 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 20 s",
    "2 h 5 min",
  ]);
});
