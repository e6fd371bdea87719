import { isCompared } from "../../compare/cases/pairing.ts";
import { type ReadSide, readSide } from "../../compare/cases/case-side.ts";
import type { ComparedMetric, Pair } from "../../compare/comparison-plan.ts";
import { pairingOf } from "../../compare/cases/pairing.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import type { PlannedComparison } from "./planned-comparison.ts";

/** A case that can be drawn: both sides answered it, or the judge graded both. */
export interface FrameCase {
  caseId: number;
  key: string;
  /** The judge was written with it: it is not drawn. */
  isExample: boolean;
}

/** Reads the cases of a pair that can be drawn. */
export function readFrame(
  db: Connection,
  { batches, settings }: PlannedComparison,
  given: { pair: Pair; compared: ComparedMetric; isExample: ((found: CaseResult) => boolean) | null },
): FrameCase[] {
  const place = settings.metrics.indexOf(given.compared);
  const [from, to] = [settings.sides[given.pair.baseline], settings.sides[given.pair.candidate]];
  const cases: FrameCase[] = [];
  if (from === undefined || to === undefined) return cases;
  for (const result of pairedResults(db, batches, { reasons: false, wants: isCompared(settings) })) {
    if (pairingOf(result, from, to) !== "paired") continue;
    const sides = [readSide(result, from, settings.metrics), readSide(result, to, settings.metrics)];
    if (!sides.every((side) => isGraded(side, place)) && !sides.every(isAnswered)) continue;
    cases.push({ caseId: result.caseId, key: result.key, isExample: given.isExample?.(result) ?? false });
  }
  return cases;
}

function isGraded({ side }: ReadSide, place: number): boolean {
  const score = side.scores[place];
  return score !== undefined && !score.isBeside && score.mean !== null;
}

const isAnswered = ({ runs }: ReadSide): boolean => runs.some(({ answer }) => answer !== null);
