import type { JsonObject } from "../../src/lib/json.ts";
import { keyRows, table } from "./tables.ts";

/** The reference of `report.json`, as Markdown: every member with its type and meaning. */
export function reportReference(schema: JsonObject): string {
  return [
    "# report.json",
    "",
    "Written by `npm run generate` from `src/report/formats/json/report-json.ts` and the types that it names; do not edit.",
    "",
    "A run writes `report.json` into the folder of its batch (suite key `reports`), and `tandem report -o result.json`",
    "writes it again from the database. It is one JSON object whose size does not depend on the number of cases, with the",
    "same numbers as every other report; `dist/schemas/report.schema.json` of the package is its JSON Schema. Shares and rates are",
    "between 0 and 1, times are milliseconds, and null is something that is not known. Every row is in `comparison.csv`",
    "and `runs.csv`.",
    "",
    "`version` goes up when a member changes its meaning or goes away. New members may appear at any time.",
    "",
    "What `--json` prints is another form, for scripts that start a run: see [json.md](json.md).",
    "",
    ...table(
      ["Member", "Type", "Meaning"],
      // Members without a sentence are those of a map, which its own explains.
      keyRows(schema)
        .filter(({ about }) => about !== "")
        .map(({ path, type, about }) => [`\`${path}\``, type, about]),
    ),
    "",
  ].join("\n");
}
