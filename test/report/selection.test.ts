import { describe, expect, test } from "vitest";
import { csvText } from "../../src/report/tables/csv.ts";
import { readColumnList, selectFrom } from "../../src/report/tables/selection.ts";
import { spreadsheetLocale } from "../../src/report/tables/spreadsheet.ts";
import type { TypedColumn } from "../../src/report/tables/table.ts";
import { csvOf, rowsBehind } from "./read-table.ts";
import { readText } from "./read-stream.ts";

const columnsOf = (...names: string[]): TypedColumn[] => names.map((name) => ({ name, type: "text" }));
const namesOf = ({ columns }: { columns: TypedColumn[] }): string[] => columns.map(({ name }) => name);

const header = columnsOf("case_key", "prod.answer", "test.answer", "test.excess", "a, b");
const rows = [
  ["k1", "yes", "no", 0.5, "x"],
  ["k2", "yes", "yes", 0, "y"],
];

describe("a selection of a table", () => {
  test("has the columns that are wanted, in the order in which they are wanted, each once", async () => {
    const some = await selectFrom({ columns: header }, { columns: ["test.*", "case_key", "test.answer"], where: [] });
    expect(namesOf(some)).toEqual(["test.answer", "test.excess", "case_key"]);
    expect(rows.map((row) => some.cellsOf(row))).toEqual([
      ["no", 0.5, "k1"],
      ["yes", 0, "k2"],
    ]);
  });

  test("has the rows that every filter wants, by columns that it does not show too", async () => {
    const asked = { columns: ["case_key"], where: ["test.excess > 0", "prod.answer = yes"] };
    const selection = await selectFrom({ columns: header, behind: rowsBehind() }, asked);
    expect(await readText(csvOf({ columns: header, rows }, { selection }))).toBe('case_key\n"k1"\n');
  });

  test("takes a name that only columns of sides have for any of them", async () => {
    const several = columnsOf("case_key", "prod.verdict", "test.verdict");
    const lines = [
      ["a", "same", "worse"],
      ["b", "same", "same"],
      ["c", "worse", "better"],
    ];
    const keysOf = async (where: string) => {
      const some = await selectFrom(
        { columns: several, behind: rowsBehind() },
        { columns: ["case_key"], where: [where] },
      );
      return lines.flatMap((line) => some.cellsOf(line) ?? []);
    };
    expect(await keysOf("verdict = worse")).toEqual(["a", "c"]);
    expect(await keysOf("not verdict = worse")).toEqual(["b"]);
    expect(await keysOf("*.verdict in (better)")).toEqual(["c"]);
    expect(namesOf(await selectFrom({ columns: several }, { columns: ["verdict"], where: [] }))).toEqual([
      "prod.verdict",
      "test.verdict",
    ]);
  });

  test("refuses a column that is not there", async () => {
    const named = (name: string) => selectFrom({ columns: header }, { columns: [name], where: [] });
    await expect(named("test.anser")).rejects.toThrow('there is no column "test.anser"');
    await expect(named("nothing.*")).rejects.toThrow("there is no column");
  });
});

describe("a list of columns", () => {
  test.each([
    ["a,b", ["a", "b"]],
    [" a , b ", ["a", "b"]],
    ['case_key,"a, b"', ["case_key", "a, b"]],
    ['"say ""hi"""', ['say "hi"']],
    ["प्रश्न,سؤال", ["प्रश्न", "سؤال"]],
  ])("is read with names in quotes: %s", (text, names) => expect(readColumnList(text)).toEqual(names));

  test.each(["", ",", "a,", "a,,b", '"a', '"a"b', " "])("that lacks a name is refused: %j", (text) =>
    expect(() => readColumnList(text)).toThrow("a column is expected"),
  );
});

describe("a locale", () => {
  test.each(["de", "de_DE.UTF-8", "fr-CA", "pt_BR@x", "ru", "id"])(
    "with a decimal comma separates by semicolons: %s",
    (name) => expect(spreadsheetLocale(name)).toEqual({ delimiter: ";", decimal: "," }),
  );

  test.each(["", "C", "C.UTF-8", "POSIX", "en_US.UTF-8", "hi_IN", "ar_EG.UTF-8", "am_ET", "ja"])(
    "with a decimal point separates by commas: %s",
    (name) => expect(spreadsheetLocale(name)).toEqual({ delimiter: ",", decimal: "." }),
  );

  test("that does not exist is refused", () => expect(() => spreadsheetLocale("not a locale")).toThrow("is no locale"));

  test("changes delimiter and numbers, never texts, truth values and times", async () => {
    const table = [
      ["case_key", "n", "text", "flaky", "at"],
      ["a", 0.25, "1.5; 2,5", true, "2026-11-26T14:46:15.727533+00:00"],
    ];
    const options = { excel: true, raw: false, delimiter: ";", decimal: "," as const };
    expect(await readText(csvText(table, options))).toBe(
      '\ufeffcase_key;n;text;flaky;at\n"a";0,25;"1.5; 2,5";true;"2026-11-26T14:46:15.727533+00:00"\n',
    );
  });
});
