import type { InferredOptionTypes } from "yargs";
import type { PrepareOptions } from "../../../app/plan/prepare.ts";
import type { Conclusion } from "../../../app/report/conclude.ts";
import { batchDeployments, type ContinueRequest, continueSuite, resumeBatch } from "../../../app/resume.ts";
import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { counted } from "../../../report/words/quantity.ts";
import type { InDoubtPolicy } from "../../../store/journal/in-doubt.ts";
import type { CommandResult } from "../../command-result.ts";
import { keyNamesInSuite } from "../../dot-env.ts";
import type { NotifyFlags } from "../../flags/notify-flags.ts";
import type { OutputFlags } from "../../flags/output-flags.ts";
import { type SendFlags, waitOf } from "../../flags/run-flags.ts";
import { suiteOfFile } from "../../flags/suite-source.ts";
import type { takeBackFlag, waitForWorkersFlag, WorkersFlags } from "../../flags/workers-flags.ts";
import { openDelivery } from "../../progress/delivery.ts";
import { executeBatch, type Shared } from "../../progress/execute.ts";
import { announceResumed } from "../../progress/resumed.ts";
import type { Terminal } from "../../terminal.ts";

type ResumeFlags = SendFlags &
  OutputFlags &
  NotifyFlags &
  WorkersFlags &
  InferredOptionTypes<typeof takeBackFlag> &
  InferredOptionTypes<typeof waitForWorkersFlag> & {
    batch?: string | undefined;
    preflight: boolean;
    rest: boolean;
    failed: boolean;
    "on-in-doubt"?: InDoubtPolicy | undefined;
    "wait-for-service": string | undefined;
  };

/** The rest of a batch, from the database alone. */
export async function resumeStored(flags: ResumeFlags, terminal: Terminal): Promise<CommandResult> {
  const waitForServiceMs = waitOf(flags);
  const ending = await openDelivery(flags, terminal);
  return ending.watch(async () => {
    if (flags.workers) {
      const { fetchIfMissing } = await import("../../progress/fetch.ts");
      await fetchIfMissing(flags, terminal);
    }
    const reference = flags.batch ?? (flags.rest || flags.failed ? "latest" : null);
    const isHere = !flags.workers && !flags["workers-lost"];
    const { batch, deployments } = batchDeployments(flags.results, reference, { isHere });
    const suite = { ...batch.suite, deployments };
    const work = (shared: Shared): Promise<Conclusion> =>
      resumeBatch({ ...shared, ...restOptions(flags, shared), batch: batch.name, waitForServiceMs });
    return executeBatch({ terminal, flags, ending, suite, work });
  });
}

/** The rest of a batch by its suite file, which may have been corrected. */
export async function resumeByFile(
  flags: ResumeFlags & { suite: string; "accept-changes": boolean; "skip-invalid": boolean; code: boolean },
  terminal: Terminal,
): Promise<CommandResult> {
  const ending = await openDelivery(flags, terminal);
  // Also for word of a suite that cannot be loaded.
  ending.protect(keyNamesInSuite(flags.suite));
  return ending.watch(async () => {
    const { suite, trust, skipBlank, ...source } = await suiteOfFile(flags.suite, flags, terminal);
    const onNotice = (message: string): void => terminal.note(message);
    const preparation: PrepareOptions = {
      ...source,
      folder: process.cwd(),
      seed: "1",
      skipInvalid: flags["skip-invalid"] || skipBlank,
      passWithNoJobs: false,
      onSkipped: (messages) => {
        for (const message of messages) onNotice(`left out: ${message}`);
      },
      onNotice,
    };
    const again = `tandem resume --suite ${shellWord(flags.suite)}${folderFlag(flags.results)}`;
    const work = (shared: Shared): Promise<Conclusion> =>
      continueSuite({
        ...shared,
        ...preparation,
        ...restOptions(flags, shared),
        ...acceptedOptions(shared, flags["accept-changes"]),
        suite,
        trust,
        again,
        batch: flags.batch ?? null,
      });
    return executeBatch({ terminal, flags, suite, trust, ending, work });
  });
}

/** Options of every resume, by its flags. */
function restOptions(flags: ResumeFlags, shared: Shared) {
  return {
    out: flags.results,
    onInDoubt: flags["on-in-doubt"] ?? null,
    rest: flags.rest,
    failed: flags.failed,
    workersLost: flags["workers-lost"],
    onResumed: (...resumed: Parameters<ContinueRequest["onResumed"]>) => announceResumed(shared, ...resumed),
  };
}

/** Options of a resume by a suite that may have changed: it says what is asked anew, and what is skipped. */
export function acceptedOptions(
  { onNotice }: Pick<Shared, "onNotice">,
  acceptChanges: boolean,
): Pick<ContinueRequest, "acceptChanges" | "onAccepted"> {
  return {
    acceptChanges,
    onAccepted: ({ changes, skipped, renewed }) => {
      for (const line of renewed) onNotice(line);
      if (changes.length === 0) return;
      const lines = ["Changed since the batch was planned:", ...changes.map((line) => `  ${line}`)];
      onNotice([...lines, `${counted(skipped, "job")} skipped; what is new is not run.`].join("\n"));
    },
  };
}
