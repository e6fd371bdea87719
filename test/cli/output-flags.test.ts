import { describe, expect, test } from "vitest";
import { placeOf, wantedReports } from "../../src/cli/flags/output-flags.ts";

describe("-o", () => {
  test("knows the format by the end of the name", () => {
    const output = ["a.html", "b.CSV", "c.md", "d.xml", "e.json", "folder.v2/f.htm"];
    expect(wantedReports({ details: false, output, format: undefined }).map(({ format }) => format)).toEqual([
      "html",
      "comparison",
      "markdown",
      "junit",
      "json",
      "html",
    ]);
  });

  test("is told it where the name does not say", () => {
    expect(wantedReports({ details: false, output: ["-"], format: "csv" })).toEqual([
      { format: "comparison", path: "-" },
    ]);
    expect(
      wantedReports({ details: false, output: ["lines.csv", "report"], format: "runs" }).map(({ format }) => format),
    ).toEqual(["runs", "runs"]);
    expect(wantedReports({ details: false, output: ["a.html"], format: "junit" })).toEqual([
      { format: "html", path: "a.html" },
    ]);
  });

  test.each([
    [["-"], undefined, "-o - does not say what to write"],
    [["report.docx"], undefined, 'The name "report.docx" does not say'],
    [[".md"], undefined, 'The name ".md" does not say'],
    [["a.md", "a.md"], undefined, "-o a.md is given twice"],
    [["a.md", "x/../a.md"], undefined, "-o x/../a.md is given twice"],
    [[""], undefined, "-o needs the name of a file"],
    [[], "json", "--format needs -o"],
  ] as const)("refuses %j with --format %s", (output, format, message) => {
    expect(() => wantedReports({ details: false, output: [...output], format })).toThrow(message);
  });

  test("takes names for one file that differ in capital letters alone, where the system does", () => {
    expect(placeOf("/x/Report.md", "darwin")).toBe(placeOf("/x/report.md", "darwin"));
    expect(placeOf("C:\\x\\Report.md", "win32")).toBe(placeOf("c:/x/y/../report.md", "win32"));
    expect(placeOf("/x/Report.md", "linux")).not.toBe(placeOf("/x/report.md", "linux"));
  });
});
