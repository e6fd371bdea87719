import type { ComparedTarget, LabelDraw, Pair } from "../../compare/comparison-plan.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { casesOfDraw, drawsOf, type StoredDraw } from "../../store/scores/label-draws.ts";

/** The pairs of a batch's own comparison, with the cases that were drawn of each for people to label. */
export function pairsWithDraws(
  db: Connection,
  batch: Batch,
  { pairs, sides }: { pairs: readonly Pair[]; sides: readonly ComparedTarget[] },
): Pair[] {
  const draws = pairs.length === 0 ? [] : drawsOf(db, batch.id);
  return pairs.map((pair) => {
    const [baseline, candidate] = [sides[pair.baseline]?.target, sides[pair.candidate]?.target];
    const draw = draws.find((each) => each.baseline === baseline && each.candidate === candidate);
    return draw === undefined ? pair : { ...pair, drawn: asDrawn(db, draw) };
  });
}

function asDrawn(db: Connection, { id, size }: StoredDraw): LabelDraw {
  const cases = new Map(
    casesOfDraw(db, id).map(({ caseId, part, chance }) => [caseId, { part, probability: chance }] as const),
  );
  return { cases, of: size };
}
