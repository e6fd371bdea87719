import type { Side } from "./case-side.ts";
import { type ComparisonPlan, passPlace } from "../comparison-plan.ts";

/** A change of flakiness; null: it is as it was, or not known. */
export type Flakiness = "newly-flaky" | "newly-stable" | null;

/**
 * True where some tries of a side pass and some do not; a try without an answer does not. By the metric of the flips; null where
 * none says pass or fail, nothing was graded, or it was tried fewer than twice.
 */
export function isFlaky(side: Pick<Side, "scores" | "skippedRuns">, place: number): boolean | null {
  const value = side.scores[place];
  if (value === undefined || value.passes === null || value.runs === 0) return null;
  const runs = triedRuns(side, place);
  return runs < 2 ? null : value.passes > 0 && value.passes < runs;
}

/** Change of flakiness by the metric of the flips; null when there is none, or when a side was tried fewer than twice. */
export function flakinessOf(from: Side, to: Side, comparisonPlan: Pick<ComparisonPlan, "metrics">): Flakiness {
  const place = passPlace(comparisonPlan);
  const [before, after] = [isFlaky(from, place), isFlaky(to, place)];
  if (before === null || after === null || before === after) return null;
  return after ? "newly-flaky" : "newly-stable";
}

/** Number of runs that pass or do not; one without an answer does not. Skipped runs were not tried. */
export function triedRuns({ scores, skippedRuns }: Pick<Side, "scores" | "skippedRuns">, place: number): number {
  const value = scores[place];
  return value === undefined ? 0 : value.runs + value.missing - skippedRuns;
}
