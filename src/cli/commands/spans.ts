import { string } from "../flag.ts";
import { batchPositional, defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import type { JsonOutputs } from "../json-outputs.ts";

export const spansCommand = defineCommand({
  command: "spans [batch]",
  describe: "Send the requests and grades of a batch to OpenTelemetry",
  positionals: batchPositional,
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    otel: string("what", "Address of the collector (default: OTEL_EXPORTER_OTLP_ENDPOINT)", {
      value: "URL",
      default: "",
    }),
  },
  examples: [
    ["$0 spans --otel http://127.0.0.1:4318", "The latest batch, to a collector on this machine"],
    ["$0 run --otel http://127.0.0.1:4318", "The same at the end of a run"],
  ],
  async run({ otel, batch, results: out, json }, terminal) {
    const { exitCodes } = await import("../../errors.ts");
    const { collectorOf } = await import("../../app/spans/collector.ts");
    const { sendSpans } = await import("../../app/spans/send-spans.ts");
    const { tellSpans } = await import("../progress/spans.ts");
    const collector = collectorOf(otel, process.env);
    const reported = await sendSpans({ out, batch, since: 0, collector, mostMs: Number.POSITIVE_INFINITY });
    if (json) terminal.print(JSON.stringify({ version: 1, ...reported } satisfies JsonOutputs["spans"]));
    else tellSpans(reported, terminal);
    return reported.dropped + (reported.grades?.dropped ?? 0) === 0 ? exitCodes.ok.code : exitCodes.couldNotRun.code;
  },
});
