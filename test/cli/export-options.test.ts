import { describe, expect, test } from "vitest";
import { tableExport } from "../../src/cli/flags/export-options.ts";

const flags = { output: "-", where: [], excel: false, raw: false };
const machine = { env: {}, isTerminal: false };
const formatOf = (given: Partial<Parameters<typeof tableExport>[0]>) =>
  tableExport({ ...flags, ...given }, machine).format;

describe("the form of an exported table", () => {
  test.each([
    ["x.csv", "csv"],
    ["x.jsonl", "jsonl"],
    ["x.ndjson", "jsonl"],
    ["folder.csv/x.XLSX", "xlsx"],
    ["-", "csv"],
  ])("is said by the end of the name: %s", (output, format) => expect(formatOf({ output })).toBe(format));

  test("is said by --format where the name says nothing", () => {
    expect(formatOf({ format: "xlsx" })).toBe("xlsx");
    expect(formatOf({ output: "/dev/stdout", format: "jsonl" })).toBe("jsonl");
    expect(formatOf({ output: "x.json", format: "jsonl" })).toBe("jsonl");
  });

  test.each(["x.xls", "x", "x.csv.gz", ".csv", ""])("is refused where nothing says it: %s", (output) => {
    expect(() => formatOf({ output })).toThrow(
      expect.objectContaining({ code: "USAGE", hint: expect.stringContaining(".jsonl, .ndjson or .xlsx") }),
    );
  });

  test("is refused where the name and --format say two things", () => {
    expect(() => formatOf({ output: "x.csv", format: "xlsx" })).toThrow(
      'The name "x.csv" is one of csv, and --format is xlsx.',
    );
  });

  test("is not shown in a terminal where it is no text", () => {
    const shown = { ...machine, isTerminal: true };
    expect(() => tableExport({ ...flags, format: "xlsx" }, shown)).toThrow("A terminal cannot show xlsx");
    expect(tableExport({ ...flags, format: "jsonl" }, shown).format).toBe("jsonl");
  });

  test.each([{ excel: true }, { raw: true }, { locale: "de" }, { delimiter: ";" }])(
    "takes nothing that is for spreadsheets where it keeps every value: %j",
    (given) => {
      expect(() => formatOf({ output: "x.jsonl", ...given })).toThrow(`--${Object.keys(given)[0]} is for CSV`);
    },
  );

  test.each([
    ["x.parquet", "write JSON Lines"],
    ["x.TSV", "--delimiter tab"],
    ["x.json", "`jq -s .`"],
  ])("is refused with what serves in its place: %s", (output, instead) => {
    expect(() => formatOf({ output })).toThrow(
      expect.objectContaining({ code: "USAGE", hint: expect.stringContaining(instead) }),
    );
  });

  test("is CSV with tabs by --delimiter, and as the suite says without a flag", () => {
    expect(tableExport({ ...flags, output: "x.csv", delimiter: "tab" }, machine).sheetOf().delimiter).toBe("\t");
    const { sheetOf } = tableExport({ ...flags, output: "x.csv" }, machine);
    expect(sheetOf({ separator: ";", decimal: "," })).toMatchObject({ delimiter: ";", decimal: ",", excel: false });
  });

  test("is for Excel in the form of the suite, of --locale, or else of the machine", () => {
    const german = { env: { LANG: "de_DE.UTF-8" }, isTerminal: false };
    const form = (given: { locale?: string }, where = machine) =>
      tableExport({ ...flags, output: "x.csv", excel: true, ...given }, where).sheetOf;
    const semicolons = { excel: true, delimiter: ";", decimal: "," };
    expect(form({})({ separator: ";", decimal: "," })).toMatchObject(semicolons);
    expect(form({ locale: "en" })({ separator: ";", decimal: "," })).toMatchObject({ delimiter: ",", decimal: "." });
    expect(form({}, german)()).toMatchObject(semicolons);
    expect(form({})()).toMatchObject({ delimiter: ",", decimal: "." });
  });
});
