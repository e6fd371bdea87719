import type { Batch } from "../../store/batches.ts";
import { roundWords } from "../../report/words/deciding-words.ts";
import { countCases } from "../../store/plan/expectation.ts";
import type { Connection } from "../../store/connection.ts";
import { clustersInOrder, lastJobOf } from "../../store/plan/cluster-order.ts";
import { spareJobs } from "../../store/plan/spared.ts";
import type { ScoreBatchOptions } from "../grade/score-batch.ts";
import { scoreBatch } from "../grade/score-batch.ts";
import { comparisonOfBatch } from "../compare/planned-comparison.ts";
import { type SendEnd, sendBatch, type SendOptions } from "../send/send.ts";

/** Clusters of the first round, and the factor by which all that is sent grows with each. */
const first = 32;
const growth = 1.3;
/** Whole blocks of the plan: all runs of their cases follow each other. */
const step = 16;

/**
 * Sends a batch in rounds, with its scoring after each, until it is decided: judges and commands take their time, and are
 * asked of the answers that are there. A round is a few cases more than needed at most.
 */
export async function sendInRounds(
  db: Connection,
  batch: Batch,
  { send, score }: { send: SendOptions; score: Omit<ScoreBatchOptions, keyof SendOptions> },
): Promise<SendEnd> {
  const cases = countCases(db, batch.id);
  let round = 0;
  for (const { upTo, ...sent } of roundEnds(db, batch.id)) {
    round += 1;
    if (isDecided(db, batch)) {
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

function isDecided(db: Connection, batch: Batch): boolean {
  const { stop } = comparisonOfBatch(db, batch).settings;
  return stop !== null && stop.decidedAfter !== null;
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
