import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { findWords, WordsWriter } from "../../src/viewer/server/words-file.ts";
import { temporaryFolder } from "../store/batch.ts";

type Find = (terms: readonly string[], signal?: AbortSignal) => Promise<Uint8Array | null>;

function fileOf(texts: readonly string[]): Find {
  const path = join(temporaryFolder(), "words");
  const writer = new WordsWriter(path);
  for (const text of texts) writer.add(text);
  const starts = writer.end();
  const file = openSync(path, "r");
  onTestFinished(() => closeSync(file));
  return (terms, signal) => findWords({ file, starts }, terms, signal ?? null);
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

test("a term is found at the edges of the pieces in which a large file is read", async () => {
  const long = "x".repeat(3_000_000);
  const texts = Array.from({ length: 9 }, (_, index) => `${index}${long}end${index}`);
  const find = fileOf(texts);
  expect(Array.from((await find(["end4"])) ?? [])).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0]);
  expect(Array.from((await find(["x", "7x"])) ?? [])).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0]);
});

test("a search that nobody waits for any more is given up", async () => {
  const gone = new AbortController();
  const search = fileOf(["one", "two"])(["one"], gone.signal);
  gone.abort();
  expect(await search).toBeNull();
});
