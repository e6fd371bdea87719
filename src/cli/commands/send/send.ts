import { batchPositional, defineCommand, type Given, type Positionals, jsonFlag, resultsFlag } from "../../command.ts";
import { type Flags, string, toggle } from "../../flag.ts";

const positionals = {
  what: {
    choices: ["spans", "langfuse"],
    demandOption: true,
    describe: "spans: requests and grades, to a collector of OpenTelemetry; langfuse: scores",
  },
  ...batchPositional,
} as const satisfies Positionals;

const flags = {
  ...jsonFlag,
  ...resultsFlag,
  otel: string("what", "Address of the collector (default: OTEL_EXPORTER_OTLP_ENDPOINT)", {
    for: ["spans"],
    value: "URL",
  }),
  "dry-run": toggle("what", "Print the requests, a line each, and send nothing", { for: ["langfuse"] }),
  reasons: toggle("what", "With the reasons of grades, which may quote answers", { for: ["langfuse"] }),
  "run-ids": toggle(
    "what",
    "The ids of runs are those of your bot's own traces (default: the traces of `tandem send spans`)",
    { for: ["langfuse"] },
  ),
} as const satisfies Flags;

export type SendToFlags = Given<typeof positionals, typeof flags>;

export const sendCommand = defineCommand({
  command: "send <what> [batch]",
  describe: "Send spans of a batch to OpenTelemetry, scores to Langfuse",
  positionals,
  flags,
  examples: [
    ["$0 send spans --otel http://127.0.0.1:4318", "The latest batch, to a collector on this machine"],
    ["$0 run --otel http://127.0.0.1:4318", "The same at the end of a run"],
    ["$0 send langfuse --dry-run", "Look at what would be sent of the latest batch"],
    ["$0 send langfuse help-desk~1", "Send the scores of a batch; a second time changes nothing"],
  ],
  async run(given, terminal) {
    const { scoresSent, spansSent } = await import("./send.run.ts");
    return given.what === "spans" ? spansSent(given, terminal) : scoresSent(given, terminal);
  },
});
