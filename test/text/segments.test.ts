import * as fc from "fast-check";
import { expect, test } from "vitest";
import { graphemes } from "../../src/text/graphemes.ts";
import { tokens } from "../../src/text/tokens.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
const parts = ["क्षेत्र", "👩🏽‍🌾", "e\u0301", "\r\n", "🇮🇳", "a", "\u0301", "각", " ", "word", "\u200d"];

test.each([
  ["", parts],
  [" with characters that take the next one", [...parts, "\u0600x"]],
])("long texts%s have the same characters as the segmenter finds at once", (_which, pool) => {
  const long = fc.array(fc.constantFrom(...pool), { minLength: 800, maxLength: 1200 }).map((chosen) => chosen.join(""));
  fc.assert(
    fc.property(long, (text) => {
      expect([...graphemes(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment));
    }),
    { numRuns: 20 },
  );
});

test("one character may be longer than a piece", () => {
  const zalgo = `a${"\u0301".repeat(5_000)}`;
  expect([...graphemes(`x${zalgo}y`)]).toEqual(["x", zalgo, "y"]);
});

test("half a million characters take a moment", () => {
  let count = 0;
  for (const grapheme of graphemes("क्षेत्र और ".repeat(50_000))) count += grapheme.length > 0 ? 1 : 0;
  expect(count).toBe(300_000);
  expect(tokens("東京に行きます".repeat(30_000)).length).toBeGreaterThan(60_000);
});
