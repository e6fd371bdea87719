import type { Conclusion } from "../../../app/report/conclude.ts";
import type { PrepareOptions } from "../../../app/plan/prepare.ts";
import { type ChangedFlags, flagWords } from "../../../app/report/next-step.ts";
import { type RunRequest, runSuite } from "../../../app/run.ts";
import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import type { CodeTrust } from "../../../score/contract/code-trust.ts";
import type { Suite } from "../../../suite/suite.ts";
import { keyNamesInSuite } from "../../dot-env.ts";
import type { BatchFlags } from "../../flags/batch-flags.ts";
import { preparationFrom, suiteFrom } from "../../flags/suite-source.ts";
import { approvalOf } from "../../progress/approval.ts";
import { openDelivery } from "../../progress/delivery.ts";
import { executeBatch, type Shared } from "../../progress/execute.ts";
import { plannedEvent, preparedLines } from "../../progress/prepared.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";

interface RunFlags extends BatchFlags {
  path: string;
}

/** A run to its verdict and to those who are told. */
export async function runOnce(flags: RunFlags, terminal: Terminal): Promise<CommandResult> {
  const ending = await openDelivery(flags, terminal);
  // Also for word of a suite that cannot be loaded.
  ending.protect(keyNamesInSuite(flags.path));
  return ending.watch(async () => {
    const source = await suiteFrom(flags, terminal);
    const { suite, trust } = source;
    const onNotice = (message: string): void => terminal.note(message);
    const approve = approvalOf(suite, { limit: source.targetLimit, yes: flags.yes });
    const preparation = { ...preparationFrom(flags, { ...source, onNotice }), isLook: true, approve };
    const work = workOf(flags, { suite, trust }, preparation);
    return executeBatch({ terminal, flags, suite, trust, ending, work });
  });
}

/**
 * The command that resumes what a corrected suite file leaves to be done. Without a suite file, or with flags that vary
 * it, what is wrong may be in the flags: the same is run again. Null where the dataset was standard input.
 */
export function againCommand({ path, results: out, vary, "prompt-file": prompts, set }: RunFlags): string | null {
  const isWhole = vary.length + prompts.length + set.length === 0;
  if (isWhole && /\.ya?ml$/i.test(path)) return `tandem resume --suite ${shellWord(path)}${folderFlag(out)}`;
  return path === "-" ? null : typedCommand(process.argv.slice(2), {});
}

/** The work of `run` once keys and addresses are known. */
export function workOf(
  flags: RunFlags,
  { suite, trust }: { suite: Suite; trust: CodeTrust | null },
  preparation: PrepareOptions & Pick<RunRequest, "approve" | "asksAnchors">,
  /** Called with the name of the batch when it is there, before anything of it is sent. */
  onBatch: (batch: string) => void = () => {},
): (shared: Shared) => Promise<Conclusion> {
  const again = againCommand(flags);
  return (shared) => {
    const request = {
      ...shared,
      ...preparation,
      suite,
      trust,
      out: flags.results,
      against: flags.against ?? null,
      ...(again !== null && { again }),
      rerun: (changed: ChangedFlags) => typedCommand(process.argv.slice(2), changed),
      onPrepared(prepared: Parameters<typeof plannedEvent>[0]) {
        onBatch(prepared.batch.name);
        shared.announce(plannedEvent(prepared), preparedLines(prepared, suite));
      },
    };
    return runSuite(request);
  };
}

/** Flags that were for that one time, without a value and with one. */
const once = new Set(["--second-look"]);
const onceWithValue = ["--on-in-doubt", "--notify", "--notify-command", "--notify-link", "--notify-on"];

/**
 * The command line as it was typed, to be typed again with other values of some flags: without what only that time was to
 * do, and without webhooks, which are secrets.
 */
export function typedCommand(args: readonly string[], changed: ChangedFlags): string {
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
  const added = flagWords(changed);
  return ["tandem", ...[...kept, ...added].map(shellWord)].join(" ");
}
