import type { JsonObject } from "../../lib/json.ts";
import { learnsFrom, withLearnedShape } from "../../score/checks/shape.ts";
import { batchTargets, findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { caseResults } from "../../store/results/results.ts";
import type { Suite } from "../../suite/suite.ts";
import { answerRecordOf } from "./score-answer.ts";

/**
 * A suite whose scorers need nothing more to be learned: what was to be learned from an earlier batch is now written in
 * them. Throws BATCH_NOT_FOUND.
 */
export function applyLearnedExpectations(db: Connection, suite: Suite): Suite {
  if (suite.scorers.every((spec) => learnsFrom(spec) === null)) return suite;
  return {
    ...suite,
    scorers: suite.scorers.map((spec) => {
      const from = learnsFrom(spec);
      return from === null ? spec : withLearnedShape(spec, outputsOf(db, from));
    }),
  };
}

/** Outputs of the baseline in a batch; without one, the outputs of every target. */
function* outputsOf(db: Connection, reference: string): Generator<JsonObject> {
  const { id, suite } = findBatch(db, reference);
  const targets = new Map(batchTargets(db, id).map((target) => [target.id, target]));
  const baseline = [...targets.values()].find(({ name }) => name === suite.compare?.baseline)?.id;
  for (const { jobs } of caseResults(db, id)) {
    for (const job of jobs) {
      const target = targets.get(job.targetId);
      if (target === undefined || job.outcome !== "ok" || (baseline !== undefined && job.targetId !== baseline))
        continue;
      yield answerRecordOf(target.endpoint, job).output;
    }
  }
}
