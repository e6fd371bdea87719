import type { PrepareOptions } from "../../../app/plan/prepare.ts";
import { continueSuite, resumeBatch, storedToResume } from "../../../app/resume.ts";
import { folderWords } from "../../../lib/paths/results-folder.ts";
import type { CommandResult } from "../../command-result.ts";
import { keyNamesInSuite } from "../../dot-env.ts";
import { waitOf } from "../../flags/run-flags.ts";
import { suiteOfFile } from "../../flags/suite-source.ts";
import { openDelivery } from "../../progress/delivery.ts";
import { runToConclusion } from "../../progress/with-run.ts";
import { sheetsHere } from "../../sheets-here.ts";
import type { Terminal } from "../../terminal.ts";
import type { ResumeFlags } from "./resume.ts";

/** The rest of a batch, from the database alone. */
export async function resumeStored(flags: ResumeFlags, terminal: Terminal): Promise<CommandResult> {
  const waitForServiceMs = waitOf(flags);
  const delivery = await openDelivery(flags, terminal);
  return delivery.watch(async () => {
    const reference = flags.batch ?? (flags.rest || flags.failed ? "latest" : null);
    const isHere = !flags.workers && !flags["workers-lost"];
    const { name, suite } = storedToResume(flags.results, reference, { isHere, waitForServiceMs });
    return await runToConclusion({ flags, terminal, suite, trust: null, delivery }, ({ run }) =>
      resumeBatch(run, name, restOptions(flags)),
    );
  });
}

/** The rest of a batch by its suite file, which may have been corrected. */
export async function resumeByFile(flags: ResumeFlags & { suite: string }, terminal: Terminal): Promise<CommandResult> {
  const delivery = await openDelivery(flags, terminal);
  // Also for word of a suite that cannot be loaded.
  delivery.protect(keyNamesInSuite(flags.suite));
  return delivery.watch(async () => {
    using sheets = sheetsHere();
    const { suite, trust, skipBlank, ...source } = await suiteOfFile(flags.suite, flags, { sheets, terminal });
    const plan: PrepareOptions = {
      ...source,
      skipInvalid: flags["skip-invalid"] || skipBlank,
      onSkipped: (messages) => {
        for (const message of messages) terminal.note(`left out: ${message}`);
      },
      onNotice: terminal.note,
    };
    const resumeCommand = ["tandem", "resume", "--suite", flags.suite, ...folderWords(flags.results)];
    return await runToConclusion(
      { flags, terminal, suite, trust, delivery, resumeCommand, mustExist: true },
      ({ run }) =>
        continueSuite(run, plan, {
          ...restOptions(flags),
          batch: flags.batch ?? null,
          acceptChanges: flags["accept-changes"],
        }),
    );
  });
}

/** Options of every resume, by its flags. */
const restOptions = (flags: ResumeFlags) => ({
  onInDoubt: flags["on-in-doubt"] ?? null,
  rest: flags.rest,
  failed: flags.failed,
  workersLost: flags["workers-lost"],
});
