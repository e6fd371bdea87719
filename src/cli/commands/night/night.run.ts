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
import { ageMs, pruneRuleOf } from "../../flags/prune-flags.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { suiteFrom } from "../../flags/suite-source.ts";
import { type Delivery, openDelivery } from "../../progress/delivery.ts";
import { runToConclusion } from "../../progress/with-run.ts";
import type { CommandResult } from "../../command-result.ts";
import { sheetsHere } from "../../sheets-here.ts";
import type { Terminal } from "../../terminal.ts";
import type { RunContext } from "../../../app/context.ts";
import { continueSuite } from "../../../app/resume.ts";
import { type RunPlan, runSuite } from "../../../app/run.ts";
import { commandsOf, planFrom } from "../run/run.run.ts";
import { changedText, cutOffText, prunedText, runningText } from "./night.text.ts";
import type { NightFlags } from "./night.ts";

/**
 * A night: alone, it goes on with what was cut off or runs the suite, waits for the service, compares, confirms and tells, as
 * a run does; then it removes what is old. Its exit code is that of the run; 0 where another process does the night.
 */
export async function spendNight(given: NightFlags, terminal: Terminal): Promise<CommandResult> {
  const { note: onNotice } = terminal;
  const delivery = await openDelivery(given, terminal);
  // A job in the wrong folder is told of too.
  return delivery.watch(async () => {
    const flags = { ...given, path: suitePath(given.path, terminal) };
    delivery.protect(keyNamesInSuite(flags.path));
    const { results: out, against = null } = flags;
    const rule = pruneRuleOf(flags);
    const withinMs = ageMs("--resume-within", flags["resume-within"]);
    const waits = flags["if-running"] === "wait";
    using sheets = sheetsHere();
    const source = await suiteFrom(flags, terminal, sheets);
    const { name } = source.suite;
    const plan = planFrom(flags, source, terminal);
    const { selection = null } = plan;
    let data: JsonData["run"] | undefined;
    const onRunning = ({ pid, host, since }: NightHolder): void => {
      onNotice(runningText(name, { pid, host, since }, waits));
      if (!waits) data = { suite: name, running: { pid, host, since: new Date(since).toISOString() } };
    };
    const exitCode = await holdNight({ out, suite: name, waits, onRunning }, async (night) => {
      const run = runner({ flags, source, plan, delivery, terminal, night });
      const cutOff = cutOffNight({ out, suite: name, against, selection });
      const resumableSince = Date.now() - withinMs;
      const isOld = cutOff !== null && cutOff.startedAt < resumableSince;
      const limit = isOld ? flags["resume-within"] : null;
      if (cutOff !== null)
        onNotice(cutOffText(cutOff, { limit, goOn: `tandem resume ${shellWord(cutOff.batch)}${folderFlag(out)}` }));
      const goOn = `tandem resume --suite ${shellWord(flags.path)} --accept-changes${folderFlag(out)}`;
      const resumed = isOld ? null : cutOff;
      const { exitCode: code, batch: tonight } = await run(resumed).catch((error: unknown) => {
        // A night that was made of another suite or sheet is left: nobody is there to say what is right.
        if (resumed === null || !(error instanceof AppError) || error.code !== "BATCH_CHANGED") throw error;
        onNotice(changedText(resumed, { reason: error.message, goOn }));
        return run(null);
      });
      if (rule !== null && !interrupted.has(code))
        tidy({ rule: { ...rule, suite: name }, tonight, resumableSince }, { out, onNotice });
      return code;
    });
    return exitCode === null ? { ...(data !== undefined && { data }) } : { exit: exitCode };
  });
}

interface NightRun {
  flags: NightFlags & { path: string };
  source: Awaited<ReturnType<typeof suiteFrom>>;
  plan: RunPlan;
  delivery: Delivery;
  terminal: Terminal;
  night: HeldNight;
}

/** A night that came to its end. */
interface Ended {
  exitCode: number;
  batch: string;
}

/** The run of the night: a new batch, or the rest of one that was cut off, with the selection that it had. */
function runner({
  flags,
  source,
  plan,
  delivery,
  terminal,
  night,
}: NightRun): (cutOff: CutOffNight | null) => Promise<Ended> {
  const wait = flags["wait-for-workers"] ?? `${defaultWaitMs}ms`;
  const given = {
    flags: { ...flags, "wait-for-workers": wait },
    terminal,
    suite: patient(source.suite),
    trust: source.trust,
    delivery,
    watchesJudges: true,
    ...commandsOf(flags),
  };
  return async (cutOff) => {
    const notice = cutOff?.notice ?? null;
    const toldBefore = notice === "owed" ? null : notice;
    let batch = "";
    const result = await runToConclusion({ ...given, toldBefore }, async (opened) => {
      const run: RunContext = {
        ...opened.run,
        tell(news) {
          const begun = news.type === "planned" ? news.prepared.batch : news.type === "resumed" ? news.batch : null;
          if (begun !== null) night.has(begun.name, toldBefore === null);
          opened.run.tell(news);
        },
      };
      const onInDoubt = flags["on-in-doubt"] ?? null;
      const conclusion =
        cutOff === null
          ? await runSuite(run, plan)
          : await continueSuite(run, plan, { batch: cutOff.batch, acceptChanges: false, onInDoubt });
      batch = conclusion.summary.batch;
      return conclusion;
    });
    return { exitCode: result.exit ?? exitCodes.ok.code, batch };
  };
}

/** Nobody is there to try again when a service is back, or a worker is there. */
const defaultWaitMs = 30 * 60_000;

function patient(suite: Suite): Suite {
  const deployments = suite.deployments.map((each) => ({ waitForServiceMs: defaultWaitMs, ...each }));
  return { ...suite, deployments };
}

const interrupted = new Set<number>([exitCodes.interrupted.code, exitCodes.terminated.code]);

/** A verdict is worth more than room on the disk: what cannot be removed is a warning. */
function tidy(
  pruning: Parameters<typeof pruneNights>[1],
  { out, onNotice }: { out: string; onNotice: RunContext["onNotice"] },
): void {
  try {
    const { going, staying } = pruneNights(out, pruning);
    for (const line of prunedText(going, staying)) onNotice(line);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onNotice(`warning: old batches were not removed: ${error.message}`);
  }
}
