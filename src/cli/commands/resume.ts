import { AppError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { notifyFlags } from "../flags/notify-flags.ts";
import { outputFlags } from "../flags/output-flags.ts";
import { inDoubtFlag, preflightFlag, restFlag, sendFlags, waitFlag, waitOf } from "../flags/run-flags.ts";
import { takeBackFlag, waitForWorkersFlag, workersFlags } from "../flags/workers-flags.ts";

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
    ...workersFlags,
    ...waitForWorkersFlag,
    ...takeBackFlag,
  },
  examples: [
    ["$0 resume", "Continue the latest unfinished batch"],
    ["$0 resume latest --rest", "Send what the latest batch was decided without"],
    ["$0 resume --workers postgres://...", "Join a batch that workers send, also from another machine"],
  ],
  async run(flags, terminal) {
    const { executeBatch } = await import("../progress/execute.ts");
    const { announceResumed } = await import("../progress/resumed.ts");
    const { batchDeployments, resumeBatch } = await import("../../app/resume.ts");
    const { openDelivery } = await import("../progress/delivery.ts");
    const waitForServiceMs = waitOf(flags);
    if (flags["take-back"] && !flags.workers)
      throw new AppError("USAGE", "--take-back needs --workers URL.", { hint: "The batch is stopped there first." });
    if (flags["take-back"] && flags["workers-lost"])
      throw new AppError(
        "USAGE",
        "--take-back needs the workers' PostgreSQL, and --workers-lost says that it is gone.",
      );
    const ending = await openDelivery(flags, terminal);
    return ending.watch(async () => {
      if (flags.workers) {
        const { fetchIfMissing } = await import("../progress/fetch.ts");
        await fetchIfMissing(flags, terminal);
      }
      const reference = flags.batch ?? (flags.rest ? "latest" : null);
      const { batch, deployments } = batchDeployments(flags.results, reference, {
        isHere: !flags.workers && !flags["workers-lost"],
      });
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
            workersLost: flags["workers-lost"],
            onResumed: (resumed, doubts) => announceResumed(shared, resumed, doubts),
          }),
      });
    });
  },
});
