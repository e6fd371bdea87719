import { AppError } from "../../../errors.ts";
import { batchPositional, defineCommand, jsonFlag, resultsFlag } from "../../command.ts";
import { string, toggle } from "../../flag.ts";

export const sendCommand = defineCommand({
  command: "send <what> [batch]",
  describe: "Send spans of a batch to OpenTelemetry, scores to Langfuse",
  positionals: {
    what: {
      choices: ["spans", "langfuse"],
      demandOption: true,
      describe: "spans: requests and grades, to a collector of OpenTelemetry; langfuse: scores",
    },
    ...batchPositional,
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    otel: string("what", "For spans: address of the collector (default: OTEL_EXPORTER_OTLP_ENDPOINT)", {
      value: "URL",
    }),
    "dry-run": toggle("what", "For langfuse: print the requests, a line each, and send nothing"),
    reasons: toggle("what", "For langfuse: with the reasons of grades, which may quote answers"),
    "run-ids": toggle(
      "what",
      "For langfuse: the ids of runs are those of your bot's own traces (default: the traces of `tandem send spans`)",
    ),
  },
  examples: [
    ["$0 send spans --otel http://127.0.0.1:4318", "The latest batch, to a collector on this machine"],
    ["$0 run --otel http://127.0.0.1:4318", "The same at the end of a run"],
    ["$0 send langfuse --dry-run", "Look at what would be sent of the latest batch"],
    ["$0 send langfuse help-desk~1", "Send the scores of a batch; a second time changes nothing"],
  ],
  async run(flags, terminal) {
    const { what } = flags;
    const ofSpans = flags.otel === undefined ? [] : ["otel"];
    const ofScores = (["dry-run", "reasons", "run-ids"] as const).filter((name) => flags[name]);
    const [stray] = what === "spans" ? ofScores : ofSpans;
    if (stray !== undefined)
      throw new AppError("USAGE", `--${stray} is for \`tandem send ${what === "spans" ? "langfuse" : "spans"}\`.`);
    const { scoresSent, spansSent } = await import("./send.run.ts");
    return what === "spans" ? spansSent(flags, terminal) : scoresSent(flags, terminal);
  },
});
