import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvText } from "../../src/report/tables/csv.ts";
import { cellFromSheet, cellText } from "../../src/report/tables/spreadsheet.ts";
import { cpuMs } from "../cpu-time.ts";
import { csvHarm } from "../hostile/harm.ts";
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
    expect(text).toBe('\ufeffcase_key\n"é"\n');
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

  test.each([
    ["=1+1", "'=1+1"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-1+2", "'-1+2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["  =1", "  '=1"],
    ["\u00a0=1", "\u00a0'=1"],
    ["\ufeff@x", "\ufeff'@x"],
    ["- an item", "'- an item"],
    ["-", "'-"],
    ["+1-800-555", "'+1-800-555"],
    ["-2+3%", "'-2+3%"],
    ["-5 apples", "'-5 apples"],
    ["'=1", "''=1"],
  ])("that begins like a formula is made text: %j", madeText);

  test.each([
    ["\t=1", "\t'=1"],
    ["\r=1", "\r'=1"],
    ["a\n=1\r\n+b", "a\n'=1\r\n'+b"],
    ["a,=1+1", "a,'=1+1"],
    ["a, @SUM(A1)", "a, '@SUM(A1)"],
    ['a;"=1+1', "a;\"'=1+1"],
    ["a|+cmd|' /C calc'!A0", "a|'+cmd|' /C calc'!A0"],
    [";\t=1", ";\t'=1"],
    ["=a;=b", "'=a;'=b"],
    ["-5,=1", "-5,'=1"],
    ["-5;-6,-7x", "-5;-6,'-7x"],
    ["rock,'-n'-roll", "rock,''-n'-roll"],
  ])("with a formula behind a mark where a program may split is made text: %j", madeText);

  function madeText(text: string, cell: string): void {
    expect(cellText(text, { raw: false })).toBe(cell);
    expect(cellFromSheet(cell)).toBe(text);
    expect(cellText(text, { raw: true })).toBe(text);
  }

  test.each([
    "",
    "plain",
    "007",
    "NA",
    " spaces ",
    "1=1",
    "a@b.test",
    "-5",
    "+5",
    "-1.5",
    "-1,234.50",
    "-1e-5",
    "-.5",
    "-12 %",
    " -5 ",
    "12.5,-3.2",
    '{"at":[1,-2,-3.5],"not":[[0,-1]]}',
    "yes - no",
    "A-4; B+",
    "＝1",
    "＠home",
    "－5",
    "नमस्ते",
    "السلام",
    "ሰላም",
    "🙂",
  ])("that is a number or ordinary text stays as it is: %j", (text) => {
    expect(cellText(text, { raw: false })).toBe(text);
    expect(cellFromSheet(text)).toBe(text);
  });

  test("comes back as it was, whatever it holds", () => {
    const piece = fc.constantFrom(
      "=",
      "+",
      "-",
      "@",
      "'",
      '"',
      ",",
      ";",
      "|",
      "\t",
      "\r",
      "\n",
      " ",
      "1",
      "1,234",
      "a",
      "]",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(cellFromSheet(cellText(text, { raw: false }))).toBe(text);
      }),
    );
  });

  test.each([",", '"', "'", " ", "1,234", "-111,"])(
    "of a million characters takes no more than a moment: %j",
    (piece) => {
      const used = cpuMs(() => cellFromSheet(cellText(`-${piece.repeat(1_000_000 / piece.length)}x`, { raw: false })));
      expect(used).toBeLessThan(3_000);
    },
  );

  test("of many groups of three digits is looked at once", () => {
    const cell = `"é1,${"123,".repeat(100_000)}x`;
    expect(cpuMs(() => cellText(cell, { raw: false, decimal: "." }))).toBeLessThan(2_000);
  });

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
});

const separators = [",", ";", "\t", "|"] as const;

test("no program finds a formula in a CSV, whichever mark it splits at, and tandem reads back what it wrote", () => {
  const piece = fc.constantFrom("=1", "+a", "-b", "@c", "'", '"', ",", ";", "|", "\t", "\n", "\r\n", " ", "x", "-3.2");
  const cell = fc.array(piece).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), fc.constantFrom(...separators), (rows, delimiter) => {
      const text = [...csvText([["a", "b"], ...rows], { excel: false, raw: false, delimiter })].join("");
      expect(csvHarm(text)).toEqual([]);
      const back = parse(text, { delimiter }).map((row) => row.map(cellFromSheet));
      expect(back).toEqual([["a", "b"], ...rows]);
    }),
  );
});

test("numbers are numbers for programs, and texts stand in quotes", () => {
  const rows = [
    ["score", "note"],
    [-3.2, "-3.2"],
    [null, ""],
    [true, "x"],
  ];
  expect([...csvText(rows, { excel: false, raw: false })].join("")).toBe('score,note\n-3.2,"-3.2"\n,\ntrue,"x"\n');
  expect([...csvText(rows, { excel: false, raw: true })].join("")).toBe("score,note\n-3.2,-3.2\n,\ntrue,x\n");
});
