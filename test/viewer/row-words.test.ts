import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wordsOfRows } from "../../src/viewer/server/row-words.ts";
import { temporaryFolder } from "../store/batch.ts";

test("the words of many rows are written by a thread as they are written without one", async () => {
  const folder = temporaryFolder();
  const written = await Promise.all(
    [100, 100_000].map(async (expected) => {
      const path = join(folder, String(expected));
      const words = wordsOfRows(path, expected);
      for (let row = 0; row < 100; row++) {
        words.add(`row ${row} ÅNGSTRÖM किताब كتاب 📚 ${"x".repeat(row)}`);
        await words.room();
      }
      const starts = await words.end();
      return { starts: Array.from(starts), text: readFileSync(path, "utf8") };
    }),
  );
  expect(written[1]).toEqual(written[0]);
  expect(written[0]?.text).toContain("row 99 angstrom");
});

test("a file that cannot be written ends the index with its reason, also in a thread", async () => {
  const path = join(temporaryFolder(), "words");
  writeFileSync(path, "");
  const words = wordsOfRows(path, 100_000);
  words.add("one");
  await expect(words.end()).rejects.toThrow("EEXIST");
});
