import type { Load } from "../../runner/drive.ts";
import { watchedAs } from "../../runner/runner.ts";
import type { Batch } from "../../store/batches.ts";
import { createJudgeJournal } from "../../store/journal/judge-journal.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { unfinishedProbes } from "../../store/scores/judge-checks.ts";
import { batchJudges, unfinishedQuestions } from "../../store/scores/judges.ts";
import { judgePrice } from "../../suite/prices.ts";
import type { RunContext } from "../context.ts";
import { type SendEnd, sendLocked } from "../send/send.ts";

interface AskedQuestions {
  /** Questions about answers, or those that try a judge. Default: `judge`. */
  kind?: "judge" | "probe";
  /** Word for them in the progress: they may go to the same deployment as cases. Default: `judges`. */
  shown?: string;
  /** The run has ended before: it takes no longer by what is asked now. Default: false. */
  isLater?: boolean;
}

/** Asks the judges of a batch all that is unanswered. Only for the holder of the batch's lock. */
export async function sendQuestions(
  run: RunContext,
  batch: Batch,
  { kind = "judge", shown = "judges", isLater = false }: AskedQuestions = {},
): Promise<SendEnd> {
  const load = judgeLoad(run, batch, kind);
  if (load.targets.every(({ unfinished }) => unfinished === 0)) return { stopped: [], stops: [] };
  const onRunner: RunContext["onRunner"] = (runner) =>
    run.onRunner(
      watchedAs(runner, {
        snapshot: () => runner.snapshot().map((each) => ({ ...each, name: `${each.name} (${shown})` })),
      }),
    );
  return sendLocked({ ...run, onRunner }, batch, load, { isLater });
}

function judgeLoad({ db, suite }: RunContext, { id }: Batch, kind: "judge" | "probe"): Load {
  const isProbe = kind === "probe";
  const openIn = isProbe ? [unfinishedProbes] : [unfinishedJobs, unfinishedQuestions];
  const unfinished = (isProbe ? unfinishedProbes : unfinishedQuestions)(db, id);
  const { name, deployments, onAmbiguous, judges, folder } = suite;
  return {
    role: "judge",
    suite: { name, deployments, targets: judges, onAmbiguous, interleave: "off", folder },
    targets: batchJudges(db, id).map((judge) => ({
      ...judge,
      price: judgePrice(suite, judge),
      unfinished: unfinished.get(judge.id) ?? 0,
    })),
    journal: createJudgeJournal(db, id, kind),
    conversations: false,
    ...(isProbe && { isAside: true }),
    left: () => openIn.flatMap((open) => [...open(db, id).values()]).reduce((sum, count) => sum + count, 0),
  };
}
