import { describe, expect, test } from "vitest";
import { faultOf, read } from "./reading.ts";
import { rawWorkbook, type RawSheet } from "./raw-workbook.ts";

const name = "prompts.xlsx";
const names = ["question", "expected"];
const first = ["When do you open?", "at 9"];
const second = ["Can I borrow a drone?", "no"];
const third = ["How much is a day pass?", "25"];

type Rows = RawSheet["rows"];

/** The cases of a workbook, and the notices on the way to them. */
async function readSheets(...sheets: RawSheet[]) {
  const notices: string[] = [];
  const skipped: number[] = [];
  const options = {
    onNotice: (notice: string) => void notices.push(notice.replace(`${name}: `, "")),
    onSkipped: ({ row }: { row: number | null }) => void skipped.push(row ?? -1),
  };
  const cases = await read(rawWorkbook(sheets), { name, options });
  return {
    notices,
    skipped,
    cases: cases.map(({ input, expected, source }) => [input["input_prompt"], expected, source.row]),
    columns: cases.map(({ columns }) => columns),
  };
}

const readRows = (...rows: Rows) => readSheets({ name: "Sheet1", rows });

describe("a workbook as people have it", () => {
  test("may have a title above its header, with blank rows between: it is told, and rows keep their numbers", async () => {
    const { cases, notices } = await readRows(["Questions for November"], [], names, first, second);
    expect(cases).toEqual([
      [...first, 4],
      [...second, 5],
    ]);
    expect(notices).toEqual(['row 1 ("Questions for November") is taken for a title: the header is row 3']);
  });

  test("may have groups of columns in merged cells above its header", async () => {
    const rows = [
      ["Questions", null, "Meta", null],
      [...names, "topic", "owner"],
      [...first, "hours", "Ann"],
    ];
    const { cases, columns, notices } = await readSheets({ name: "S", rows, merged: ["A1:B1", "C1:D1"] });
    expect(cases).toEqual([[...first, 3]]);
    expect(columns[0]).toMatchObject({ topic: "hours", owner: "Ann" });
    expect(notices).toEqual(['row 1 ("Questions") is taken for a title: the header is row 2']);
  });

  test("has its first row for a header where no other one names a question", async () => {
    const fault = await faultOf(rawWorkbook([{ name: "S", rows: [["Title"], ["who", "says"], ["a", "b"]] }]), { name });
    expect(fault).toContain("If its first line is a title, delete it");
  });

  test("has its first row for a header where it names a question among others, whatever stands in a row of it", async () => {
    const remarked = ["Hi there", "Message", "from Ann"];
    for (const head of ["question", "Question (EN)"]) {
      const { cases, notices } = await readSheets({
        name: "S",
        rows: [[head, "type"], remarked, ["Who?", "Question", "b"]],
      });
      expect(cases.map(([prompt]) => prompt)).toEqual(["Hi there", "Who?"]);
      expect(notices.join()).not.toContain("title");
    }
    const grouped = await readRows(["Questions", "Meta"], ["Question", "Topic", "Owner"], ["a?", "x", "Ann"]);
    expect(grouped.cases).toEqual([["a?", null, 3]]);
  });

  test("has a row that explains its header told, as it is sent", async () => {
    const { cases, notices } = await readRows(names, ["(the user's words)", "(one of three)"], first);
    expect(cases).toHaveLength(2);
    expect(notices).toEqual(["row 2 explains the header, as it seems, and is sent like any other: delete it"]);
  });

  test("has its hidden first sheet passed over, which is told", async () => {
    const lists = { name: "Lists", isHidden: true, rows: [["x"], ["y"]] };
    const { cases, notices } = await readSheets(lists, { name: "Prompts", rows: [names, first] });
    expect(cases).toEqual([[...first, 2]]);
    expect(notices).toEqual([expect.stringContaining('the sheet "Prompts" is read, not "Lists"')]);
  });

  test("shows errors of formulas in columns that are used, each with its cell, and in no other", async () => {
    const rows = [
      [...names, "note"],
      [first[0] ?? "", { error: "#N/A" }, "x"],
      [...second, { error: "#DIV/0!" }],
      [{ error: "#REF!" }, "b", null],
    ];
    const fault = await faultOf(rawWorkbook([{ name: "S", rows }]), { name });
    expect(fault).toContain('(row 2): column "expected": the cell B2 shows the error #N/A');
    expect(fault).toContain('(row 4): column "question": the cell A4 shows the error #REF!');
    expect(fault).toContain("Mend the formula, or clear the cell.");
    expect(fault).not.toContain("DIV");
    expect(fault).not.toContain("blank");
    const { cases, columns } = await readRows([...names, "note"], [...second, { error: "#DIV/0!" }]);
    expect(cases).toEqual([[...second, 2]]);
    expect(columns[0]).toMatchObject({ note: "#DIV/0!" });
    const scored = await faultOf(rawWorkbook([{ name: "S", rows }]), { name, options: { named: ["note"] } });
    expect(scored).toContain('(row 3): column "note": the cell C3 shows the error #DIV/0!');
  });

  test("shows errors of formulas in messages, in scripts of turns, and where a prefix stands before each element", async () => {
    const broken = { error: "#N/A" };
    const talk: Rows = [
      ["chat", "role", "content", "topic"],
      ["a", "user", "Hi", "x"],
      ["a", "assistant", "Hello", null],
      ["a", "tool", broken, null],
      ["a", "user", broken, null],
      ["b", "user", "Bye", null],
      ["b", "assistant", "Bye", broken],
    ];
    const asked = { turn: "__turn", input: { input_prompt: "__prompt" } };
    const messages = { ...asked, messages: { role: "role", text: "content" }, cluster: "chat", tags: ["topic"] };
    const fault = await faultOf(rawWorkbook([{ name: "S", rows: talk }]), { name, ...messages });
    expect(fault).toContain('(row 5): column "content": the cell C5 shows the error #N/A');
    expect(fault).toContain('column "topic": the cell D7 shows the error #N/A');
    expect(fault).toContain("2 faults");
    const rows: Rows = [["script"], [broken], ['["a", "b"]']];
    const ofScript = await faultOf(rawWorkbook([{ name: "S", rows }]), { name, ...asked, turns: "script" });
    expect(ofScript).toContain('column "script": the cell A2 shows the error #N/A');
    const told = [
      ["script", "topic"],
      ['["a", "b", "c"]', broken],
    ];
    const oncePerRow = await faultOf(rawWorkbook([{ name: "S", rows: told }]), {
      name,
      ...asked,
      turns: "script",
      tags: ["topic"],
    });
    expect(oncePerRow).toContain("1 fault");
    const prefixed = rawWorkbook([{ name: "S", rows: [names, ["a?", broken]] }], {
      "xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>question</x:v></x:c><x:c r="B1" t="str"><x:v>expected</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="str"><x:v>a?</x:v></x:c><x:c r="B2" t="e"><x:f>NA()</x:f><x:v>#N/A</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    });
    expect(await faultOf(prefixed, { name })).toContain("the cell B2 shows the error #N/A");
  });

  test("may have another table beside its own, which is not read and told", async () => {
    const rows: Rows = [
      [...names, null, "Person", "Hours"],
      [...first, null, "Ann", 5],
      [...second, null, "Bob", 7],
      [null, null, null, "Cem", 9],
    ];
    const { cases, columns, notices, skipped } = await readRows(...rows);
    expect(cases).toEqual([
      [...first, 2],
      [...second, 3],
    ]);
    expect(Object.keys(columns[0] ?? {})).toEqual(names);
    expect(skipped).toEqual([4]);
    expect(notices).toEqual([
      'columns D to E ("Person", "Hours") are taken for another table and not read. To read them with the rows, delete the empty column C',
    ]);
    // The other one first: it is the table with the questions that counts.
    const turned = await readRows(...rows.map((row) => [row[3] ?? null, row[4] ?? null, null, ...row.slice(0, 2)]));
    expect(turned.cases).toEqual(cases);
    expect(turned.notices).toEqual([expect.stringMatching(/^columns A to B .* delete the empty column C$/)]);
  });

  test("may have an empty column within its table: what ends in the same row, or names a part of a case, belongs to it", async () => {
    const same = await readRows(["question", null, "topic"], ["a?", null, "x"], ["b?", null, "y"]);
    expect(same.columns.map(({ topic }) => topic)).toEqual(["x", "y"]);
    const short = await readRows(["question", null, "expected"], ["a?", null, "x"], ["b?", null, null]);
    expect(short.cases).toEqual([
      ["a?", "x", 2],
      ["b?", null, 3],
    ]);
    expect([...same.notices, ...short.notices]).toEqual([]);
  });

  test("may have empty columns at its end, and remarks beside it that no name stands above", async () => {
    const { columns, notices } = await readRows([...names, null, " ", null], [...first, null, null, null]);
    expect(columns).toEqual([{ question: first[0], expected: first[1] }]);
    expect(notices).toEqual([]);
    const remark = await readRows([...names, null, null], [...first, null, "see mail"], second);
    expect(Object.keys(remark.columns[0] ?? {})).toEqual(names);
    expect(remark.notices).toEqual(["column D has no name and is not read"]);
    const beside = await readRows([...names, null], [...first, "see mail"], second);
    expect(beside.columns[0]).toMatchObject({ "column 3": "see mail" });
  });

  test("has days, times, hours and percentages as texts that a person would write", async () => {
    const date = (number: number, format: string) => ({ number, format });
    const { columns } = await readRows(
      ["question", "day", "time", "hours", "long", "share", "exact", "price", "text"],
      [
        "a?",
        date(45_999, "dd/mm/yyyy"),
        date(45_999.4375, "d.m.yy hh:mm"),
        date(11 / 24, "hh:mm"),
        date(26.5 / 24, "[h]:mm"),
        date(0.07, "0%"),
        date(0.125, "0.0%"),
        date(5, '"$"#,##0.00'),
        date(0.5, '0.0" %"'),
      ],
    );
    expect(columns[0]).toEqual({
      question: "a?",
      day: "2025-12-08",
      time: "2025-12-08T10:30:00",
      hours: "11:00",
      long: "26:30",
      share: "7%",
      exact: "12.5%",
      price: "5",
      text: "0.5",
    });
  });

  test("keeps numbers that are stored as texts, and has the results of formulas", async () => {
    const { columns } = await readRows(
      ["id", "question", "expected"],
      ["007", { formula: 'A1&"?"', result: "When?" }, { formula: "A2+2", result: 9 }],
    );
    expect(columns).toEqual([{ id: "007", question: "When?", expected: "9" }]);
  });

  test("has whole numbers of more digits than Excel keeps as they are stored: ids that other programs write", async () => {
    const cell = (ref: string, value: string): string => `<c r="${ref}"><v>${value}</v></c>`;
    const sheet = rawWorkbook([{ name: "S", rows: [["question", "expected"]] }], {
      "xl/worksheets/sheet1.xml": `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="str"><v>question</v></c><c r="B1" t="str"><v>expected</v></c></row><row r="2">${cell("A2", "12345678901234567890")}${cell("B2", "-9007199254740993")}</row><row r="3">${cell("A3", "0.30000000000000004")}${cell("B3", "123456789012345")}</row></sheetData></worksheet>`,
    });
    const cases = await read(sheet, { name });
    expect(cases.map(({ input, expected }) => [input["input_prompt"], expected])).toEqual([
      ["12345678901234567890", "-9007199254740993"],
      ["0.3", "123456789012345"],
    ]);
  });

  test("leaves rows without content out, with their numbers", async () => {
    const { cases, skipped } = await readRows([], names, first, [], [null, null], second);
    expect(cases).toEqual([
      [...first, 3],
      [...second, 6],
    ]);
    expect(skipped).toEqual([4, 5]);
  });

  test("has any script, the longest texts, and line breaks in its header", async () => {
    const long = "ग".repeat(32_766);
    const { cases } = await readRows(["question\n(as asked)", "expected\r\nanswer"], ["متى تفتح؟ 👩‍🌾", long], third);
    expect(cases).toEqual([
      ["متى تفتح؟ 👩‍🌾", long, 2],
      [...third, 3],
    ]);
  });

  test("has links and macros passed over: a linked cell is its text", async () => {
    const rows = [
      [...names, "page"],
      [...first, "the page"],
    ];
    const book = rawWorkbook([{ name: "S", rows, links: { C2: "https://a.test/x" } }], {
      "xl/vbaProject.bin": "Shell",
    });
    const cases = await read(book, { name: "prompts.xlsm" });
    expect(cases.map(({ columns }) => columns)).toEqual([{ question: first[0], expected: first[1], page: "the page" }]);
  });

  test("that a program wrote with a text it does not have is refused with the cell", async () => {
    const rows = [names, [...first]];
    const book = rawWorkbook([{ name: "S", rows }], {
      "xl/worksheets/sheet1.xml":
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>question</t></is></c></row><row r="2"><c r="A2" t="s"><v>9</v></c></row></sheetData></worksheet>',
    });
    expect(await faultOf(book, { name })).toContain("it cannot be read: the cell A2 is damaged");
  });
});
