import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { type CutOffNight, cutOffNight } from "../../../app/night/cut-off.ts";
import { type HeldNight, holdNight } from "../../../app/night/hold-night.ts";
import { pruneNights } from "../../../app/night/prune-night.ts";
import { AppError, exitCodes } from "../../../errors.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import type { NightHolder } from "../../../store/nights/night-lock.ts";
import type { Suite } from "../../../suite/suite.ts";
import type { JsonData } from "../../json-outputs.ts";
import { keyNamesInSuite } from "../../dot-env.ts";
import type { BatchFlags } from "../../flags/batch-flags.ts";
import { ageMs, pruneRuleOf } from "../../flags/prune-flags.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { preparationFrom, suiteFrom } from "../../flags/suite-source.ts";
import { approvalOf } from "../../progress/approval.ts";
import { type Delivery, openDelivery } from "../../progress/delivery.ts";
import { executeBatch, type Shared } from "../../progress/execute.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import type { Conclusion } from "../../../app/report/conclude.ts";
import { continueSuite } from "../../../app/resume.ts";
import type { CodeTrust } from "../../../score/contract/code-trust.ts";
import { announceResumed } from "../../progress/resumed.ts";
import { acceptedOptions } from "../resume/resume.run.ts";
import { againCommand, typedCommand, workOf } from "../run/run.run.ts";
import { changedText, cutOffText, prunedText, runningText } from "./night.text.ts";

interface NightFlags extends BatchFlags {
  "if-running": "leave" | "wait";
  "resume-within": string;
  keep?: number | undefined;
  "older-than"?: string | undefined;
}

/**
 * A night: alone, it goes on with what was cut off or runs the suite, waits for the service, compares, confirms and tells, as
 * a run does; then it removes what is old. Its exit code is that of the run; 0 where another process does the night.
 */
export async function spendNight(given: NightFlags, terminal: Terminal): Promise<CommandResult> {
  const onNotice = (message: string): void => terminal.note(message);
  const delivery = await openDelivery(given, terminal);
  // A job in the wrong folder is told of too.
  return delivery.watch(async () => {
    const flags = { ...given, path: suitePath(given.path, terminal) };
    delivery.protect(keyNamesInSuite(flags.path));
    const { results: out, against = null } = flags;
    const rule = pruneRuleOf(flags, 1);
    const withinMs = ageMs("--resume-within", flags["resume-within"]);
    const waits = flags["if-running"] === "wait";
    const source = await suiteFrom(flags, terminal);
    const { name } = source.suite;
    const approve = approvalOf(source.suite, { limit: source.targetLimit, yes: flags.yes });
    const preparation = { ...preparationFrom(flags, { ...source, onNotice }), approve, asksAnchors: true };
    const { selection = null } = preparation;
    let data: JsonData["run"] | undefined;
    const onRunning = ({ pid, host, since }: NightHolder): void => {
      onNotice(runningText(name, { pid, host, since }, waits));
      if (!waits) data = { suite: name, running: { pid, host, since: new Date(since).toISOString() } };
    };
    const exitCode = await holdNight({ out, suite: name, waits, onRunning }, async (night) => {
      const run = runner({ flags, source, preparation, delivery, terminal, night });
      const cutOff = cutOffNight({ out, suite: name, against, selection });
      const resumableSince = Date.now() - withinMs;
      const isOld = cutOff !== null && cutOff.startedAt < resumableSince;
      const limit = isOld ? flags["resume-within"] : null;
      if (cutOff !== null)
        onNotice(cutOffText(cutOff, { limit, goOn: `tandem resume ${shellWord(cutOff.batch)}${folderFlag(out)}` }));
      const goOn = `tandem resume --suite ${shellWord(flags.path)} --accept-changes${folderFlag(out)}`;
      const ended = await resumeOrRun(isOld ? null : cutOff, { run, onNotice, goOn });
      const { exitCode: code, batch: tonight } = ended;
      if (rule !== null && !interrupted.has(code))
        tidy({ rule: { ...rule, suite: name }, tonight, resumableSince }, { out, onNotice });
      return code;
    });
    return exitCode === null ? { ...(data !== undefined && { data }) } : { exit: exitCode };
  });
}

interface Run {
  flags: NightFlags & { path: string };
  source: Awaited<ReturnType<typeof suiteFrom>>;
  preparation: Parameters<typeof workOf>[2];
  delivery: Delivery;
  terminal: Terminal;
  night: HeldNight;
}

/** A night that came to its end. */
interface Ended {
  exitCode: number;
  batch: string;
}

/** The run of the night: a new batch, or the rest of one that was cut off. */
function runner({
  flags,
  source,
  preparation,
  delivery,
  terminal,
  night,
}: Run): (cutOff: CutOffNight | null) => Promise<Ended> {
  const suite = patient(source.suite);
  const { trust } = source;
  return async (cutOff) => {
    const notice = cutOff?.notice ?? null;
    const toldBefore = notice === "owed" ? null : notice;
    const onBatch = (name: string): void => night.has(name, toldBefore === null);
    const work =
      cutOff === null
        ? workOf(flags, { suite, trust }, preparation, onBatch)
        : restOf(flags, { suite, trust, cutOff, onBatch }, preparation);
    let batch = "";
    const { exit = exitCodes.ok.code } = await executeBatch({
      terminal,
      flags: { ...flags, "wait-for-workers": flags["wait-for-workers"] ?? `${defaultWaitMs}ms` },
      suite,
      trust,
      ending: delivery,
      toldBefore,
      work: async (shared) => {
        const conclusion = await work(shared);
        batch = conclusion.summary.batch;
        return conclusion;
      },
    });
    return { exitCode: exit, batch };
  };
}

/** The work of a night that was cut off: its rest, with the selection that it had. */
function restOf(
  flags: NightFlags & { path: string },
  given: { suite: Suite; trust: CodeTrust | null; cutOff: CutOffNight; onBatch: (batch: string) => void },
  preparation: Run["preparation"],
): (shared: Shared) => Promise<Conclusion> {
  const { suite, trust, cutOff, onBatch } = given;
  const again = againCommand(flags);
  return (shared) =>
    continueSuite({
      ...shared,
      ...preparation,
      ...acceptedOptions(shared, false),
      suite,
      trust,
      out: flags.results,
      batch: cutOff.batch,
      onInDoubt: flags["on-in-doubt"] ?? null,
      ...(again !== null && { again }),
      rerun: (changed) => typedCommand(process.argv.slice(2), changed),
      onResumed(batch, requests) {
        onBatch(batch.name);
        announceResumed(shared, batch, requests);
      },
    });
}

/** Nobody is there to try again when a service is back, or a worker is there. */
const defaultWaitMs = 30 * 60_000;

function patient(suite: Suite): Suite {
  const deployments = suite.deployments.map((each) => ({ waitForServiceMs: defaultWaitMs, ...each }));
  return { ...suite, deployments };
}

interface Transport {
  run: (cutOff: CutOffNight | null) => Promise<Ended>;
  onNotice: (message: string) => void;
  /** The command that goes on with what was cut off, although something has changed. */
  goOn: string;
}

/** A night that was made of another suite or sheet is left: nobody is there to say what is right. */
async function resumeOrRun(cutOff: CutOffNight | null, { run, onNotice, goOn }: Transport): Promise<Ended> {
  try {
    return await run(cutOff);
  } catch (error) {
    if (cutOff === null || !(error instanceof AppError) || error.code !== "BATCH_CHANGED") throw error;
    onNotice(changedText(cutOff, { reason: error.message, goOn }));
    return run(null);
  }
}

const interrupted = new Set<number>([exitCodes.interrupted.code, exitCodes.terminated.code]);

/** A verdict is worth more than room on the disk: what cannot be removed is a warning. */
function tidy(
  pruning: Parameters<typeof pruneNights>[1],
  { out, onNotice }: { out: string; onNotice: Transport["onNotice"] },
): void {
  try {
    const { going, staying } = pruneNights(out, pruning);
    for (const line of prunedText(going, staying)) onNotice(line);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onNotice(`warning: old batches were not removed: ${error.message}`);
  }
}
