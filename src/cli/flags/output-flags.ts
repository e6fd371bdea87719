import { extname } from "node:path";
import type { InferredOptionTypes, Options } from "yargs";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { ReportFormat, WantedReport } from "../../app/report/write-report.ts";

const formats = ["html", "csv", "runs", "markdown", "junit", "json"] as const;

/** Flags of commands that write reports. */
export const outputFlags = {
  output: {
    alias: "o",
    type: "string",
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: "Write a report to this file: .html, .csv, .md, .xml (JUnit) or .json; - is standard output; repeatable",
  },
  format: {
    choices: formats,
    describe:
      "Of what goes to standard output, or to a file whose name does not say; csv: a line for each case, runs: for each job",
  },
} as const satisfies Record<string, Options>;

export type OutputFlags = InferredOptionTypes<typeof outputFlags>;

const byExtension: Record<string, ReportFormat> = {
  ".html": "html",
  ".htm": "html",
  ".csv": "comparison",
  ".md": "markdown",
  ".markdown": "markdown",
  ".xml": "junit",
  ".json": "json",
};

/** The reports that flags ask for. Throws USAGE for one whose format is not known, and for two to one place. */
export function wantedReports({ output, format }: OutputFlags): WantedReport[] {
  const named: ReportFormat | null = format === undefined ? null : format === "csv" ? "comparison" : format;
  if (named !== null && output.length === 0) {
    throw new AppError("USAGE", "--format needs -o.", { hint: "Add -o FILE, or -o - for standard output." });
  }
  const twice = output.find((path, i) => output.indexOf(path) !== i);
  if (twice !== undefined) throw new AppError("USAGE", `-o ${twice} is given twice.`);
  return output.map((path) => {
    if (path === "") throw new AppError("USAGE", "-o needs the name of a file.");
    const known = path === "-" ? undefined : byExtension[extname(path).toLowerCase()];
    // The name of a file says what a person expects in it; of tables there are two.
    const chosen = known === "comparison" && named === "runs" ? named : (known ?? named);
    if (chosen !== null) return { format: chosen, path };
    const what =
      path === "-" ? "-o - does not say what to write." : `The name ${showText(path)} does not say what to write.`;
    throw new AppError("USAGE", what, {
      hint: `End it in .html, .csv, .md, .xml or .json, or add --format with one of: ${formats.join(", ")}.`,
    });
  });
}
