import { string } from "../flag.ts";
import { batchPositional, defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import { outputFlags } from "../flags/output-flags.ts";
import type { JsonData } from "../json-outputs.ts";

export const reportCommand = defineCommand({
  command: "report [batch]",
  describe: "Write reports of a stored batch again: no network, no cost",
  positionals: batchPositional,
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    ...outputFlags,
    against: string("what", "Compare the batch with this pin, exported pin or batch (REF or REF:TARGET)", {
      value: "REF",
    }),
  },
  examples: [
    ["$0 report", "The reports of the latest batch, as its suite asks for them, in its folder"],
    [
      "$0 report help-desk~1 -o before.html -o before.json",
      "Some of them, of the batch before, by the ends of their names",
    ],
    ["$0 report -o - --format markdown | gh pr comment 12 --body-file -", "For a comment of a pull request"],
  ],
  async run(flags) {
    const { checkOutput } = await import("../../report/write/output.ts");
    const { needOneDocument, wantedReports } = await import("../flags/output-flags.ts");
    const { reportBatch } = await import("../../app/compare.ts");
    const reports = wantedReports(flags);
    needOneDocument(flags.json, flags.output);
    for (const { path } of reports) await checkOutput(path);
    const { model, written } = await reportBatch({
      out: flags.results,
      batch: flags.batch,
      against: flags.against ?? null,
      reports,
    });
    const files = written.flatMap(({ path, format }) => (path === "-" ? [] : [{ path, format }]));
    const { batch, verdict } = model;
    const data = { batch, verdict, files } satisfies JsonData["report"];
    return files.length === 0 ? { data } : { data, note: files.map(({ path }) => path).join("\n") };
  },
});
