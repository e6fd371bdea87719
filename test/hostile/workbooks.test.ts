import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { strToU8, unzipSync, type Zippable, zipSync } from "fflate";
import writeExcelFile from "write-excel-file/node";
import { expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { terminalHarm } from "./harm.ts";
import { openTally } from "./tally.ts";

const tally = openTally("workbooks", 48);

/** A command that has not ended by then hangs. */
const longestMs = 90_000;

type Cells = Parameters<typeof writeExcelFile>[0];

/** A sound workbook, unpacked: its sheet has one case. */
async function parts(): Promise<Record<string, Uint8Array>> {
  const data = [
    ["id", "input_prompt"],
    ["k1", "When?"],
  ].map((row) => row.map((value) => ({ value })));
  return unzipSync(await writeExcelFile([{ sheet: "Prompts", data }] as Cells).toBuffer());
}

const sheetPart = "xl/worksheets/sheet1.xml";
const laughs = `<!DOCTYPE x [<!ENTITY a "lol">${Array.from("bcdefghij", (name, at) => `<!ENTITY ${name} "${`&${String.fromCharCode(97 + at)};`.repeat(10)}">`).join("")}]>`;
const sheetOf = (rows: string, more = ""): string =>
  `<?xml version="1.0"?>${more}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const text = (cell: string, content: string): string => `<c r="${cell}" t="inlineStr"><is><t>${content}</t></is></c>`;
const head = `<row r="1">${text("A1", "id")}${text("B1", "input_prompt")}</row>`;

const letters = (at: number): string =>
  (at >= 26 ? letters(Math.floor(at / 26) - 1) : "") + String.fromCharCode(65 + (at % 26));

/** Changes of one part of a sound workbook, beside those whose reason `dataset/excel.test.ts` looks at. */
const sheets: Readonly<Record<string, string>> = {
  "a billion laughs": sheetOf(`${head}<row r="2">${text("A2", "k1")}${text("B2", "&j;")}</row>`, laughs),
  "a column of a thousand letters": sheetOf(
    `${head}<row r="2">${text("A2", "k1")}${text(`${"Z".repeat(1_000)}2`, "x")}</row>`,
  ),
  "a row without measure": sheetOf(`${head}<row r="1e308">${text("A1e308", "k1")}</row>`),
  "a row below zero": sheetOf(`${head}<row r="-5">${text("A-5", "k1")}${text("B-5", "x")}</row>`),
  "a cell without a name": sheetOf(`${head}<row r="2"><c><v>1</v></c><c r=""><v>1</v></c><c r="2A"><v>1</v></c></row>`),
  "the same cell many times": sheetOf(`${head}<row r="2">${text("A2", "k1").repeat(100_000)}</row>`),
  "a shared text that is not there": sheetOf(
    `${head}<row r="2"><c r="A2" t="s"><v>999999999</v></c><c r="B2" t="s"><v>-1</v></c></row>`,
  ),
  "a shared text of a prototype": sheetOf(
    `${head}<row r="2"><c r="A2" t="s"><v>__proto__</v></c><c r="B2" t="s"><v>constructor</v></c></row>`,
  ),
  "a type of a prototype": sheetOf(
    `${head}<row r="2"><c r="A2" t="__proto__"><v>1</v></c><c r="B2" t="constructor"><v>x</v></c></row>`,
  ),
  "a style that is not there": sheetOf(
    `${head}<row r="2"><c r="A2" s="999999999"><v>1</v></c><c r="B2" s="-1"><v>45000.5</v></c></row>`,
  ),
  "a day that is none": sheetOf(
    `${head}<row r="2"><c r="A2" t="d"><v>9999999-99-99T99:99:99Z</v></c>${text("B2", "x")}</row>`,
  ),
  "a number that is none": sheetOf(`${head}<row r="2"><c r="A2"><v>1e999</v></c><c r="B2"><v>NaN</v></c></row>`),
  "a formula that calls": sheetOf(
    `${head}<row r="2"><c r="A2"><f>WEBSERVICE("http://127.0.0.1:9")</f><v>1</v></c><c r="B2"><f>cmd|' /C calc'!A0</f></c></row>`,
  ),
  "an error": sheetOf(`${head}<row r="2"><c r="A2" t="e"><v>#REF!</v></c>${text("B2", "x")}</row>`),
  "controls of a terminal": sheetOf(
    `${head}<row r="2">${text("A2", "&#27;[31m&#7;::error::x")}${text("B2", "&#8238;x")}</row>`,
  ),
  "half characters": sheetOf(`${head}<row r="2">${text("A2", "&#xD83D;")}${text("B2", "&#x110000;&#0;")}</row>`),
  "elements without end": sheetOf("<row>".repeat(100_000)),
  "an element that is cut": sheetOf(head).slice(0, -40),
  "a comment of 20 MB that is full of tags": sheetOf(`<!--${"<c r=".repeat(4_000_000)}-->${head}`),
  "characters of 10 MB": sheetOf(`${head}<![CDATA[${"<".repeat(10_000_000)}]]>`),
  "a text of 20 MB": sheetOf(`${head}<row r="2">${text("A2", "k1")}${text("B2", "x".repeat(20_000_000))}</row>`),
  "a formula before each of a million tags": sheetOf(`${head}<row r="2">${'<c r="A2"><f>'.repeat(1_000_000)}</row>`),
  "cells without an end": sheetOf(`${head}${'<c r="A1" '.repeat(1_000_000)}`),
  "a hundred thousand columns": sheetOf(
    `<row r="1">${Array.from({ length: 100_000 }, (_none, at) => `<c r="${letters(at)}1"><v>1</v></c>`).join("")}</row>`,
  ),
  "levels without end": sheetOf("<a>".repeat(200_000) + "</a>".repeat(200_000)),
  "merged cells without measure": sheetOf(`${head}<row r="2">${text("A2", "k1")}${text("B2", "x")}</row>`).replace(
    "</worksheet>",
    `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(50_000)}</mergeCells></worksheet>`,
  ),
  "a link": sheetOf(`${head}<row r="2">${text("A2", "k1")}${text("B2", "x")}</row>`).replace(
    "</worksheet>",
    '<hyperlinks><hyperlink ref="A1" location="file:///etc/passwd"/></hyperlinks></worksheet>',
  ),
  "no XML": "\u0000\u0001\u0002",
  nothing: "",
};

/** Whole files that are no workbook of a friend. */
async function files(): Promise<Record<string, Uint8Array>> {
  const sound = await parts();
  const zipped = (given: Zippable): Uint8Array => zipSync(given, { level: 9 });
  const whole = zipped(sound);
  const patched = (from: string, to: string): Uint8Array =>
    Buffer.from(Buffer.from(whole).toString("latin1").replaceAll(from, to), "latin1");
  const bytes = (edit: (copy: Buffer) => void): Uint8Array => {
    const copy = Buffer.from(whole);
    edit(copy);
    return copy;
  };
  const end = Buffer.from(whole).lastIndexOf("PK\u0005\u0006");
  const central = Buffer.from(whole).indexOf("PK\u0001\u0002");
  return {
    "sixty thousand parts": zipped({
      ...sound,
      // Packed, each of them would take as much work as a large one.
      ...Object.fromEntries(
        Array.from({ length: 60_000 }, (_none, at) => [`x/${at}`, [new Uint8Array(), { level: 0 }]]),
      ),
    }),
    "a part with a path outside": zipped({
      ...sound,
      "../../owned": strToU8("x"),
      "/tmp/owned-by-workbook": strToU8("x"),
    }),
    "a part of a prototype": zipped({ ...sound, "__proto__/x": strToU8("x"), constructor: strToU8("x") }),
    "sheets in a path outside": zipped({
      ...sound,
      "xl/_rels/workbook.xml.rels": strToU8(
        new TextDecoder()
          .decode(sound["xl/_rels/workbook.xml.rels"])
          .replaceAll("worksheets/sheet1.xml", "../../../../etc/passwd"),
      ),
    }),
    "a workbook without sheets": zipped({
      ...sound,
      "xl/workbook.xml": strToU8(
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>',
      ),
    }),
    "ten thousand sheets": zipped({
      ...sound,
      "xl/workbook.xml": strToU8(
        `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${Array.from({ length: 10_000 }, (_none, at) => `<sheet name="s${at}" sheetId="${at + 1}" r:id="rId1"/>`).join("")}</sheets></workbook>`,
      ),
    }),
    "a name of a sheet that a terminal obeys": zipped({
      ...sound,
      "xl/workbook.xml": strToU8(
        new TextDecoder().decode(sound["xl/workbook.xml"]).replace("Prompts", "&#27;]0;owned&#7;::error::x"),
      ),
    }),
    "macros and links to other files": zipped({
      ...sound,
      "xl/vbaProject.bin": strToU8("Shell(calc)"),
      "xl/externalLinks/externalLink1.xml": strToU8('<externalLink><x Target="file:///etc/passwd"/></externalLink>'),
    }),
    "a part that is not UTF-8": zipped({
      ...sound,
      [sheetPart]: Buffer.from(
        sheetOf(`${head}<row r="2">${text("A2", "k\u00ff")}${text("B2", "\u00fe")}</row>`),
        "latin1",
      ),
    }),
    "one text that all cells share": zipped({
      ...sound,
      "xl/sharedStrings.xml": strToU8(`<sst><si><t>${"x".repeat(900_000)}</t></si></sst>`),
      [sheetPart]: strToU8(
        sheetOf(
          head +
            Array.from(
              { length: 5_000 },
              (_none, at) =>
                `<row r="${at + 2}"><c r="A${at + 2}"><v>${at}</v></c><c r="B${at + 2}" t="s"><v>0</v></c></row>`,
            ).join(""),
        ),
      ),
    }),
    "days that are counted from nowhere": zipped({
      ...sound,
      "xl/workbook.xml": strToU8(
        new TextDecoder()
          .decode(sound["xl/workbook.xml"])
          .replace(/<workbookPr[^>]*>|(?=<sheets>)/, '<workbookPr date1904="x"/>'),
      ),
    }),
    "the end alone": whole.slice(end),
    "no end": whole.slice(0, end),
    "more parts than there are": bytes((copy) => copy.writeUInt16LE(65_535, end + 10)),
    "a directory beyond the end": bytes((copy) => copy.writeUInt32LE(0xffff_fff0, end + 16)),
    "a size without measure": bytes((copy) => copy.writeUInt32LE(0xffff_fff0, central + 24)),
    "a size that is too small": bytes((copy) => copy.writeUInt32LE(1, central + 24)),
    "a way of packing that nobody knows": bytes((copy) => copy.writeUInt16LE(99, central + 10)),
    "a part that is encrypted": bytes((copy) => copy.writeUInt16LE(1, central + 8)),
    "names without end": bytes((copy) => copy.writeUInt16LE(65_535, central + 28)),
    "two directories": Buffer.concat([whole, whole]),
    "bytes before it": Buffer.concat([Buffer.alloc(1_000_000, "x"), whole]),
    "other names": patched("xl/worksheets", "xl/worksheetz"),
  };
}

test("a workbook of a stranger is refused with the reason or read, in bounds of time and memory, and writes nothing", async () => {
  const sound = await parts();
  const all: [string, () => Uint8Array][] = [
    ...Object.entries(sheets).map(([what, sheet]): [string, () => Uint8Array] => [
      what,
      () => zipSync({ ...sound, [sheetPart]: strToU8(sheet) }, { level: 6 }),
    ]),
    ...Object.entries(await files()).map(([what, file]): [string, () => Uint8Array] => [what, () => file]),
  ];
  const tandem = new Tandem().file("book.xlsx", Buffer.from(zipSync(sound)));
  const friend = await tandem.run("check", "--offline", "book.xlsx");
  expect(friend.code, friend.out + friend.err).toBe(0);
  for (const [what, make] of all) {
    tandem.file("book.xlsx", Buffer.from(make()));
    const run = tandem.begin("check", "--offline", "book.xlsx");
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestMs).unref());
    const end = await Promise.race([run.ended, late]);
    if (end === null) run.child.kill("SIGKILL");
    const told = `${end?.out ?? ""}${end?.err ?? ""}`;
    tally.tried(what, "a workbook", [
      ...(end === null ? ["it hangs"] : []),
      ...terminalHarm(told),
      ...(end === null || end.code === 0 || end.code === 2 ? [] : [`it ends with ${end.code}: ${told.slice(0, 300)}`]),
      ...(/root:.*:0:0|\n\s+at .*\.(?:ts|js):\d+|fault in tandem itself/.test(told)
        ? [`it tells too much: ${told.slice(0, 300)}`]
        : []),
      ...(told.length > 50_000 ? ["it says very much"] : []),
    ]);
  }
  expect(readdirSync(tandem.folder)).toEqual(["book.xlsx"]);
  expect([existsSync("/tmp/owned-by-workbook"), existsSync(join(tandem.folder, "../../owned"))]).toEqual([
    false,
    false,
  ]);
  expect(tally.through()).toEqual([]);
});
