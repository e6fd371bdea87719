import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { findWords, WordsWriter } from "../../src/viewer/server/words-file.ts";
import { temporaryFolder } from "../store/batch.ts";

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
