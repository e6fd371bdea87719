import { describe, expect, test } from "vitest";
import { tablePieces } from "../../src/report/tables/selection.ts";
import type { Cell } from "../../src/report/tables/spreadsheet.ts";
import type { FilePiece, TypedColumn } from "../../src/report/tables/table.ts";
import { TableSheet } from "../../src/report/tables/workbook/sheet.ts";
import { writeWorkbook, xlsxEncoder } from "../../src/report/tables/workbook/workbook.ts";
import { zipDirectory, ZipParts } from "../../src/report/tables/workbook/zip-parts.ts";
import { type ReadSheet, readWorkbook } from "./read-workbook.ts";
import { shownIn } from "../../src/lib/hidden-characters.ts";
import { hostileTexts } from "./reports.ts";

const columns: TypedColumn[] = [
  { name: "case_key", type: "text" },
  { name: "row", type: "integer" },
  { name: "score", type: "number" },
  { name: "pass", type: "boolean" },
  { name: "created_at", type: "time" },
  { name: "url", type: "link" },
  { name: "verdict", type: "text", tones: { worse: "bad" } },
];

function written(rows: Iterable<readonly Cell[]>, of: readonly TypedColumn[] = columns): Buffer {
  const encoderOf = (all: readonly TypedColumn[]) => xlsxEncoder(all, { excel: false, raw: false, name: "Runs" });
  const pieces = tablePieces({ columns: of, rows }, encoderOf);
  return Buffer.concat(Array.from(pieces, (piece: FilePiece) => Buffer.from(piece)));
}

const sheetOf = (file: Buffer): ReadSheet => {
  const { Runs } = readWorkbook(file);
  if (Runs === undefined) throw new Error("there is no sheet Runs");
  return Runs;
};

const one = (text: Cell): Cell[][] => [[text, null, null, null, null, text, text]];

describe("a sheet of a workbook", () => {
  test("keeps numbers, truth values, times in UTC and long ids, and filters all of it", () => {
    const file = written([
      ["007", 2, 0.25, true, "2026-11-20T19:30:12.5+05:30", "https://a.test/x?a=1&b=2#c", "worse"],
      ["12345678901234567890", null, -1, false, "yesterday", null, "same"],
    ]);
    const { rows, links, filter } = sheetOf(file);
    expect(rows[0]).toEqual(["case_key", "row", "score", "pass", "created_at (UTC)", "url", "verdict"]);
    expect(rows[1]).toEqual([
      "007",
      2,
      0.25,
      true,
      expect.closeTo(46_346.583477, 5),
      "https://a.test/x?a=1&b=2#c",
      "worse",
    ]);
    expect(rows[2]).toEqual(["12345678901234567890", null, -1, false, "yesterday", null, "same"]);
    expect(links).toEqual({ F2: "https://a.test/x?a=1&b=2#c" });
    expect(filter).toBe("A1:G3");
  });

  test.each([...hostileTexts, "=1+1", "@SUM(A1)", "-2+3", "\t=1", "_x0041_ _X000d_", "a\r\nb", " lead"])(
    "holds a text as it is, and no formula: %j",
    (text) => {
      const { cells, elements, links } = sheetOf(written(one(text)));
      // Characters that XML does not have are shown as in every table.
      const shown = shownIn("xml", text);
      expect([cells["A2"], cells["F2"], cells["G2"]]).toEqual([shown, shown, shown]);
      expect(elements.has("f")).toBe(false);
      expect(links).toEqual({});
    },
  );

  test.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    "http:// a",
    `https://a.test/${"x".repeat(2_080)}`,
  ])("opens nothing but pages of the web: %j", (address) => {
    const { cells, links } = sheetOf(written(one(address)));
    expect(cells["F2"]).toBe(address);
    expect(links).toEqual({});
  });

  test("has links that no part of an address breaks", () => {
    const { links } = sheetOf(written(one("https://a.test/a|b^c{d}\"<e>?f=%zz&g=é'")));
    expect(links["F2"]).toMatch(/^https:\/\/a\.test\/[\w/%.?=&'-]+$/);
  });

  test("cuts what a cell of Excel cannot hold, with a sign, between characters", () => {
    const text = `${"x".repeat(32_666)}😀${"y".repeat(4_000)}`;
    const cell = String(sheetOf(written(one(text))).cells["A2"]);
    expect(cell.length).toBeLessThanOrEqual(32_767);
    expect(cell).toMatch(/^x+… \(4,002 more characters do not fit into a cell of Excel\)$/);
  });

  test("is not calculated with: infinite numbers and those that Excel would round are texts", () => {
    const { cells } = sheetOf(written([["a", 1e15, Number.POSITIVE_INFINITY, null, null, null, null]]));
    expect([cells["B2"], cells["C2"]]).toEqual(["1000000000000000", "Infinity"]);
  });

  test("is the same file for the same rows, whatever the day", () => {
    const rows = Array.from({ length: 5_000 }, (_, at): Cell[] => [
      `key ${at}`,
      at,
      at / 7,
      at % 2 === 0,
      null,
      null,
      null,
    ]);
    const file = written(rows);
    expect(written(rows).equals(file)).toBe(true);
    expect(sheetOf(file).rows).toHaveLength(5_001);
    expect(sheetOf(file).rows.at(-1)).toEqual(["key 4999", 4_999, 4_999 / 7, false]);
  });

  test("has 65,530 links, and the addresses beyond as texts", () => {
    const rows = Array.from({ length: 65_532 }, (_, at): Cell[] => [`https://a.test/${at}`]);
    const { links, cells } = sheetOf(written(rows, [{ name: "url", type: "link" }]));
    expect(Object.keys(links)).toHaveLength(65_530);
    expect(cells["A65533"]).toBe("https://a.test/65531");
  });

  test("goes on in another one where Excel has no more rows", () => {
    const parts = new ZipParts();
    const sheet = new TableSheet(parts, columns, { name: "Rows", frozen: 1, most: 3 });
    for (let at = 0; at < 5; at++) sheet.add([`k${at}`, at, null, null, null, `https://a.test/${at}`, null]);
    sheet.end();
    writeWorkbook(parts, sheet.sheets);
    const read = readWorkbook(Buffer.concat([parts.take(), zipDirectory([parts])]));
    expect(Object.entries(read).map(([name, { rows }]) => [name, ...rows.map(([key]) => key)])).toEqual([
      ["Rows", "case_key", "k0", "k1"],
      ["Rows 2", "case_key", "k2", "k3"],
      ["Rows 3", "case_key", "k4"],
    ]);
    expect(read["Rows 2"]?.links).toEqual({ F2: "https://a.test/2", F3: "https://a.test/3" });
  });

  test("is empty where the table is, and refused where it has too many columns", () => {
    expect(sheetOf(written([])).rows).toHaveLength(1);
    const many = Array.from({ length: 16_385 }, (_, at): TypedColumn => ({ name: `c${at}`, type: "text" }));
    expect(() => written([], many)).toThrow("16,385 columns, and a sheet of Excel at most 16,384");
  });
});
