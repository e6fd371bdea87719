import { askJudgesFirst } from "../grade/first-question.ts";
import { firstLook } from "../grade/trial.ts";
import { type SendEnd, type SendOptions, sendBatch } from "../send/send.ts";
import { wayToDecide } from "./deciding.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { Suite } from "../../suite/suite.ts";
import { roundWords } from "../../report/words/deciding-words.ts";
import { countCases } from "../../store/plan/expectation.ts";
import { clustersInOrder, lastJobOf } from "../../store/plan/cluster-order.ts";
import { spareJobs, spareTargets } from "../../store/plan/spared.ts";
import { type ScoreBatchOptions, scoreBatch } from "../grade/score-batch.ts";
import { comparisonOfBatch } from "../compare/planned-comparison.ts";

interface Sending extends SendOptions {
  suite: Suite;
  /** Leave to run the modules and commands of the suite. null: it must have none. */
  trust: CodeTrust | null;
  /** Tries the scorers and one case of each target before the rest is sent. */
  preflight: boolean;
  /** Judges are not asked again what they have answered, for whatever batch. */
  cache: boolean;
}

/** Sends what is unfinished, until it is decided where the suite asks for that. */
export async function sendUnfinished(db: Connection, batch: Batch, request: Sending): Promise<SendEnd> {
  const refused = request.preflight ? await askJudgesFirst(db, batch, request) : null;
  if (refused !== null) return refused;
  const options: SendOptions = { ...request, ...examination(db, batch, request) };
  const way = await wayToDecide(db, batch, request);
  if (way === null) return sendBatch(db, batch, options);
  if (way.kind === "to-the-end") {
    request.onNotice(`Everything is sent, although it should stop when it is decided: ${way.why}.`);
    return sendBatch(db, batch, options);
  }
  if (way.kind === "at-once") return sendBatch(db, batch, { ...options, deciding: way.deciding });
  request.onNotice(`${way.why}: cases are sent in rounds until it is decided, each with its grading.`);
  const { suite, trust, cache } = request;
  const score = { suite, trust, cache, again: false };
  return sendInRounds(db, batch, { send: options, score });
}

/** Sends what was left out when it was decided, too. */
export async function sendRest(db: Connection, batch: Batch, request: Omit<Sending, "cache">): Promise<SendEnd> {
  return sendBatch(db, batch, { ...request, ...examination(db, batch, request) });
}

/** A look at the first answers before the rest is sent, unless the user does without. */
function examination(
  db: Connection,
  batch: Batch,
  { preflight, suite, trust, onNotice }: Pick<Sending, "preflight" | "suite" | "trust" | "onNotice">,
): Pick<SendOptions, "firstLook"> {
  return preflight ? { firstLook: firstLook(db, batch, { suite, trust, onNotice }) } : {};
}

/** Clusters of the first round, and the factor by which all that is sent grows with each. */
const first = 32;
const growth = 1.3;
/** Whole blocks of the plan: all runs of their cases follow each other. */
const step = 16;

/**
 * Sends a batch in rounds, with its scoring after each, until it is decided: judges and commands take their time, and are
 * asked of the answers that are there. A round is a few cases more than needed at most.
 */
async function sendInRounds(
  db: Connection,
  batch: Batch,
  { send, score }: { send: SendOptions; score: Omit<ScoreBatchOptions, keyof SendOptions> },
): Promise<SendEnd> {
  const cases = countCases(db, batch.id);
  let round = 0;
  for (const { upTo, ...sent } of roundEnds(db, batch.id)) {
    round += 1;
    if (lookBetween(db, batch).isDecided) {
      spareJobs(db, batch.id);
      // Nothing, but for a second look that was cut off.
      return sendBatch(db, batch, send);
    }
    const words = roundWords({ round, upTo: sent.cases, cases });
    const end = await sendBatch(db, batch, { ...send, upTo, lines: () => [words] });
    if (end.stopped.length > 0 || end.refusal !== undefined) return end;
    const scored = await scoreBatch(db, batch, { ...send, ...score });
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
