import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { writeFolded } from "../../src/viewer/server/words-file.ts";
import { findWords, WordsWriter } from "../../src/viewer/server/words-file.ts";
import { anyCharacter } from "../any-character.ts";
import { temporaryFolder } from "../store/batch.ts";
import { folded } from "../../src/text/search-fold.ts";

type Find = (
  terms: readonly string[],
  given?: { signal?: AbortSignal; among?: Uint8Array },
) => Promise<Uint8Array | null>;

function fileOf(texts: readonly string[]): Find {
  const path = join(temporaryFolder(), "words");
  const writer = new WordsWriter(path);
  for (const text of texts) writer.add(text);
  const starts = writer.end();
  const file = openSync(path, "r");
  onTestFinished(() => closeSync(file));
  return (terms, { signal = null, among = null } = {}) => findWords({ file, starts, among }, terms, signal);
}

/** A text as a row has it in the file. */
function written(text: string): string {
  const bytes = Buffer.alloc(text.length * 3);
  const end = writeFolded(text, bytes, 0);
  return end === -1 ? "as a whole" : bytes.toString("utf8", 0, end);
}

const asCompared = (text: string): string => Buffer.from(folded(text).replaceAll("\u0000", " ")).toString();

test("every character is written as texts are compared, between others, before a mark and in its parts", () => {
  const wrong: string[] = [];
  // Of the thousands of alike letters of East Asia every fiftieth.
  for (let code = 0; code < 0x10000; code += code >= 0x3400 && code < 0xf900 ? 50 : 1) {
    const character = String.fromCharCode(code);
    const parts = character.normalize("NFD");
    const text = `some ${character}words ${parts}and ${character}\u0301\u0323 signs \u0e01\u0e48${character}`;
    const made = written(text);
    if (made !== "as a whole" && made !== asCompared(text)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  expect(written("ÅNGSTRÖM क़िताब ǅ \u0000 straße 👍🏽")).toBe(asCompared("ÅNGSTRÖM क़िताब ǅ \u0000 straße 👍🏽"));
});

test("texts of any characters are written as they are compared, also those that are folded as a whole", () => {
  const joining = fc.constantFrom(
    "e\u0301",
    "\u0928\u093c",
    "\u1112\u1161\u11ab",
    "\ud83d",
    "ﷺ",
    "ß",
    "İ",
    "Σ",
    "\u0000",
    "i\u0307",
  );
  const texts = fc.string({ unit: fc.oneof(anyCharacter, joining, fc.constantFrom("a", "क", " ")), maxLength: 60 });
  fc.assert(
    fc.property(texts, (text) => {
      const path = join(temporaryFolder(), "words");
      const writer = new WordsWriter(path);
      for (const each of [text, "between", text]) writer.add(each);
      const starts = writer.end();
      const bytes = readFileSync(path);
      const rows = [0, 1, 2].map((row) => bytes.toString("utf8", starts[row], (starts[row + 1] ?? 0) - 1));
      expect(rows).toEqual([text, "between", text].map(asCompared));
    }),
    { numRuns: 200 },
  );
});

test("finds exactly the rows whose text holds every term", async () => {
  const pieces = fc.array(fc.constantFrom("a", "ab", "b", "किताब", "📚", "كتاب", " ", "\u0000"), { maxLength: 8 });
  const given = fc.record({
    texts: fc.array(
      pieces.map((parts) => parts.join("")),
      { minLength: 1, maxLength: 20 },
    ),
    terms: fc.array(fc.constantFrom("a", "ab", "ba", "किताब", "ताब", "📚", "كت"), { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ texts, terms }) => {
      const found = await fileOf(texts)(terms);
      expect(Array.from(found ?? [])).toEqual(
        texts.map((text) => (terms.every((term) => text.replaceAll("\u0000", " ").includes(term)) ? 1 : 0)),
      );
    }),
    { numRuns: 60 },
  );
});

test("of rows that were found before only these are looked at", async () => {
  const texts = fc.array(fc.constantFrom("ab", "abc", "a b c", "c", "", "किताब", "abकिताब"), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom("ab", "c", "किताब"), async (rows, more) => {
      const find = fileOf(rows);
      const among = (await find(["a"])) ?? new Uint8Array();
      const found = await find(["a", more], { among });
      expect(found).toEqual(await find(["a", more]));
      expect(among).toEqual(await find(["a"]));
    }),
    { numRuns: 60 },
  );
});

test("a term is found at the edges of the pieces in which a large file is read", async () => {
  const long = "x".repeat(3_000_000);
  const texts = Array.from({ length: 9 }, (_, index) => `${index}${long}end${index}`);
  const find = fileOf(texts);
  expect(Array.from((await find(["end4"])) ?? [])).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0]);
  expect(Array.from((await find(["x", "7x"])) ?? [])).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0]);
});

test("a search that nobody waits for any more is given up", async () => {
  const gone = new AbortController();
  const search = fileOf(["one", "two"])(["one"], { signal: gone.signal });
  gone.abort();
  expect(await search).toBeNull();
});

test("a file that is there already is not written over", () => {
  const path = join(temporaryFolder(), "words");
  writeFileSync(path, "");
  expect(() => new WordsWriter(path)).toThrow("EEXIST");
});
