import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { commonSubsequence, editDistance } from "../../src/text/edit-distance.ts";
import { editSimilarity, errorRate, rougeL, rougeN } from "../../src/text/measures.ts";
import { squadExact, squadF1, squadForm } from "../../src/text/squad.ts";
import { tokens, wordsBy } from "../../src/text/tokens.ts";
import { editUnitsOf } from "../../src/text/units.ts";
import { anyCharacter } from "../any-character.ts";
import { often } from "../often.ts";

const text = z.string();
const forms = {
  levenshtein: z.object({
    input: z.object({ a: text, b: text }),
    expected: z.object({ distance: z.number(), normalizedSimilarity: z.number() }),
  }),
  rouge: z.object({
    input: z.object({ reference: text, hypothesis: text }),
    expected: z.record(z.string(), z.object({ p: z.number(), r: z.number(), f: z.number() })),
  }),
  squadNormalizedMatch: z.object({
    input: z.object({ gold: text, prediction: text }),
    expected: z.object({ exact: z.boolean(), f1: z.number() }),
  }),
  wordErrorRate: z.object({
    input: z.object({ reference: text, hypothesis: text }),
    expected: z.object({ wer: z.number(), cer: z.number() }),
  }),
  corpus: z.object({
    input: z.object({ references: z.array(text), hypotheses: z.array(text) }),
    expected: z.object({ wer: z.number() }),
  }),
};

const file = new URL("../fixtures/statistics.json", import.meta.url);
const { vectors } = z
  .object({ vectors: z.array(z.looseObject({ id: text, method: text })) })
  .parse(JSON.parse(readFileSync(file, "utf8")));

function vectorsOf<T>(method: string, form: z.ZodType<T>): (T & { id: string })[] {
  const found = vectors
    .filter((vector) => vector.method === method)
    .map((vector) => ({ ...form.parse(vector), id: vector.id }));
  if (found.length === 0) throw new Error(`no vectors of ${method}`);
  return found;
}

const part = fc.constantFrom("ab", "ba", "क्षेत्र", " ", "سلام", "አማ", "👩🏽‍🌾", "e\u0301", "\n", "東京", "ก็", ".", "the", "1");
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.array(part, { maxLength: 40 }).map((parts) => parts.join("")),
);
const lists = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 100 });

describe("edit distance", () => {
  test.each(vectorsOf("levenshtein (code points)", forms.levenshtein))(
    "gives the reference value of $id",
    ({ input: { a, b }, expected }) => {
      expect(editDistance(Array.from(a), Array.from(b))).toBe(expected.distance);
      expect(editSimilarity(a, b, "code-points").value).toBeCloseTo(expected.normalizedSimilarity, 9);
    },
  );

  test("agrees with the table that defines it", () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(editDistance(a, b)).toBe(distanceByTable(a, b));
      }),
      { numRuns: often(200, 1000) },
    );
  });

  test("counts characters as a reader does", () => {
    expect(editSimilarity("नमस्ते", "नमस्त").value).toBeCloseTo(1 - 1 / 3, 9);
    expect(editSimilarity("👩🏽‍🌾x", "x").value).toBeCloseTo(0.5, 9);
    expect(editSimilarity("👩🏽‍🌾x", "x", "code-points").value).toBeCloseTo(1 / 5, 9);
  });

  test.each(["graphemes", "code-points", "words"] as const)(
    "of %s is symmetric, bounded, and 1 for equal texts in any normal form",
    (unit) => {
      fc.assert(
        fc.property(texts, texts, (a, b) => {
          const { value } = editSimilarity(a, b, unit);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(editSimilarity(b, a, unit).value).toBe(value);
          expect(editSimilarity(a.normalize("NFD"), a, unit).value).toBe(1);
        }),
      );
    },
  );

  test("compares only the beginnings of monstrous texts, and says so", () => {
    const long = "क्षेत्र और नगर ".repeat(15_000);
    expect(editSimilarity(long, `x${long}`)).toMatchObject({ cut: true, value: expect.closeTo(1, 3) });
    expect(editSimilarity(long, "क्षेत्र")).toMatchObject({ cut: true });
    expect(editSimilarity("short", "shore").cut).toBe(false);
    expect(errorRate("a ".repeat(100_000), "b ".repeat(100_000), "words")).toMatchObject({ cut: true, rate: 1 });
  });
});

describe("error rates", () => {
  test.each(vectorsOf("wordErrorRate", forms.wordErrorRate))(
    "give the reference value of $id",
    ({ input: { reference, hypothesis }, expected }) => {
      expect(errorRate(hypothesis, reference, "words").rate).toBeCloseTo(expected.wer, 9);
      expect(errorRate(hypothesis, reference, "code-points").rate).toBeCloseTo(expected.cer, 9);
    },
  );

  test.each(vectorsOf("wordErrorRate(corpus)", forms.corpus))(
    "of a corpus give the reference value of $id",
    ({ input, expected }) => {
      const pairs = input.references.map((reference, i) => errorRate(input.hypotheses[i] ?? "", reference, "words"));
      const sum = (of: "edits" | "length"): number => pairs.reduce((total, pair) => total + pair[of], 0);
      expect(sum("edits") / sum("length")).toBeCloseTo(expected.wer, 9);
    },
  );

  test("are null without a reference, and 0 where nothing was said of nothing", () => {
    expect(errorRate("said", "", "words")).toEqual({ edits: 1, length: 0, rate: null, cut: false });
    expect(errorRate("", " . ", "words").rate).toBe(0);
    expect(errorRate("", "two words", "words").rate).toBe(1);
  });
});

describe("ROUGE", () => {
  test.each(vectorsOf("rouge", forms.rouge))("gives the reference values of $id", ({ input, expected }) => {
    const [said, meant] = [input.hypothesis, input.reference].map((each) => tokens(each.toLowerCase()));
    for (const [name, { p, r, f }] of Object.entries(expected)) {
      const found =
        name === "rougeL" ? rougeL(said ?? [], meant ?? []) : rougeN(said ?? [], meant ?? [], Number(name.slice(5)));
      expect(found.precision).toBeCloseTo(p, 9);
      expect(found.recall).toBeCloseTo(r, 9);
      expect(found.f1).toBeCloseTo(f, 9);
    }
  });

  test("finds the longest common subsequence that the table finds", () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(commonSubsequence(a, b)).toBe(commonByTable(a, b));
      }),
      { numRuns: often(200, 1000) },
    );
  });

  test("is bounded, symmetric in F1, and 1 for a list and itself", () => {
    fc.assert(
      fc.property(lists, lists, fc.constantFrom(1, 2, 3), (a, b, size) => {
        for (const measure of [rougeL, (x: string[], y: string[]) => rougeN(x, y, size)]) {
          expect(measure(a, a).f1).toBe(1);
          expect(measure(a, b).f1).toBeCloseTo(measure(b, a).f1, 12);
          expect(measure(a, b).f1).toBeGreaterThanOrEqual(0);
          expect(measure(a, b).f1).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe("the rules of SQuAD", () => {
  test.each(vectorsOf("squadNormalizedMatch", forms.squadNormalizedMatch))(
    "give the reference values of $id",
    ({ input: { gold, prediction }, expected }) => {
      expect(squadExact(prediction, gold)).toBe(expected.exact);
      expect(squadF1(prediction, gold)).toBeCloseTo(expected.f1, 9);
    },
  );

  test.each([
    ["es", "La Torre Eiffel, en París", "torre eiffel en parís"],
    ["fr", "L'eau de la mer", "eau de mer"],
    ["de", "Die Bücherei.", "bücherei"],
    ["pt-BR", "O ônibus", "ônibus"],
    ["ar", "المكتبة مفتوحة؟", "مكتبة مفتوحة"],
    ["hi", "पुस्तकालय, नगर।", "पुस्तकालय नगर"],
    ["sw", "A, the!", "a the"],
    ["en", "$5,000 the~ A", "5000"],
  ])("in %s make %s to %s", (language, written, form) => expect(squadForm(written, language)).toBe(form));

  test("find the words of scripts without spaces", () => {
    expect(squadF1("東京タワーに行く", "東京に行く", "ja")).toBeGreaterThan(0.5);
  });

  test("are symmetric, bounded and know a text again, in every language", () => {
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.constantFrom("en", "de", "es", "fr", "it", "nl", "pt", "sv", "ar"),
        (a, b, language) => {
          expect(squadF1(a, a.normalize("NFD"), language)).toBe(1);
          expect(squadExact(a, a, language)).toBe(true);
          const f1 = squadF1(a, b, language);
          expect(f1).toBeCloseTo(squadF1(b, a, language), 12);
          expect(f1 >= 0 && f1 <= 1).toBe(true);
          if (squadExact(a, b, language)) expect(f1).toBe(1);
        },
      ),
    );
  });
});

describe("words", () => {
  test.each([
    ["Don't stop: 3.5 km!", ["Don", "t", "stop", "3", "5", "km"]],
    ["नमस्ते, दुनिया।", ["नमस्ते", "दुनिया"]],
    ["می\u200cخواهم بروم", ["میخواهم", "بروم"]],
    ["ሰላም፣ ዓለም", ["ሰላም", "ዓለም"]],
    ["🙂 — !", []],
  ])("of %s", (written, found) => expect(tokens(written)).toEqual(found));

  test("of scripts without spaces come from a dictionary", () => {
    expect(tokens("東京に行きます。")).toContain("東京");
    expect(tokens("สวัสดีครับ")).toEqual(["สวัสดี", "ครับ"]);
  });

  test("are at most as many as asked for", () => expect(tokens("a b c d", 2)).toEqual(["a", "b"]));

  test("units of a text are the same in any normal form", () => {
    fc.assert(
      fc.property(texts, (each) => {
        expect(editUnitsOf(each.normalize("NFD"), "graphemes")).toEqual(editUnitsOf(each, "graphemes"));
      }),
    );
  });
});

function distanceByTable(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, x] of a.entries()) {
    const next = [i + 1];
    for (const [j, y] of b.entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (x === y ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function commonByTable(a: readonly string[], b: readonly string[]): number {
  let row: number[] = Array.from({ length: b.length + 1 }, () => 0);
  for (const x of a) {
    const next = [0];
    for (const [j, y] of b.entries()) {
      next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

test("words of the Penn Treebank: slurred words are two, inside of a longer word in any script they stay", () => {
  const words = "I cannot go, 'tis gonna rain; Wanna see? cannotation scannot cannoté";
  expect(wordsBy(words, "treebank").join("|")).toBe(
    "I|can|not|go|,|'t|is|gon|na|rain|;|Wan|na|see|?|cannotation|scannot|cannoté",
  );
});
