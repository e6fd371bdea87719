import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = new URL("../src/", import.meta.url).pathname;

/** A block, or `//` lines one below the other, or a `//` behind code. */
const comment = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+|[ \t]\/\/ .*/gm;
/** A sentence without a verb or a noun at its beginning: readers stumble, above all those who learnt English later. */
const stumbling = /(?<=^|[.!?] )(?:What|Of|How|Whether)\b[^.!?]*/;

/** Sentences in comments that begin with another word than a verb or a noun. */
function stumblingSentences(text: string): string[] {
  return [...text.matchAll(comment)].flatMap(([found]) => {
    const plain = found
      .replaceAll(/^\s*(?:\/\*+|\*+\/|\*|\/\/)/gm, "")
      .replace(/\*\/$/, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    return stumbling.exec(plain)?.[0] ?? [];
  });
}

describe("comments", () => {
  test("begin their sentences with a verb or a noun, not with What, Of, How or Whether", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:tsx?|css)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) =>
      stumblingSentences(readFileSync(join(root, file), "utf8")).map((sentence) => `${file}: ${sentence}`),
    );
    expect(found).toEqual([]);
  });

  test("are found as blocks, as lines, behind code and in their second sentence", () => {
    const text = `/** What a row shows. */
/**
 * Of each case the answer.
 */
  // How it ends,
  // of course.
call(); // Whether it holds
/** Reads a row. What is wrong is told. */
/** The row, of what kind it is. */
const url = "https://example.org/What";`;
    expect(stumblingSentences(text)).toEqual([
      "What a row shows",
      "Of each case the answer",
      "How it ends, of course",
      "Whether it holds",
      "What is wrong is told",
    ]);
  });
});
