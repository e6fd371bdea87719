import { defineCommand } from "../command.ts";
import { notifyFlags } from "../flags/notify-flags.ts";
import { outputFlags } from "../flags/output-flags.ts";
import { inDoubtFlag, preflightFlag, restFlag, sendFlags, waitFlag, waitOf } from "../flags/run-flags.ts";

export const resumeCommand = defineCommand({
  command: "resume [batch]",
  describe: "Continue a batch that was stopped, interrupted or killed",
  needsKeys: true,
  positionals: {
    batch: { type: "string", describe: "Its name (default: the latest that is not finished)" },
  },
  flags: {
    ...sendFlags,
    ...preflightFlag,
    ...outputFlags,
    ...notifyFlags,
    ...inDoubtFlag,
    ...waitFlag,
    ...restFlag,
  },
  examples: [
    ["$0 resume", "Continue the latest unfinished batch"],
    ["$0 resume latest --rest", "Send what the latest batch was decided without"],
  ],
  async run(flags, terminal) {
    const { executeBatch } = await import("../progress/execute.ts");
    const { announceResumed } = await import("../progress/resumed.ts");
    const { batchDeployments, resumeBatch } = await import("../../app/resume.ts");
    const { openDelivery } = await import("../progress/delivery.ts");
    const waitForServiceMs = waitOf(flags);
    const ending = await openDelivery(flags, terminal);
    return ending.watch(async () => {
      const { batch, deployments } = batchDeployments(flags.results, flags.batch ?? (flags.rest ? "latest" : null));
      return executeBatch({
        terminal,
        flags,
        ending,
        suite: { ...batch.suite, deployments },
        work: (shared) =>
          resumeBatch({
            ...shared,
            out: flags.results,
            batch: batch.name,
            onInDoubt: flags["on-in-doubt"] ?? null,
            waitForServiceMs,
            rest: flags.rest,
            onResumed: (resumed, doubts) => announceResumed(shared, resumed, doubts),
          }),
      });
    });
  },
});
