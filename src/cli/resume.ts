import { defineCommand } from "./command.ts";
import { driveFlags, inDoubtFlag } from "./run-flags.ts";

export const resumeCommand = defineCommand({
  command: "resume [batch]",
  describe: "Continue a batch that was stopped, interrupted or killed",
  needsKeys: true,
  positionals: {
    batch: { type: "string", describe: "Its name (default: the latest that is not finished)" },
  },
  flags: {
    ...driveFlags,
    ...inDoubtFlag,
  },
  examples: [["$0 resume", "Continue the latest unfinished batch"]],
  async run(flags, terminal) {
    const { execute } = await import("./execute.ts");
    const { announceResumed } = await import("./resumed.ts");
    const { batchDeployments, resumeBatch } = await import("../pipeline.ts");
    const { batch, deployments } = batchDeployments(flags.out, flags.batch ?? null);
    return execute({
      terminal,
      flags,
      suite: { deployments, targets: batch.suite.targets },
      work: (shared) =>
        resumeBatch({
          ...shared,
          out: flags.out,
          batch: batch.name,
          onInDoubt: flags["on-in-doubt"] ?? null,
          onResumed: (resumed, doubts) => announceResumed(shared, resumed, doubts),
        }),
    });
  },
});
