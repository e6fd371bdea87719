import type { Part } from "./part.ts";

/** Several machines: workers, and nights on a schedule. Batches go over them by `--workers`, a flag of the commands that send. */
export const workersPart = {
  name: "workers",
  commands: async () => [
    (await import("../cli/commands/worker/worker.ts")).workerCommand,
    (await import("../cli/commands/workers/workers.ts")).workersCommand,
    (await import("../cli/commands/schedule/schedule.ts")).scheduleCommand,
  ],
} satisfies Part;
