import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvText } from "../../src/report/tables/csv.ts";
import { cellFromSheet, cellText } from "../../src/report/tables/spreadsheet.ts";
import { readText } from "./read-stream.ts";
import { anyCharacter } from "../any-character.ts";

const read = (text: string): unknown => parse(text, { bom: false });

function* broken() {
  yield ["a"];
  throw new Error("the database is gone");
}

describe("a CSV", () => {
  test("that is raw gives every cell back, whatever it holds", async () => {
    const nasty = fc.constantFrom("=1", "\r", "\n", "\r\n", '"', ",", " ", "\t", "\u0000", "\ufeff", "नि", "سلام", "👩🏽‍🌾");
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(nasty).map((parts) => parts.join("")),
    );
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const header = ["case_key", "a", "b"];
        const text = await readText(csvText([header, ...rows], { excel: false, raw: true }));
        expect(read(text)).toEqual([header, ...rows]);
      }),
    );
  });

  test("for Excel begins with a byte order mark, once", async () => {
    const text = await readText(csvText([["case_key"], ["é"]], { excel: true, raw: false }));
    expect(text).toBe("\ufeffcase_key\né\n");
  });

  test("ends with the error of whoever makes its rows", async () => {
    await expect(readText(csvText(broken(), { excel: false, raw: false }))).rejects.toThrow("the database is gone");
  });
});

describe("a cell", () => {
  test("is cut for Excel where it would not fit, between characters, and says by how much", () => {
    const long = "👩🏽‍🌾".repeat(10_000);
    const text = cellText(long, { raw: false, excel: true });
    expect(text.length).toBeLessThanOrEqual(32_767);
    expect(text).toMatch(/… \([\d,]+ more characters do not fit into a cell of Excel\)$/);
    expect(text).not.toMatch(/\p{Cs}/u);
    for (const options of [{ raw: false }, { raw: true, excel: true }]) expect(cellText(long, options)).toBe(long);
  });

  test("is no formula after a tab either, where a program splits there", () => {
    for (const [text, cell] of [
      ["\t=1", "'\t'=1"],
      ["x \t=1", "x \t'=1"],
      [";\t=1", ";\t'=1"],
    ] as const) {
      expect(cellText(text, { raw: false })).toBe(cell);
      expect(cellFromSheet(cell)).toBe(text);
    }
  });

  test.each([
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-1+2",
    "@SUM(A1)",
    "\r=1",
    "  =1",
    "\n=1",
    "\u00a0=1",
    "\u200b=1",
    "\ufeff@x",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    "\tx",
    "- an item",
    "-",
    "+1-800-555",
    "-2+3%",
  ])("that begins like a formula is made text: %j", (text) => {
    expect(cellText(text, { raw: false })).toBe(`'${text}`);
    expect(cellText(text, { raw: true })).toBe(text);
  });

  test.each([
    "",
    "plain",
    "007",
    "NA",
    " spaces ",
    "1=1",
    "a@b.test",
    "'=1",
    "-5",
    "+5",
    "-1.5",
    "-1,234.50",
    "-1e-5",
    "-.5",
    "-12 %",
    " -5 ",
    "नमस्ते",
    "السلام",
    "ሰላም",
    "🙂",
  ])("that is a number or ordinary text stays as it is: %j", (text) =>
    expect(cellText(text, { raw: false })).toBe(text),
  );

  test("of another type is written plainly", () => {
    expect([-5, 0, 1.5, true, false, null].map((cell) => cellText(cell, { raw: false }))).toEqual([
      "-5",
      "0",
      "1.5",
      "true",
      "false",
      "",
    ]);
  });

  test("never begins like a formula unless it is a number", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("=", "-", "+", "@", " ", "\t", "1", "a", "＝") }), (text) => {
        const written = cellText(text, { raw: false });
        expect(/^\s*[=+\-@＝]/.test(written) && Number.isNaN(Number(written))).toBe(false);
      }),
    );
  });
});

test("a formula after a semicolon or a tab is text too, for programs that split there, and comes back as it was", () => {
  for (const text of ["a;=1+1", "a; @SUM(A1)", 'a;"=1+1', "x\t=cmd", "ok;-2+3", "=a;=b", "a;\u200b=1"]) {
    const safe = cellText(text, { raw: false });
    expect(safe.split(/[;\t]/).some((part) => /^["\s\p{Cf}]*[=+@-]/u.test(part))).toBe(false);
    expect(cellFromSheet(safe)).toBe(text);
    expect(cellText(text, { raw: true })).toBe(text);
  }
});
