import type { JsonObject } from "../../src/lib/json.ts";
import { type KeyRow, keyRows } from "./tables.ts";

/** Members that most programs read: each of theirs has a line. */
const readMost = ["verdict", "targets[]", "gates[]", "rows[]"];

/** The reference of `report.json`, as Markdown: its members, and those within the ones that programs read most. */
export function reportReference(schema: JsonObject): string {
  const rows = keyRows(schema);
  const within = (path: string): KeyRow[] => rows.filter((row) => parentOf(row.path) === path);
  const named = (path: string): string => {
    const inner = [path, `${path}[]`].flatMap(within).map((row) => `\`${nameOf(row.path)}\``);
    return inner.length === 0 || readMost.includes(path) || readMost.includes(`${path}[]`)
      ? ""
      : ` ${inner.join(", ")}.`;
  };
  return [
    "# report.json",
    "",
    "Written by `npm run generate` from `src/report/formats/json/report-json.ts` and the types that it names; do not edit.",
    "",
    "A run writes `report.json` into the folder of its batch (suite key `reports`), and `tandem report -o result.json`",
    "writes it again from the database: one JSON object whose size does not depend on the number of cases, with the same",
    "numbers as every other report. Every row is in `comparison.csv` and `runs.csv`.",
    "",
    "```sh",
    "jq -r '.verdict.word, .verdict.sentence' report.json",
    "jq '.gates[] | {name, state, difference, interval, cases}' report.json",
    "```",
    "",
    "Shares and rates are between 0 and 1, times are milliseconds, null is something that is not known. `version` goes up",
    "when a member changes its meaning or goes away; new members may appear at any time. The whole of it, with a sentence for",
    "each member at every depth, is the JSON Schema in the package, `dist/schemas/report.schema.json`.",
    "What `--json` prints is another form, for scripts that start a run: see [json.md](json.md).",
    "",
    ...within("").map((row) => `${memberLine(row)}${named(row.path)}`),
    "",
    ...readMost.flatMap((path) => [`## ${path}`, "", ...within(path).map(memberLine), ""]),
  ].join("\n");
}

/** The path of the member that holds another, with `[]` where it is a list; empty at the top. */
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")));

const nameOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

const memberLine = ({ path, type, about }: KeyRow): string =>
  `- \`${nameOf(path)}\` (${type})${about === "" ? "" : `: ${about}`}`;
