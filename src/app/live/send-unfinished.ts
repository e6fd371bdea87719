import { askJudgesFirst } from "../grade/first-question.ts";
import { firstLook } from "../grade/trial.ts";
import { type SendEnd, type SendOptions, sendBatch } from "../send/send.ts";
import { chooseFollowing } from "./deciding.ts";
import type { RunContext } from "../context.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { roundWords } from "../../report/say/stopping.ts";
import { countCases } from "../../store/plan/expectation.ts";
import { clustersInOrder, lastJobOf } from "../../store/plan/cluster-order.ts";
import { spareJobs, spareTargets } from "../../store/plan/spared.ts";
import { scoreBatch } from "../grade/score-batch.ts";
import { comparisonOfBatch } from "../compare/planned-comparison.ts";

/** Sends what is unfinished, until it is decided where the suite asks for that. */
export async function sendUnfinished(run: RunContext, batch: Batch): Promise<SendEnd> {
  const refused = run.preflight ? await askJudgesFirst(run, batch) : null;
  if (refused !== null) return refused;
  const looked = examination(run, batch);
  const following = await chooseFollowing(run, batch);
  if (following?.kind === "at-once") return sendBatch(run, batch, { ...looked, deciding: following.deciding });
  if (following?.kind === "in-rounds") {
    run.onNotice(`${following.why}: cases are sent in rounds until it is decided, each with its grading.`);
    return sendInRounds(run, batch, looked);
  }
  if (following !== null)
    run.onNotice(`Everything is sent, although it should stop when it is decided: ${following.why}.`);
  return sendBatch(run, batch, looked);
}

/** Sends what was left out when it was decided, too. */
export async function sendRest(run: RunContext, batch: Batch): Promise<SendEnd> {
  return sendBatch(run, batch, examination(run, batch));
}

/** A look at the first answers before the rest is sent, unless the user does without. */
const examination = (run: RunContext, batch: Batch): Pick<SendOptions, "firstLook"> =>
  run.preflight ? { firstLook: firstLook(run, batch) } : {};

/** Clusters of the first round, and the factor by which all that is sent grows with each. */
const first = 32;
const growth = 1.3;
/** Whole blocks of the plan: all runs of their cases follow each other. */
const step = 16;

/**
 * Sends a batch in rounds, with its scoring after each, until it is decided: judges and commands take their time, and are
 * asked of the answers that are there. A round is a few cases more than needed at most.
 */
async function sendInRounds(run: RunContext, batch: Batch, looked: SendOptions): Promise<SendEnd> {
  const { db } = run;
  const cases = countCases(db, batch.id);
  let round = 0;
  for (const { upTo, ...sent } of roundEnds(db, batch.id)) {
    round += 1;
    if (lookBetween(db, batch).isDecided) {
      spareJobs(db, batch.id);
      // Nothing, but for a second look that was cut off.
      return sendBatch(run, batch, looked);
    }
    const words = roundWords({ round, upTo: sent.cases, cases });
    const end = await sendBatch(run, batch, { ...looked, upTo, lines: () => [words] });
    if (end.stopped.length > 0 || end.refusal !== undefined) return end;
    const scored = await scoreBatch(run, batch);
    if (scored.end.stopped.length > 0) return scored.end;
  }
  return { stopped: [], stops: [] };
}

/** Looks at what is graded, and leaves out the targets that a race has dropped. */
function lookBetween(db: Connection, batch: Batch): { isDecided: boolean } {
  const { stop, race, sides } = comparisonOfBatch(db, batch).settings;
  const isDropped = (target: string): boolean =>
    race?.configurations.some((each) => each.target === target && each.droppedAfter !== null) === true;
  const dropped = sides.filter(({ target }) => isDropped(target)).flatMap(({ targetIds }) => targetIds);
  spareTargets(db, batch.id, dropped);
  return { isDecided: stop !== null && stop.decidedAfter !== null };
}

/** The last job of each round, and the cases up to it. */
function* roundEnds(db: Connection, batchId: number): Generator<{ upTo: number; cases: number }> {
  let [place, end, cases] = [0, first, 0];
  for (const { caseIds } of clustersInOrder(db, batchId)) {
    place += 1;
    cases += caseIds.length;
    if (place < end) continue;
    yield { upTo: lastJobOf(db, caseIds), cases };
    end = Math.ceil((end * growth) / step) * step;
  }
  yield { upTo: Number.MAX_SAFE_INTEGER, cases };
}
