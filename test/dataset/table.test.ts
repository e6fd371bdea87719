import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSeparation } from "../../src/dataset/table/csv.ts";
import { collect, faultOf, mapping, read } from "./reading.ts";
import { often } from "../often.ts";

async function cellsOf(text: string, name = "p.csv"): Promise<string[][]> {
  const cases = await read(text, { name, options: { endpoints: ["functions"] } });
  return cases.map(({ columns }) => Object.values(columns));
}

describe("cases of CSV that every reader should know", () => {
  test.each<[string, string, string[][]]>([
    [
      "a comma in quotes",
      'first,last,address\nJohn,Doe,"120 any st., Anytown"\n',
      [["John", "Doe", "120 any st., Anytown"]],
    ],
    [
      "empty cells",
      'a,b,c\n1,"",""\n2,3,4\n',
      [
        ["1", "", ""],
        ["2", "3", "4"],
      ],
    ],
    [
      "empty cells with CRLF",
      'a,b,c\r\n1,"",""\r\n2,3,4\r\n',
      [
        ["1", "", ""],
        ["2", "3", "4"],
      ],
    ],
    [
      "escaped quotes",
      'a,b\n1,"ha ""ha"" ha"\n3,4\n',
      [
        ["1", 'ha "ha" ha'],
        ["3", "4"],
      ],
    ],
    [
      "JSON",
      'key,val\n1,"{""type"": ""Point"", ""coordinates"": [102.0, 0.5]}"\n',
      [["1", '{"type": "Point", "coordinates": [102.0, 0.5]}']],
    ],
    [
      "newlines",
      'a,b,c\n1,2,3\n"Once upon \na time",5,6\n7,8,9\n',
      [
        ["1", "2", "3"],
        ["Once upon \na time", "5", "6"],
        ["7", "8", "9"],
      ],
    ],
    ["newlines with CRLF", 'a,b,c\r\n"Once upon \r\na time",5,6\r\n', [["Once upon \r\na time", "5", "6"]]],
    [
      "quotes and newlines",
      'a,b\n1,"ha \n""ha"" \nha"\n3,4\n',
      [
        ["1", 'ha \n"ha" \nha'],
        ["3", "4"],
      ],
    ],
    ["simple CRLF", "a,b,c\r\n1,2,3\r\n", [["1", "2", "3"]]],
    [
      "a lone CR",
      'a,b\r1,"x\ry"\r3,4',
      [
        ["1", "x\ry"],
        ["3", "4"],
      ],
    ],
    [
      "a lone CR, and line feeds inside of cells",
      'a,b\r1,"x\ny ""z"""\r3,4\r',
      [
        ["1", 'x\ny "z"'],
        ["3", "4"],
      ],
    ],
    [
      "mixed line ends",
      "a,b\r\n1,2\n3,4\r\n5,6",
      [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
      ],
    ],
    [
      "UTF-8",
      "a,b,c\n1,2,3\n4,5,ʤ\n",
      [
        ["1", "2", "3"],
        ["4", "5", "ʤ"],
      ],
    ],
    ["quotes around everything", '"a","b"\n"1","x,""y"""\n', [["1", 'x,"y"']]],
    ["spaces around cells", "a,b\n 1 , 2 \n", [[" 1 ", " 2 "]]],
    ["what a spreadsheet takes for numbers", "a,b\n007,1e3\n", [["007", "1e3"]]],
    ["sep= in the first line", "sep=|\r\na,x|b\r\n1|2;3\r\n", [["1", "2;3"]]],
  ])("%s", async (_name, text, cells) => {
    expect(await cellsOf(text)).toEqual(cells);
  });
});

describe("the delimiter", () => {
  test.each([
    ["commas", "a,b,c\n1,2,3\n", ","],
    ["semicolons beside decimal commas", "a;b;c\n1,5;2,5;3,5\n", ";"],
    ["semicolons with a comma in the header", "id;question, in English;answer\n1;Hi, you;x\n", ";"],
    ["tabs", "a\tb\n1\t2, 3; 4\n", "\t"],
    ["pipes", "a|b\n1|2, 3\n4|5\n", "|"],
    ["commas with semicolons in quotes", 'a,b\n"1;2;3",4\n"5;6",7\n', ","],
    ["commas in a header that has semicolons too", "a;x,b\n1,2\n3,4\n", ","],
    ["a single column", "question\nHi; you, there\n", ","],
    ["nothing", "", ","],
  ])("is found among %s", (_name, text, delimiter) => {
    expect(findSeparation(text, ",").delimiter).toBe(delimiter);
  });

  test("can be given, also where another is likelier", async () => {
    const format = { delimiter: "~", encoding: null, lenient: false };
    expect(await read("question~a,b\nHi~1,2\n", { options: { format } })).toMatchObject([
      { columns: { "a,b": "1,2" } },
    ]);
  });

  test("is found for whatever csv-stringify writes with it, cell by cell", async () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", " ", "\t", ";", "|", "\r", "\uFEFF", "é", "語") }),
    );
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    const written = {
      delimiter: fc.constantFrom(",", ";", "\t", "|"),
      record_delimiter: fc.constantFrom("\n", "\r\n"),
    };
    await fc.assert(
      fc.asyncProperty(table, fc.record(written), async (rows, options) => {
        const clean = rows.map((row) => row.map((each) => each.replaceAll("\0", "")));
        const header = ["input_prompt", "b", "c", "d", "e"].slice(0, clean[0]?.length);
        const text = stringify([header, ...clean.map(([, ...others]) => ["x", ...others])], {
          ...options,
          quoted: true,
        });
        const cases = await collect({
          files: ["-"],
          mapping: mapping(),
          endpoints: ["video-bots"],
          standardInput: Readable.from([Buffer.from(text)]),
        });
        expect(cases.map(({ columns }) => Object.values(columns).slice(1))).toEqual(clean.map((row) => row.slice(1)));
      }),
      { numRuns: often(40, 150) },
    );
  });
});

describe("what csv-stringify writes by default, with quotes only where it sees a need", () => {
  // It sees none for a carriage return alone, which then cannot be told from the end of a line.
  const letters = ["a", '"', ",", "\n", " ", "\t", ";", "|", "\uFEFF", "é", "語", "👩‍👩‍👧"];
  const cell = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom(...letters) }));
  const row = fc
    .tuple(fc.constant("x"), cell, cell)
    .map((cells) => cells.map((text) => text.replaceAll(/[\0\r]/g, "")));
  const options = fc.record({
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    bom: fc.boolean(),
    quoted_string: fc.boolean(),
  });

  test("is read back cell by cell, in UTF-8 and in UTF-16", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        options,
        fc.boolean(),
        async (rows, given, wide) => {
          const text = stringify([["input_prompt", "b", "c"], ...rows], given);
          const marked = wide && !given.bom ? `\uFEFF${text}` : text;
          const cases = await collect({
            files: ["-"],
            mapping: mapping(),
            endpoints: ["video-bots"],
            format: { delimiter: given.delimiter, encoding: null, lenient: false },
            standardInput: Readable.from([Buffer.from(marked, wide ? "utf16le" : "utf8")]),
          });
          expect(cases.map(({ columns }) => Object.values(columns))).toEqual(rows);
        },
      ),
      { numRuns: often(40, 150) },
    );
  });
});

describe("a header", () => {
  test("is matched exactly first, then without case and spaces, with a notice", async () => {
    const reported: string[] = [];
    const options = { onNotice: (notice: string) => reported.push(notice) };
    const cases = await read(' Question ,"golden\u00a0 answer",question\nloose,x,exact\n', {
      input: { input_prompt: "question", "variables.a": "{{ row['Golden Answer'] }}" },
      options,
    });
    expect(cases).toMatchObject([{ input: { input_prompt: "exact", variables: { a: "x" } } }]);
    expect(reported).toEqual([
      'prompts.csv: the template of case.input.variables.a names "Golden Answer"; the column "golden\u00a0 answer" is taken for it',
    ]);
    expect(await read("\u200bQuestion \nHi\n", { input: { input_prompt: "question" } })).toMatchObject([
      { input: { input_prompt: "Hi" } },
    ]);
  });

  test("that could be meant in two ways is not guessed", async () => {
    const text = await faultOf("Question,QUESTION\na,b\n", { input: { input_prompt: "question" } });
    expect(text).toContain('It could be "Question" and "QUESTION".');
  });

  test("lacks several columns: all are told at once", async () => {
    const text = await faultOf("id,question\n1,a\n", {
      key: "idd",
      input: { input_prompt: "questoin" },
      tags: ["lang"],
    });
    expect(text.split("\n")).toHaveLength(3);
  });

  test("may name request fields with capitals and spaces", async () => {
    expect(await read("Input_Prompt , variables.tone\nHi,formal\n")).toMatchObject([
      { input: { input_prompt: "Hi", variables: { tone: "formal" } } },
    ]);
  });
});

describe("rows that are not whole", () => {
  const lenient = { options: { format: { delimiter: null, encoding: null, lenient: true } } };

  test("are filled up when lenient, and quotes inside of cells are kept", async () => {
    const text = 'question,a,b\nHi\nHo,1,2,,\nthe "best" one,3,4\n';
    expect((await read(text, lenient)).map(({ columns }) => Object.values(columns))).toEqual([
      ["Hi", "", ""],
      ["Ho", "1", "2"],
      ['the "best" one', "3", "4"],
    ]);
    expect(await faultOf("question,a\nHi,1,more\n", lenient)).toContain("the row has 3 cells, the header 2");
  });

  test("of several megabytes are read", async () => {
    const long = "मुफ़्त, ".repeat(often(150_000, 300_000));
    const cases = await read(`question,answer\nfirst,1\n"${long}",2\nlast,3\n`);
    expect(cases.map(({ columns }) => columns["question"]?.length)).toEqual([5, long.length, 4]);
  });
});

describe("what is no table", () => {
  test.each([
    ["a page that asks for a login", "<!DOCTYPE html>\n<html><body>Sign in, please</body></html>", "a web page or XML"],
    ["JSON", '[\n  {"question": "a"},\n  {"question": "b"}\n]\n', "the file is JSON, not a table. Write one object"],
    ["a pretty JSON object", '{\n  "question": "a"\n}\n', "the file is JSON, not a table"],
  ])("is told: %s", async (_name, text, said) => {
    expect(await faultOf(text)).toContain(said);
  });

  test("a title above the header is told, and nothing is taken for a question", async () => {
    expect(await faultOf("Prompts for the third quarter,,\n,,\nid,question,answer\n1,a,b\n")).toContain(
      "If its first line is a title, delete it: the header comes first.",
    );
  });

  test("a quote that is never closed is told with the line on which it opens", async () => {
    const text = `question,answer\na,b\n"c,d\n${"x,y\n".repeat(50)}`;
    expect(await faultOf(text)).toContain("prompts.csv:3 (row 3):");
  });
});

describe("a sheet in other languages, with nothing configured", () => {
  test.each([
    ["प्रश्न,उत्तर\nयह क्या है?,किताब\n"],
    ["سؤال;جواب\nما هذا؟;كتاب\n"],
    ["ጥያቄ\tመልስ\nምንድን ነው?\tመጽሐፍ\n"],
    ["Nr;Frage;Antwort;Thema\n1;Was?;Das;x\n"],
    ["Question (EN),Answer (EN),Topic\nWhat?,That,x\n"],
    ["ⵜⵓⵜⵔⴰ,ⵜⴰⵎⵔⴰⵔⵓⵜ\nwhat?,that\n"],
    ["USER_QUESTION,Ideal-Answer,Owner\nWhat?,That,x\n"],
  ])("has a question and an answer: %j", async (text) => {
    const [first] = await read(text);
    const [prompt] = Object.values(first?.input ?? {});
    expect(prompt).toMatch(/[?؟]$/);
    expect(first?.expected).toMatch(/^(?:किताब|كتاب|መጽሐፍ|Das|[Tt]hat)$/);
  });

  test("of one column needs no name; what is guessed is told", async () => {
    const reported: string[] = [];
    const options = { onNotice: (notice: string) => reported.push(notice) };
    expect(await read("Things to ask\nHi\n", { options })).toMatchObject([{ input: { input_prompt: "Hi" } }]);
    expect(reported).toEqual([
      'prompts.csv: The column "Things to ask" is taken for the question. If it is not, map it in a suite (case.input), or rename it.',
    ]);
  });
});
