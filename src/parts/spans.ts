import type { Part } from "./part.ts";

/**
 * Requests and grades of a batch for programs that observe bots. To OpenTelemetry they are sent at the end of a run as well, by
 * `--otel`, a flag of the commands that send.
 */
export const spansPart = {
  name: "spans",
  commands: async () => [(await import("../cli/commands/send/send.ts")).sendCommand],
} satisfies Part;
