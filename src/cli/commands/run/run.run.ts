import type { RunContext } from "../../../app/context.ts";
import { type ChangedFlags, flagWords } from "../../../app/report/next-step.ts";
import { type RunPlan, runSuite } from "../../../app/run.ts";
import { folderWords } from "../../../lib/paths/results-folder.ts";
import { keyNamesInSuite } from "../../dot-env.ts";
import type { BatchFlags } from "../../flags/batch-flags.ts";
import { preparationFrom, suiteFrom } from "../../flags/suite-source.ts";
import { approvalOf } from "../../progress/approval.ts";
import { openDelivery } from "../../progress/delivery.ts";
import { runToConclusion } from "../../progress/with-run.ts";
import type { CommandResult } from "../../command-result.ts";
import { sheetsHere } from "../../sheets-here.ts";
import type { Terminal } from "../../terminal.ts";

interface RunFlags extends BatchFlags {
  path: string;
}

/** A run to its verdict and to those who are told. */
export async function runOnce(flags: RunFlags, terminal: Terminal): Promise<CommandResult> {
  const delivery = await openDelivery(flags, terminal);
  // Also for word of a suite that cannot be loaded.
  delivery.protect(keyNamesInSuite(flags.path));
  return delivery.watch(async () => {
    using sheets = sheetsHere();
    const source = await suiteFrom(flags, terminal, sheets);
    const { suite, trust } = source;
    const plan = planFrom(flags, source, terminal);
    return await runToConclusion({ flags, terminal, suite, trust, delivery, ...commandsOf(flags) }, ({ run }) =>
      runSuite(run, { ...plan, isLook: true }),
    );
  });
}

/** Options for planning the batch of a run. */
export function planFrom(flags: RunFlags, source: Awaited<ReturnType<typeof suiteFrom>>, terminal: Terminal): RunPlan {
  const approve = approvalOf(source.suite, { limit: source.targetLimit, yes: flags.yes });
  return { ...preparationFrom(flags, { ...source, onNotice: terminal.note }), against: flags.against ?? null, approve };
}

/** The commands that a person may type after a run. */
export const commandsOf = (flags: RunFlags): Pick<RunContext, "resumeCommand" | "rerun"> => ({
  resumeCommand: resumeCommandOf(flags),
  rerun: (changed) => typedCommand(process.argv.slice(2), changed),
});

/**
 * The command that resumes what a corrected suite file leaves to be done. Without a suite file, or with flags that vary
 * it, what is wrong may be in the flags: the same is run again. Undefined where the dataset was standard input.
 */
function resumeCommandOf({ path, results: out, vary, "prompt-file": prompts, set }: RunFlags): string[] | undefined {
  const isWhole = vary.length + prompts.length + set.length === 0;
  if (isWhole && /\.ya?ml$/i.test(path)) return ["tandem", "resume", "--suite", path, ...folderWords(out)];
  return path === "-" ? undefined : typedCommand(process.argv.slice(2), {});
}

/** Flags that were for that one time, without a value and with one. */
const once = new Set(["--second-look"]);
const onceWithValue = ["--budget", "--on-in-doubt", "--notify", "--notify-command", "--notify-link", "--notify-on"];

/**
 * The command line as it was typed, to be typed again with other values of some flags: without what only that time was to
 * do, such as a budget that is spent, and without webhooks, which are secrets.
 */
export function typedCommand(args: readonly string[], changed: ChangedFlags): string[] {
  const { secondLook: _, ...values } = changed;
  const replaced = Object.keys(values).flatMap((flag) => (flag === "sample" ? ["--sample", "--limit"] : [`--${flag}`]));
  const left = [...onceWithValue, ...replaced];
  const kept: string[] = [];
  for (let place = 0; place < args.length; place++) {
    const word = args[place] ?? "";
    if (once.has(word) || left.some((flag) => word.startsWith(`${flag}=`))) continue;
    if (left.includes(word)) place += 1;
    else kept.push(word);
  }
  return ["tandem", ...kept, ...flagWords(changed)];
}
