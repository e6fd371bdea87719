import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type BleuSmoothing, bleu, clippedCount } from "../../src/text/bleu.ts";

const file = new URL("../fixtures/statistics.json", import.meta.url);
const vector = z.looseObject({
  id: z.string(),
  input: z.object({ references: z.array(z.string()), hypothesis: z.string() }),
  expected: z.record(z.string(), z.number()),
});
const { vectors } = z
  .object({ vectors: z.array(z.looseObject({ id: z.string() })) })
  .parse(JSON.parse(readFileSync(file, "utf8")));
const vectorOf = (id: string) => vector.parse(vectors.find((each) => each.id === id));

const words = (text: string): string[] => text.split(" ");

/** The sentences of NLTK's own examples. */
const forever = "It is to insure the troops forever hearing the activity guidebook that party direct";
const action = "It is a guide to action that ensures that the military will forever heed Party commands";

const list = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });

describe("BLEU", () => {
  test.each<[string, BleuSmoothing]>([
    ["bleu-nltk", "none"],
    ["bleu-smooth", "epsilon"],
  ])("gives the reference value of %s", (id, smoothing) => {
    const { input, expected } = vectorOf(id);
    const value = bleu(words(input.hypothesis), input.references.map(words), smoothing);
    expect(value).toBeCloseTo(expected["bleu"] ?? NaN, 9);
  });

  test("counts a word no more often than the reference has it", () => {
    const { input, expected } = vectorOf("bleu-clip");
    const hypothesis = words(input.hypothesis);
    expect(clippedCount(hypothesis, input.references.map(words), 1) / hypothesis.length).toBe(expected["p1"]);
  });

  test("of a text without a sequence of three words is 0 unless it is smoothed, as NLTK documents", () => {
    expect(bleu(words(forever), [words(action)], "none")).toBe(0);
    expect(bleu(words(forever), [words(action)], "exp")).toBeGreaterThan(0);
  });

  test("smooths as sacrebleu does: half of one, then a quarter of one, for lengths that are not found", () => {
    // Precisions 4/5, 2/4, then 1/2 of 3 and 1/4 of 2.
    const value = bleu(words("a b x c d"), [words("a b y c d")], "exp");
    expect(value).toBeCloseTo((0.8 * 0.5 * (0.5 / 3) * (0.25 / 2)) ** 0.25, 12);
  });

  test("takes the reference that is nearest in length, the shorter of two", () => {
    expect(bleu(words("a b"), [words("a b c"), ["a"], words("a b c d e f")], "none")).toBe(1);
    expect(bleu(words("a b"), [words("a b c d")], "none")).toBeCloseTo(Math.exp(-1), 12);
  });
});

test("BLEU lies between 0 and 1, is highest for equal texts, and says 0 where no word is shared", () => {
  expect.hasAssertions();
  fc.assert(
    fc.property(list, list, (one, other) => {
      for (const measure of [(a: string[], b: string[]) => bleu(a, [b], "exp")]) {
        const value = measure(one, other);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(measure(one, one)).toBeGreaterThanOrEqual(value - 1e-9);
        if (one.length > 0) expect(measure(one, ["x"])).toBe(0);
      }
    }),
  );
});
