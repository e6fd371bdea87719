import { type ReadSide, type Side } from "./case-side.ts";
import { isFinished, skipped } from "./side-outcome.ts";
import type { FoundDifference } from "./difference.ts";
import { type ComparisonPlan, passPlace } from "../comparison-plan.ts";
import type { OutputFieldDifference } from "./output-fields.ts";
import { isStructure } from "./structure.ts";

/**
 * Change of a case from the baseline to the candidate, the first that applies:
 * - `not-compared`: it is not on both sides, a side is not finished, or its turn was skipped: the error is in an
 *   earlier one
 * - `error-appeared`, `error-gone`: only one side has a run record
 * - `newly-flaky`, `newly-stable`: by the primary metric, or the first that passes or fails answers, with two runs or
 *   more on both sides
 * - `changed`: further from every run of the baseline than those are from each other, or with a member (there or not,
 *   its type, its count, its value) that differs although the baseline's runs agree in it, or with a failed run where
 *   the baseline has none
 * - `within-noise`: different, but so is the baseline from itself
 * - `differs`: different, and the baseline's own variation is not known
 * - `same`
 */
export type CaseChange =
  | "not-compared"
  | "error-appeared"
  | "error-gone"
  | "newly-flaky"
  | "newly-stable"
  | "changed"
  | "within-noise"
  | "differs"
  | "same";

export type Flakiness = "newly-flaky" | "newly-stable" | null;

/** A candidate against its baseline, for one case. */
export interface Difference extends FoundDifference {
  change: CaseChange;
}

export function caseChange(
  compared: FoundDifference,
  base: ReadSide,
  other: ReadSide,
  flakiness: Flakiness,
): CaseChange {
  if (compared.pairing !== "paired" || compared.outcomeDiffers === null) return "not-compared";
  if (wasSkipped(base) || wasSkipped(other)) return "not-compared";
  const [from, to] = [base.side.answeredRuns, other.side.answeredRuns];
  if (from > 0 && to === 0) return "error-appeared";
  if (from === 0 && to > 0) return "error-gone";
  if (flakiness !== null) return flakiness;
  const { members, answerDiffers, outcomeDiffers } = compared;
  const failsNow = hasFailed(other) && !hasFailed(base);
  const differs = answerDiffers === true || outcomeDiffers || failsNow || (members ?? []).length > 0;
  if (from < 2) return differs ? "differs" : "same";
  if (compared.textBeyondNoise === true || isNew(members ?? [], compared.noiseMembers)) return "changed";
  if (failsNow || (outcomeDiffers && compared.noiseOutcomeDiffers === false)) return "changed";
  return differs || (compared.excess ?? 0) !== 0 ? "within-noise" : "same";
}

/** True when some run ended without a run record. */
function hasFailed({ runs }: ReadSide): boolean {
  return runs.some(({ output, outcome }) => output === null && isFinished(outcome) && outcome !== skipped);
}

function wasSkipped({ runs }: ReadSide): boolean {
  return runs.length > 0 && runs.every(({ outcome }) => outcome === skipped);
}

/** True when some path differs, in its structure or its value, in which the baseline agrees with itself. */
function isNew(members: readonly OutputFieldDifference[], noise: readonly OutputFieldDifference[] | null): boolean {
  if (noise === null) return false;
  return members.some(
    (member) => !noise.some((found) => found.path === member.path && isStructure(found) === isStructure(member)),
  );
}

/** Change of flakiness by the metric of the flips; null when there is none, or when a side has fewer than two runs. */
export function flakinessOf(from: Side, to: Side, comparisonPlan: ComparisonPlan): Flakiness {
  const place = passPlace(comparisonPlan);
  const [before, after] = [isFlaky(from, place), isFlaky(to, place)];
  if (before === null || after === null || before === after) return null;
  return after ? "newly-flaky" : "newly-stable";
}

/** Number of runs that pass or do not; one without an answer does not. Skipped runs were not tried. */
export function triedRuns({ scores, skippedRuns }: Side, place: number): number {
  const value = scores[place];
  return value === undefined ? 0 : value.runs + value.missing - skippedRuns;
}

function isFlaky(side: Side, place: number): boolean | null {
  const value = side.scores[place];
  if (value === undefined || value.passes === null || value.runs === 0) return null;
  const runs = triedRuns(side, place);
  return runs < 2 ? null : value.passes > 0 && value.passes < runs;
}
