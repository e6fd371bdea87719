import { runColumns } from "../../src/report/tables/runs-table.ts";
import { reportFormats } from "../../src/report/formats/formats.ts";
import { table } from "./tables.ts";

const code = (text: string): string => `\`${text}\``;

/** Every report that is a file, as a Markdown table. */
export function filesTable(): string {
  return table(
    ["file", "what it is", "in `reports:`", "`-o` with a name in", "`--format`"],
    reportFormats.map(({ file, about, suite, extensions, flag }) => [
      code(file),
      about,
      code(suite),
      extensions.map(code).join(", "),
      code(flag),
    ]),
  ).join("\n");
}

/** The columns of runs.csv, as a Markdown table. */
export function runColumnsTable(): string {
  const rows = runColumns.map(({ name, type, about }) => [code(name), type, about]);
  return table(["column", "type", "meaning"], rows).join("\n");
}
