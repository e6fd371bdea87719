import { AppError, type FailOn } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { ReportFrame, Reporter } from "../shape/reporter.ts";
import { type CaseTableName, type TableFormat, tableFormats, type TableFrame } from "./table-formats.ts";
import type { WorkbookWriter } from "./workbook-writer.ts";

interface FormatNames {
  /** Its name in files for programs and in the library. */
  name: string;
  /** Its name in `reports:` of a suite; formats may share one. */
  suite: string;
  /** Its name for `--format`. */
  flag: string;
  /** The ends of file names that ask for it; where formats share one, the first of them in the table gets it. */
  extensions: readonly [string, ...string[]];
  /** Says more where the extension alone says too little. */
  called?: string;
  /** Its file in the folder of a batch. */
  file: string;
  /** The sentence that is printed beside the file. */
  about: string;
  /** Not written for a comparison of other batches: it is about the jobs of one. */
  ofOneBatch?: boolean;
  /** Written only where `reports:` or `-o` asks for it. */
  onRequest?: boolean;
}

/** A format that is a file: its names, and how its writer is loaded when a report is made. */
export type FormatRow = FormatNames &
  (
    | {
        /** A table with lines for every case. */
        kind: "table";
        form: TableFormat;
        table: CaseTableName;
      }
    | {
        /** Several tables, and the summary. */
        kind: "workbook";
        make: () => Promise<(frame: TableFrame, about: { isOfOneBatch: boolean }) => WorkbookWriter>;
      }
    | {
        /** `summary`: figures, and the cases to look at. `page`: all cases, with what people said of each. */
        kind: "summary" | "page";
        make: () => Promise<(frame: ReportFrame, failOn: FailOn) => Reporter>;
      }
  );

/**
 * Every report that is a file, in the order in which they are listed. A new format is a row here and a file beside this
 * one: flags, help, the schema of suites, folders of batches and their references are made of this table. It is loaded
 * for `--help`, so that a row names its writer by an import that is not made before a report is.
 */
export const reportFormats = [
  {
    name: "html",
    suite: "html",
    flag: "html",
    extensions: [".html", ".htm"],
    file: "report.html",
    about: "the result for people: open it in a browser",
    kind: "page",
    make: async () => (await import("./html.ts")).builtHtmlReport,
  },
  {
    name: "comparison",
    suite: "csv",
    flag: "csv",
    extensions: tableFormats.csv.extensions,
    file: "comparison.csv",
    about: "a line for each row",
    kind: "table",
    form: "csv",
    table: "comparison",
  },
  {
    name: "runs",
    suite: "csv",
    flag: "runs",
    extensions: tableFormats.csv.extensions,
    file: "runs.csv",
    about: "a line for each job",
    ofOneBatch: true,
    kind: "table",
    form: "csv",
    table: "runs",
  },
  {
    name: "markdown",
    suite: "markdown",
    flag: "markdown",
    extensions: [".md", ".markdown"],
    file: "report.md",
    about: "for a comment of a pull request",
    kind: "summary",
    make: async () => (await import("./markdown/markdown.ts")).markdownReport,
  },
  {
    name: "junit",
    suite: "junit",
    flag: "junit",
    extensions: [".xml"],
    called: "JUnit",
    file: "junit.xml",
    about: "tests, for CI systems",
    kind: "summary",
    make: async () => (await import("./junit.ts")).junitReport,
  },
  {
    name: "json",
    suite: "json",
    flag: "json",
    extensions: [".json"],
    file: "report.json",
    about: "the result for programs",
    kind: "summary",
    make: async () => (await import("./json/report-json.ts")).jsonReport,
  },
  {
    name: "comparison-jsonl",
    suite: "jsonl",
    flag: "jsonl",
    extensions: tableFormats.jsonl.extensions,
    file: "comparison.jsonl",
    about: "a line for each row",
    onRequest: true,
    kind: "table",
    form: "jsonl",
    table: "comparison",
  },
  {
    name: "runs-jsonl",
    suite: "jsonl",
    flag: "runs-jsonl",
    extensions: tableFormats.jsonl.extensions,
    file: "runs.jsonl",
    about: "a line for each job",
    ofOneBatch: true,
    onRequest: true,
    kind: "table",
    form: "jsonl",
    table: "runs",
  },
  {
    name: "excel",
    suite: "excel",
    flag: "xlsx",
    extensions: tableFormats.xlsx.extensions,
    file: "comparison.xlsx",
    about: "a workbook: the summary, a line for each case, a line for each job",
    onRequest: true,
    kind: "workbook",
    make: async () => (await import("./excel/excel.ts")).excelReport,
  },
] as const satisfies readonly FormatRow[];

/** A format by its name in files for programs and in the library. */
export type ReportFormat = (typeof reportFormats)[number]["name"];

/** The names that `reports:` of a suite may list. */
export type ReportName = "terminal" | (typeof reportFormats)[number]["suite"];

/** The names for `--format`. */
export const formatChoices = reportFormats.map(({ flag }) => flag);

/** The names that `reports:` of a suite may list, in this order. */
export const reportNames: readonly ReportName[] = ["terminal", ...new Set(reportFormats.map(({ suite }) => suite))];

/** Those of them that are left out unless they are listed. */
export const reportNamesOnRequest: readonly string[] = [
  ...new Set(reportFormats.flatMap((row) => ("onRequest" in row ? [row.suite] : []))),
];

/** `.html, .csv, .md, .xml, .json, .jsonl or .xlsx`: an end of a file name for each kind of file; with what they stand for when asked. */
export function extensionList({ explained = false }: { explained?: boolean } = {}): string {
  const shown = reportFormats.map(({ extensions: [first], ...row }) =>
    explained && "called" in row ? `${first} (${row.called})` : first,
  );
  return [...new Set(shown)].join(", ").replace(/, (?=[^,]*$)/, " or ");
}

/** The row of a format. Throws USAGE for a name that only a program without types can give. */
export function formatNamed(name: string): FormatRow {
  const found = reportFormats.find((row) => row.name === name);
  if (found !== undefined) return found;
  throw new AppError("USAGE", `There is no report format ${showText(name)}.`, {
    hint: `The formats are ${reportFormats.map((row) => row.name).join(", ")}.`,
  });
}
