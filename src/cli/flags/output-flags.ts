import { type Flags, string, strings, toggle, word } from "../flag.ts";
import { extname, resolve, win32 } from "node:path";
import type { InferredOptionTypes } from "yargs";
import { AppError } from "../../errors.ts";
import { replacementOf } from "../../lib/replaced.ts";
import { showText } from "../../lib/show.ts";
import type { WantedReport } from "../../app/report/report-writer.ts";
import { extensionList, formatChoices, reportFormats } from "../../report/formats/formats.ts";

/** `csv, jsonl: a line for each case` and its like. */
function tablesAbout(): string {
  const tables = reportFormats.filter(({ kind }) => kind === "table");
  const kinds = Array.from(new Set(tables.map(({ about }) => about)));
  const flagsOf = (kind: string): string =>
    tables.flatMap(({ about, flag }) => (about === kind ? [flag] : [])).join(", ");
  return kinds.map((kind) => `${flagsOf(kind)}: ${kind}`).join("; ");
}

/** Flags of commands that write reports. */
export const outputFlags = {
  details: toggle("results", "Also print how it was measured"),
  output: strings("results", `A report: ${extensionList({ explained: true })}; - is standard output`, {
    value: "FILE",
    alias: "o",
    nargs: 1,
  }),
  format: word("results", `Of what goes to standard output, or to a file whose name does not say; ${tablesAbout()}`, {
    more: true,
    choices: formatChoices,
  }),
} as const satisfies Flags;

/** The file of a command that writes one. */
export const fileFlag = {
  output: string("results", "File to write; - is standard output", { value: "FILE", alias: "o", default: "-" }),
} as const satisfies Flags;

export type OutputFlags = InferredOptionTypes<typeof outputFlags>;

/** Throws USAGE where --json and a file of the command would both go to standard output, which holds one document. */
export function needOneDocument(json: boolean, paths: readonly string[]): void {
  if (!json || !paths.includes("-")) return;
  throw new AppError("USAGE", "--json and the file of this command would both go to standard output.", {
    hint: "Name the file with -o FILE, or leave out --json.",
  });
}

/** The reports that flags ask for. Throws USAGE for one whose format is not known, and for two to one place. */
export function wantedReports({ output, format }: OutputFlags): WantedReport[] {
  const named = reportFormats.find(({ flag }) => flag === format);
  if (named !== undefined && output.length === 0) {
    throw new AppError("USAGE", "--format needs -o.", { hint: "Add -o FILE, or -o - for standard output." });
  }
  const places = output.map((path) => placeOf(path));
  const twice = output.find((_, i) => places.indexOf(places[i] ?? "") !== i);
  if (twice !== undefined) throw new AppError("USAGE", `-o ${twice} is given twice.`);
  return output.map((path) => {
    if (path === "") throw new AppError("USAGE", "-o needs the name of a file.");
    const fitting = path === "-" ? [] : withExtension(extname(path).toLowerCase());
    // The name of a file says what a person expects in it; where formats share the end of a name, --format chooses.
    const chosen = fitting.find((row) => row === named) ?? fitting[0] ?? named;
    if (chosen !== undefined) return { format: chosen.name, path };
    const what =
      path === "-" ? "-o - does not say what to write." : `The name ${showText(path)} does not say what to write.`;
    throw new AppError("USAGE", what, {
      hint:
        replacementOf("ending", extname(path).toLowerCase()) ??
        `End it in ${extensionList()}, or add --format with one of: ${formatChoices.join(", ")}.`,
    });
  });
}

/** Where a report goes: systems that do not tell capital letters from small ones have one file for both. */
export function placeOf(path: string, platform: NodeJS.Platform = process.platform): string {
  if (path === "-") return path;
  const place = platform === "win32" ? win32.resolve(path) : resolve(path);
  return platform === "win32" || platform === "darwin" ? place.toLowerCase() : place;
}

function withExtension(extension: string) {
  return reportFormats.filter(({ extensions }) => extensions.some((each) => each === extension));
}
