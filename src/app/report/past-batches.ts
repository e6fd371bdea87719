import type { Comparison } from "../../compare/comparison.ts";
import { readComparison } from "../kept-comparison.ts";
import type { PastBatch } from "../../report/shape/model.ts";
import type { Batch } from "../../store/batches.ts";
import { finishedUpTo } from "../../store/batch-overview.ts";
import { storedComparisons } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";

/** Number of batches in a chart. */
const mostBatches = 60;

/** Scores of a suite's targets in its batches up to this one, the oldest first, by the comparisons that are kept. */
export function pastBatches(db: Connection, batch: Batch): PastBatch[] {
  return finishedUpTo(db, batch, mostBatches).flatMap(({ id, name, createdAt: at }) => {
    const kept =
      storedComparisons(db, id).findLast(({ against }) => against === "") ?? storedComparisons(db, id).at(-1);
    if (kept === undefined) return [];
    const { targets } = readComparison(kept);
    return [
      { batch: name, at, scores: Object.fromEntries(targets.map((target) => [target.target, scoresOf(target)])) },
    ];
  });
}

function scoresOf({ scores }: Comparison["targets"][number]): PastBatch["scores"][string] {
  return Object.fromEntries(
    scores
      .toReversed()
      .map(({ metric, mean, interval }) => [
        metric,
        { value: mean, interval: interval === null ? null : { lower: interval.low, upper: interval.high } },
      ]),
  );
}
