import { describe, expect, test } from "vitest";
import { compared, sheetOf, type StoredRow } from "./stored-sides.ts";

const right = (row: number): StoredRow => ({ expected: `answer ${row}`, prod: `answer ${row}`, test: `answer ${row}` });
const rows = (count: number, other: (row: number) => Partial<StoredRow>): StoredRow[] =>
  Array.from({ length: count }, (_, row) => ({ ...right(row), ...other(row) }));
const passing = { scorer: "{ name: correct, type: equals }", gate: "{ metric: correct, margin: 0.05 }" };

describe("a gap of stored answers", () => {
  test("counts as a fail of its side: ten empty cells and three wrong rows of 200 are no pass", async () => {
    const other = (row: number) => (row < 10 ? { test: "" } : row < 13 ? { test: "no" } : {});
    const { report, out } = await compared(sheetOf({ rows: rows(200, other), ...passing }));
    expect(report.verdict).toMatchObject({ word: "cannot-tell", claim: "none" });
    expect(report.verdict.sentence).toContain("of the 10 rows in which test has no graded answer");
    // More gaps than chance explains are said in the first block.
    expect(out.replaceAll(/\s+/g, " ")).toContain("more than chance explains");
  });

  test.each([20, 58, 80])(
    "comes before rows that are added, whose number nobody promises: one of %d",
    async (count) => {
      const { out } = await compared(
        sheetOf({ rows: rows(count, (row) => (row < 1 ? { test: "" } : {})), ...passing }),
      );
      const said = out.replaceAll(/\s+/g, " ");
      expect(said).toMatch(/Next: fill column `test` of \S+ in row 2, then run it again/);
      expect(said).not.toMatch(/rows can|add \d+ rows|second-look/i);
    },
  );

  test("makes no regression, and where the other side has as many it changes nothing", async () => {
    const lost = (row: number) => (row < 9 ? { test: "" } : {});
    expect((await compared(sheetOf({ rows: rows(200, lost), ...passing }))).report.verdict.word).not.toBe("regression");
    const both = (row: number) => (row < 3 ? { test: "" } : row < 6 ? { prod: "" } : {});
    expect((await compared(sheetOf({ rows: rows(200, both), ...passing }))).report.verdict.word).toBe("pass");
  });
});

describe("a score with two ends", () => {
  test("does not pass by losing: twelve rows of `wer` with one difference of .1 say no more than twelve equal ones", async () => {
    const words = "a b c d e f g h i j";
    const sides = Array.from({ length: 12 }, (_, row) => ({
      expected: words,
      prod: words,
      test: row === 0 ? "a b c d e f g h i x" : words,
    }));
    const gate = { scorer: "{ name: w, type: wer }", gate: "{ metric: w, margin: 0.1 }" };
    const { report } = await compared(sheetOf({ rows: sides, ...gate }));
    expect(report.verdict).toMatchObject({ word: "too-few-cases", claim: "none" });
  });
});
