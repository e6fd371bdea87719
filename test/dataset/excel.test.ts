import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import type { Case } from "../../src/dataset/case.ts";
import { FindingList } from "../../src/dataset/finding.ts";
import { Sheets } from "../../src/dataset/sheets.ts";
import { Workbook } from "../../src/dataset/table/excel.ts";
import type { DatasetFormat } from "../../src/suite/suite.ts";
import { datasets } from "../datasets/sheet.ts";
import { temporaryFolder } from "../store/batch.ts";
import { rawWorkbook } from "./raw-workbook.ts";
import { faultOf, read } from "./reading.ts";

type Cell = string | number | boolean | Date | null;

const name = "prompts.xlsx";
const format = (more: Partial<DatasetFormat>): DatasetFormat => ({
  delimiter: null,
  encoding: null,
  lenient: false,
  ...more,
});

const cellOf = (value: Cell): object | null => {
  if (value === null) return null;
  if (value instanceof Date) return { value, type: Date, format: "dd.mm.yyyy hh:mm" };
  return { value };
};

/** A workbook with these sheets. */
async function workbook(sheets: Record<string, Cell[][]>): Promise<Buffer> {
  const given = Object.entries(sheets).map(([sheet, rows]) => ({ sheet, data: rows.map((row) => row.map(cellOf)) }));
  return writeExcelFile(given as Parameters<typeof writeExcelFile>[0]).toBuffer();
}

/** The workbook with a part of it replaced. */
function edited(book: Buffer, part: string, edit: (text: string) => string): Buffer {
  const parts = unzipSync(book);
  const text = new TextDecoder().decode(parts[part]);
  const next = edit(text);
  expect(next).not.toBe(text);
  return Buffer.from(zipSync({ ...parts, [part]: new TextEncoder().encode(next) }));
}

const rows: Cell[][] = [
  ["id", "question", "expected", "share", "on", "yes"],
  [1, "Wann öffnet ihr?\nUnd wo?", "Um 9 🙂", 0.1 + 0.2, new Date("2026-11-03T10:30:00Z"), true],
  [null, null, null, null, null, null],
  [123_456_789_012_345, "कब खुलता है?", "=1+1", 1e-7, new Date("2026-11-03T00:00:00Z"), false],
];

describe("an Excel workbook", () => {
  test("is opened once by a command, however often it is read and whatever is asked of it", async () => {
    const path = join(temporaryFolder(), name);
    let processes = 0;
    const count = (): void => void (processes += 1);
    const cellsRead = async (sheets: Sheets): Promise<string[][]> => {
      const found: string[][] = [];
      for await (const batch of sheets.table(path).quietRows(undefined)) {
        found.push(...batch.rows.map(({ cells }) => [...cells]));
        for (const { cells } of batch.rows) cells.push("added by a reader");
      }
      return found;
    };
    subscribe("child_process", count);
    try {
      writeFileSync(path, await workbook({ Prompts: [["q"], ["one"]] }));
      using sheets = new Sheets();
      expect(await sheets.table(path).sheets()).toEqual([{ name: "Prompts", rows: 2 }]);
      expect(await sheets.table(path).beginning(undefined)).toEqual({ header: ["q"], rows: [["one"]] });
      expect([await cellsRead(sheets), await cellsRead(sheets), processes]).toEqual([[["one"]], [["one"]], 1]);
      writeFileSync(path, await workbook({ Prompts: [["q"], ["two"]] }));
      using later = new Sheets();
      expect([await cellsRead(sheets), await cellsRead(later), processes]).toEqual([[["one"]], [["two"]], 2]);
    } finally {
      unsubscribe("child_process", count);
    }
  });

  test("is read as a sheet: numbers as Excel shows them, days, times, truth values, and the numbers of its rows", async () => {
    const cases = await read(await workbook({ Prompts: rows }), { name });
    expect(cases.map(({ columns, source }) => ({ ...columns, row: source.row }))).toEqual([
      {
        id: "1",
        question: "Wann öffnet ihr?\nUnd wo?",
        expected: "Um 9 🙂",
        share: "0.3",
        on: "2026-11-03T10:30:00",
        yes: "TRUE",
        row: 2,
      },
      {
        id: "123456789012345",
        question: "कब खुलता है?",
        expected: "=1+1",
        share: "1e-7",
        on: "2026-11-03",
        yes: "FALSE",
        row: 4,
      },
    ]);
  });

  test("has the sheet with most rows read, whichever it is", async () => {
    const book = await workbook({
      Cover: [["About"], ["this file"]],
      Questions: [["question"], ["a?"], ["b?"], ["c?"]],
    });
    expect((await read(book, { name })).map(({ input }) => input["input_prompt"])).toEqual(["a?", "b?", "c?"]);
  });

  test("has its first sheet read where none has more rows, and says so; another by its name", async () => {
    const notices: string[] = [];
    const book = await workbook({ "Old & new": [["question"], ["a?"]], दूसरा: [["question"], ["b?"]] });
    const options = { onNotice: (notice: string) => void notices.push(notice) };
    expect((await read(book, { name, options })).map(({ input }) => input["input_prompt"])).toEqual(["a?"]);
    expect(notices).toEqual([expect.stringContaining('the sheet "Old & new" is read, not "दूसरा"')]);
    const named = { ...options, format: format({ sheet: "दूसरा" }) };
    expect((await read(book, { name, options: named })).map(({ input }) => input["input_prompt"])).toEqual(["b?"]);
    expect(notices).toHaveLength(1);
    expect(await faultOf(book, { name, options: { format: format({ sheet: "Nope" }) } })).toContain(
      'it has no sheet "Nope". Its sheets are "Old & new", "दूसरा"',
    );
  });

  test("has a hidden sheet passed over, and merged cells named", async () => {
    const notices: string[] = [];
    const book = await workbook({
      Lists: [["x"], ["y"]],
      Prompts: [
        ["question", "topic"],
        ["a?", "cards"],
        ["b?", null],
      ],
    });
    const hidden = edited(book, "xl/workbook.xml", (text) => text.replace("<sheet ", '<sheet state="veryHidden" '));
    const merged = edited(hidden, "xl/worksheets/sheet2.xml", (text) =>
      text.replace("</sheetData>", '</sheetData><mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>'),
    );
    const cases = await read(merged, { name, options: { onNotice: (notice) => void notices.push(notice) } });
    expect(cases.map(({ columns }) => columns["topic"])).toEqual(["cards", ""]);
    expect(notices.join("\n")).toContain("cells are merged (B2:B3)");
  });

  test.each(["help-desk/prompts.csv", "help-desk/conversations.csv", "functions/late-fee.csv"])(
    "has the same cases as the CSV of the same cells: %s",
    async (path) => {
      const csv = readFileSync(join(datasets, path));
      const book = rawWorkbook([{ name: "Sheet1", rows: parse(csv) }]);
      const withoutPlace = ({ source: _source, ...rest }: Case) => rest;
      const given = { input: { input_prompt: "question" }, expected: "golden_answer", key: "id" };
      const mapped = path.startsWith("functions") ? { input: { input_prompt: "item" }, key: "id" } : given;
      const [ofCsv, ofBook] = [await read(csv, mapped), await read(book, { ...mapped, name })];
      expect(ofCsv.length).toBeGreaterThan(20);
      expect(ofBook.map(withoutPlace)).toEqual(ofCsv.map(withoutPlace));
    },
  );

  test("without a header row has its columns called by letters", async () => {
    const options = { format: format({ header: false }) };
    const cases = await read(
      await workbook({
        a: [
          ["a?", 1],
          ["b?", 2],
        ],
      }),
      { name, input: { input_prompt: "column A" }, options },
    );
    expect(cases.map(({ columns, source }) => [columns["column B"], source.row])).toEqual([
      ["1", 1],
      ["2", 2],
    ]);
  });
});

describe("a workbook that cannot be read is refused with the reason", () => {
  test.each<[string, Buffer, string]>([
    ["another file", Buffer.from("id,question\n1,Wann?\n"), "it is no workbook of Excel"],
    [
      "an archive of other things",
      Buffer.from(zipSync({ "a.xml": new TextEncoder().encode("<a/>") })),
      "it is no workbook of Excel",
    ],
    [
      "one with a password",
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      "protected by a password, or a workbook of Excel from before 2007",
    ],
    ["an empty file", Buffer.alloc(0), "it is no workbook of Excel"],
  ])("%s", async (_, file, message) => {
    expect(await faultOf(file, { name })).toContain(message);
  });

  test("one that is cut off, one without content, one that is too wide", async () => {
    const book = await workbook({ Prompts: rows });
    expect(await faultOf(book.subarray(0, 1000), { name })).toContain("its ZIP archive is damaged or cut off");
    expect(await faultOf(await workbook({ Prompts: [[null]] }), { name })).toContain('the sheet "Prompts" is empty');
    const wide = await workbook({ Prompts: [Array.from({ length: 2_001 }, (_, at) => `c${at}`)] });
    expect(await faultOf(wide, { name })).toContain("it has more than 2000 columns");
  });

  test("a formula whose result was never stored, with its place", async () => {
    const formula = edited(
      await workbook({
        Prompts: [
          ["question", "n"],
          ["a?", 7],
        ],
      }),
      "xl/worksheets/sheet1.xml",
      (text) => text.replace("<v>7</v>", "<f>3+4</f>"),
    );
    expect(await faultOf(formula, { name })).toContain("the formula in cell B2 has no stored result");
    // As another program writes one that was never calculated.
    const blank = edited(formula, "xl/worksheets/sheet1.xml", (text) => text.replace("</f>", "</f><v></v>"));
    expect(await faultOf(blank, { name })).toContain("the formula in cell B2 has no stored result");
    const kept = edited(
      await workbook({
        Prompts: [
          ["question", "n"],
          ["a?", 7],
        ],
      }),
      "xl/worksheets/sheet1.xml",
      (text) => text.replace("<v>7</v>", "<f>3+4</f><v>7</v>"),
    );
    expect((await read(kept, { name })).map(({ columns }) => columns["n"])).toEqual(["7"]);
  });

  test("an archive that is larger than it may be, also where it says that it is small", async () => {
    const sheet = "xl/worksheets/sheet1.xml";
    const parts = unzipSync(await workbook({ Prompts: rows }));
    const bomb = Buffer.from(zipSync({ ...parts, [sheet]: Buffer.alloc(450 * 1024 * 1024, " ") }, { level: 1 }));
    expect(await faultOf(bomb, { name })).toContain("unpacked it has more than 384 MB");
    // The sizes that the archive names, in its directory and before the part.
    const size = Buffer.alloc(4);
    size.writeUInt32LE(450 * 1024 * 1024);
    const said = Buffer.alloc(4);
    said.writeUInt32LE(100_000);
    for (let at = bomb.indexOf(size); at !== -1; at = bomb.indexOf(size, at + 4)) said.copy(bomb, at);
    expect(await faultOf(bomb, { name })).toMatch(/it cannot be read|is empty/);
  });

  const sheetXml = "xl/worksheets/sheet1.xml";
  test.each<[string, (xml: string) => string, string]>([
    ["a row beyond the last", (xml) => xml.replace('<row r="2"', '<row r="1048577"'), "no place in a sheet"],
    ["a row of half a million digits", (xml) => xml.replace('"2"', `"${"1".repeat(500_000)}"`), "no place in a sheet"],
    ["a cell beyond the last column", (xml) => xml.replace('"B2"', '"XFE2"'), 'a cell stands at "XFE2"'],
    [
      "a corner far off",
      (xml) => xml.replace('<row r="2"', '<row r="1048576"').replaceAll(/"([AB])2"/g, '"Z$11048576"'),
      "the sheet reaches over 1,048,576 rows by 678 columns, and at most 20,000,000 cells can be read",
    ],
    [
      "a comment of 2 MB",
      (xml) => xml.replace("<sheetData>", `<!--${"<x".repeat(1_000_000)}--><sheetData>`),
      "in one piece",
    ],
    ["an entity", (xml) => xml.replace("<worksheet", '<!DOCTYPE x [<!ENTITY e "x">]><worksheet'), "has a DOCTYPE"],
  ])("%s", async (_, edit, message) => {
    const book = await workbook({
      Prompts: [
        ["id", "question"],
        ["a", "When?"],
      ],
    });
    expect(await faultOf(edited(book, sheetXml, edit), { name })).toContain(message);
  });

  test("but not one with cells down to the last row that only have a style", async () => {
    const book = edited(
      await workbook({
        Prompts: [
          ["id", "question"],
          ["a", "When?"],
        ],
      }),
      sheetXml,
      (xml) => xml.replace("</sheetData>", '<row r="1048576"><c r="AMJ1048576" s="0"/></row></sheetData>'),
    );
    expect(await read(book, { name })).toHaveLength(1);
  });

  test("one whose rows take more memory than its process may have", async () => {
    const path = join(temporaryFolder(), name);
    const data = Array.from({ length: 20_000 }, (_, at) => [`Question ${at}?`, `answer ${at}`]);
    writeFileSync(path, await workbook({ Prompts: [["question", "expected"], ...data] }));
    const faults = new FindingList();
    const descriptor = openSync(path, "r");
    using book = new Workbook(descriptor, 12);
    const request = { sheet: null, hasHeader: true };
    const quiet = { onNotice: () => undefined, onEmpty: () => undefined };
    for await (const batch of book.rows({ file: name, faults, request, ...quiet })) expect(batch.rows).toEqual([]);
    closeSync(descriptor);
    expect(faults.listed.map(({ message }) => message)).toEqual(["it cannot be read: it takes too much memory"]);
  });
});
