import type { Part } from "./part.ts";

/** Several machines: workers, and what is told them. Batches go over them by `--workers`, a flag of the commands that send. */
export const workersPart = {
  name: "workers",
  commands: async () => [(await import("../cli/commands/workers/workers.ts")).workersCommand],
} satisfies Part;
