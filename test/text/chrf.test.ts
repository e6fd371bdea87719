import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { chrf2, chrfLongest } from "../../src/text/chrf/chrf.ts";
import { anyCharacter } from "../any-character.ts";
import { often } from "../often.ts";

const vector = z.object({
  id: z.string(),
  method: z.string(),
  tol: z.number(),
  input: z.looseObject({}),
  expected: z.unknown(),
});
const chrfInput = z.object({ hypothesis: z.string(), reference: z.string() });
const file = new URL("../fixtures/statistics.json", import.meta.url);
const { vectors } = z.object({ vectors: z.array(vector) }).parse(JSON.parse(readFileSync(file, "utf8")));
const cases = vectors
  .filter(({ method }) => method.startsWith("chrF2"))
  .map(({ id, input, expected }) => ({
    id,
    texts: chrfInput.parse(input),
    chrf: z.object({ chrf: z.number() }).parse(expected).chrf,
  }));

const words = fc.array(fc.constantFrom("ab", "ba", "क्षेत्र", " ", "سلام", "አማ", "👩🏽‍🌾", "e\u0301", "\n"), { maxLength: 20 });
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  words.map((parts) => parts.join("")),
);

describe("chrF2", () => {
  test("there are reference values", () => expect(cases.length).toBe(5));

  test.each(cases)("gives the reference value of $id", ({ texts: { hypothesis, reference }, chrf }) => {
    expect(chrf2(hypothesis, reference)).toBeCloseTo(chrf, 9);
  });

  test("agrees with the definition, computed naively, on any texts", () => {
    fc.assert(
      fc.property(texts, texts, (hypothesis, reference) => {
        expect(chrf2(hypothesis, reference)).toBeCloseTo(naive(hypothesis, reference), 9);
      }),
      { numRuns: often(100, 500) },
    );
  });

  test("agrees with it where both texts begin and end alike, also where these parts meet or are all of one text", () => {
    fc.assert(
      fc.property(texts, texts, texts, texts, (head, one, other, tail) => {
        const [hypothesis, reference] = [`${head}${one}${tail}`, `${head}${other}${tail}`];
        expect(chrf2(hypothesis, reference)).toBeCloseTo(naive(hypothesis, reference), 9);
      }),
      { numRuns: often(100, 500) },
    );
    expect(chrf2("abababababababab", "ababababababababab")).toBeCloseTo(
      naive("abababababababab", "ababababababababab"),
      9,
    );
  });

  test("agrees with it on texts of so many different characters that their grams have no table of their own", () => {
    const many = fc.array(fc.integer({ min: 0x4e00, max: 0x4fff }), { minLength: 400, maxLength: 600 });
    fc.assert(
      fc.property(many, many, (one, other) => {
        const [hypothesis, reference] = [String.fromCharCode(...one, ...other), String.fromCharCode(...other, ...one)];
        expect(chrf2(hypothesis, reference)).toBeCloseTo(naive(hypothesis, reference), 9);
        expect(chrf2("said in short", "said shortly")).toBeCloseTo(naive("said in short", "said shortly"), 9);
      }),
      { numRuns: 10 },
    );
  });

  test("is 100 for equal texts and for texts that differ in white space alone, and stays within 0 and 100", () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(chrf2(a, a)).toBe(100);
        expect(chrf2(Array.from(a.normalize("NFC")).join(" "), a)).toBeCloseTo(100, 9);
        expect(chrf2(a, b)).toBeGreaterThanOrEqual(0);
        expect(chrf2(a, b)).toBeLessThanOrEqual(100 + 1e-9);
      }),
    );
  });

  test("does not tell composed from decomposed characters", () => {
    expect(chrf2("cafe\u0301", "caf\u00e9")).toBe(100);
  });

  test("gives 0 for an empty text against another and 100 for two empty ones", () => {
    expect(chrf2("", "a")).toBe(0);
    expect(chrf2("a", " ")).toBe(0);
    expect(chrf2(" ", "\n")).toBe(100);
  });

  test("compares monstrous texts by their beginning", () => {
    const long = "ab".repeat(chrfLongest);
    expect(chrf2(`${long}x`, `${long}y`)).toBe(100);
    expect(chrf2(`x${long}`, long)).toBeLessThan(100);
  });
});

/** Maps of gram texts to counts, straight from the definition. */
function naive(hypothesis: string, reference: string): number {
  const [h, r] = [hypothesis, reference].map((text) => Array.from(text.normalize("NFC").replaceAll(/\s/g, "")));
  if (h === undefined || r === undefined || h.length === 0 || r.length === 0) return h?.length === r?.length ? 100 : 0;
  const orders = [1, 2, 3, 4, 5, 6].filter((n) => n <= h.length && n <= r.length);
  let precision = 0;
  let recall = 0;
  for (const n of orders) {
    const left = grams(h, n);
    let matches = 0;
    for (const [gram, count] of grams(r, n)) matches += Math.min(count, left.get(gram) ?? 0);
    precision += matches / (h.length - n + 1) / orders.length;
    recall += matches / (r.length - n + 1) / orders.length;
  }
  return precision === 0 ? 0 : (100 * 5 * precision * recall) / (4 * precision + recall);
}

function grams(points: string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i + n <= points.length; i++) {
    const gram = points.slice(i, i + n).join("\u0000");
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
