import type { Part } from "./part.ts";

/** The requests of a batch as spans of OpenTelemetry. At the end of a run they are sent by `--otel`, a flag of the commands that send. */
export const spansPart = {
  name: "spans",
  commands: async () => [(await import("../cli/commands/spans.ts")).spansCommand],
} satisfies Part;
