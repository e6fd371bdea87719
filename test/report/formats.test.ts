import { describe, expect, test } from "vitest";
import { caseTables } from "../../src/report/formats/table-formats.ts";
import { formatNamed, reportFormats, reportNames } from "../../src/report/formats/formats.ts";

describe("the table of report formats", () => {
  test("gives every format a name, a file and a flag of its own", () => {
    for (const part of ["name", "file", "flag"] as const) {
      expect(new Set(reportFormats.map((row) => row[part])).size).toBe(reportFormats.length);
    }
  });

  test("asks for each file by the end of its own name", () => {
    for (const { file, extensions } of reportFormats) {
      expect(extensions.some((extension) => file.endsWith(extension))).toBe(true);
    }
  });

  test("loads the writer of each format", async () => {
    for (const row of reportFormats) {
      const { make } = "table" in row ? caseTables[row.table] : row;
      expect(await make()).toBeTypeOf("function");
    }
  });

  test("gives a suite all of them, and the summary in the terminal, to choose from", () => {
    expect(reportNames.join(" ")).toBe("terminal html csv markdown junit json jsonl excel");
  });

  test("refuses a name that is not in it, with those that are", () => {
    expect(() => formatNamed("pdf")).toThrow(
      expect.objectContaining({ code: "USAGE", hint: expect.stringContaining("html, comparison, runs") }),
    );
  });
});
