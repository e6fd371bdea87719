import { describe, expect, test } from "vitest";
import { wantedTable } from "../../src/cli/flags/export-options.ts";

const flags = { output: "-", where: [], excel: false, "separator-line": false, raw: false };
const machine = { env: {}, isTerminal: false };
const formatOf = (given: Partial<Parameters<typeof wantedTable>[0]>) =>
  wantedTable({ ...flags, ...given }, machine).format;

describe("the form of an exported table", () => {
  test.each([
    ["x.csv", "csv"],
    ["x.TSV", "tsv"],
    ["x.jsonl", "jsonl"],
    ["x.ndjson", "jsonl"],
    ["x.json", "json"],
    ["folder.csv/x.Parquet", "parquet"],
    ["-", "csv"],
  ])("is said by the end of the name: %s", (output, format) => expect(formatOf({ output })).toBe(format));

  test("is said by --format where the name says nothing", () => {
    expect(formatOf({ format: "parquet" })).toBe("parquet");
    expect(formatOf({ output: "/dev/stdout", format: "jsonl" })).toBe("jsonl");
    expect(formatOf({ output: "x.json", format: "json" })).toBe("json");
  });

  test.each(["x.xls", "x", "x.parquet.gz", ".csv", ""])("is refused where nothing says it: %s", (output) => {
    expect(() => formatOf({ output })).toThrow(
      expect.objectContaining({ code: "USAGE", hint: expect.stringContaining(".json, .parquet or .xlsx") }),
    );
  });

  test("is refused where the name and --format say two things", () => {
    expect(() => formatOf({ output: "x.csv", format: "parquet" })).toThrow(
      'The name "x.csv" is one of csv, and --format is parquet.',
    );
  });

  test("is not shown in a terminal where it is no text", () => {
    const shown = { ...machine, isTerminal: true };
    expect(() => wantedTable({ ...flags, format: "parquet" }, shown)).toThrow("A terminal cannot show parquet");
    expect(wantedTable({ ...flags, format: "jsonl" }, shown).format).toBe("jsonl");
  });

  test.each([{ excel: true }, { raw: true }, { "separator-line": true }, { locale: "de" }, { delimiter: ";" }])(
    "takes nothing that is for spreadsheets where it keeps every value: %j",
    (given) => {
      expect(() => formatOf({ output: "x.jsonl", ...given })).toThrow(`--${Object.keys(given)[0]} is for CSV`);
    },
  );

  test("puts tabs between the cells of a .tsv file, unless another delimiter is asked for", () => {
    expect(wantedTable({ ...flags, output: "x.tsv" }, machine).sheet.delimiter).toBe("\t");
    expect(wantedTable({ ...flags, output: "x.tsv", delimiter: "|" }, machine).sheet.delimiter).toBe("|");
    expect(wantedTable({ ...flags, output: "x.csv" }, machine).sheet.delimiter).toBe(",");
  });
});
