import { string, strings, toggle, word } from "../flag.ts";
import { fileFlag, needOneDocument } from "../flags/output-flags.ts";
import { caseTableNames, caseTables, tableFormatNames, tableFormats } from "../../report/formats/table-formats.ts";
import { batchPositional, defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import type { JsonData } from "../json-outputs.ts";

export const exportCommand = defineCommand({
  command: "export [batch]",
  describe: "Write runs or comparison of a batch as CSV, JSON Lines or a workbook",
  positionals: batchPositional,
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    ...fileFlag,
    form: word("results", caseTableNames.map((name) => `${name}: ${caseTables[name].about}`).join("; "), {
      choices: caseTableNames,
      default: "runs",
    }),
    format: word(
      "results",
      `Of standard output, or of a file whose name does not say; ${tableFormatNames.map((name) => `${name}: ${tableFormats[name].about}`).join(", ")}`,
      { choices: tableFormatNames },
    ),
    columns: string(
      "results",
      "Only these, in this order: a,b,c; * stands for any letters, and quotes keep a comma in a name",
      { value: "LIST" },
    ),
    where: strings(
      "results",
      "Only lines that this query finds, such as 'worse lang:hi time>2s' or 'table.outcome = answered and latency_ms > 2000'; repeated: all of them",
      { value: "CONDITION", nargs: 1 },
    ),
    excel: toggle(
      "results",
      "For Excel: a byte order mark, and semicolons and decimal commas where the locale has them",
    ),
    locale: string(
      "results",
      "Locale of the reader, such as de or fr-CH (default: as the suite or the dataset, else of this machine)",
      {
        with: "excel",
        value: "LOCALE",
      },
    ),
    delimiter: string("results", "Between cells: one character, or tab (default: a comma)", { value: "CHAR" }),
    raw: toggle("results", "Every cell as it is, for programs; a spreadsheet may then run what a bot said"),
  },
  examples: [
    ["$0 export -o runs.csv --excel", "The latest batch for Excel"],
    ["$0 export -o runs.jsonl", "For DuckDB, pandas or jq"],
    ["$0 export help-desk~1 --form comparison | head", "Look at an earlier comparison"],
    ["$0 export --form comparison --where 'worse time>2s'", "Only what got worse and took long"],
  ],
  async run(flags) {
    const { tableExport } = await import("../flags/export-options.ts");
    const { exportBatch } = await import("../../app/report/export-table.ts");
    const { form, output, results: out } = flags;
    needOneDocument(flags.json, [output]);
    const wanted = tableExport(flags, { env: process.env, isTerminal: process.stdout.isTTY });
    const batch = await exportBatch({ out, batch: flags.batch, form }, wanted);
    if (output === "-") return {};
    const data = { batch, form, file: output } satisfies JsonData["export"];
    return { data, note: `${output}: ${form} of ${batch}` };
  },
});
