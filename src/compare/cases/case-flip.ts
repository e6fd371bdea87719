import { type ComparisonPlan, passPlace } from "../comparison-plan.ts";
import type { CaseChange, CaseFlip } from "./case-kinds.ts";
import type { Side } from "./case-side.ts";
import type { FoundDifference } from "./difference.ts";
import { flakinessOf, triedRuns } from "./flakiness.ts";

/** The flips of a case, by the primary metric if it passes or fails answers; none where its sides are no pair. */
export function flipsOf(
  from: Side,
  to: Side,
  { change, pairing, expectedDiffers }: Pick<FoundDifference, "pairing" | "expectedDiffers"> & { change: CaseChange },
  comparisonPlan: Pick<ComparisonPlan, "metrics">,
): CaseFlip[] {
  if (pairing !== "paired") return [];
  if (change === "error-appeared" || change === "error-gone") return [change];
  const flips: CaseFlip[] = [];
  const place = passPlace(comparisonPlan);
  // Graded by two expected texts: what changed is not the bot alone.
  if (expectedDiffers && comparisonPlan.metrics[place]?.byExpected === true) return [];
  const [before, after] = [passesAll(from, place), passesAll(to, place)];
  if (before === true && after === false) flips.push("pass-to-fail");
  if (before === false && after === true) flips.push("fail-to-pass");
  const flakiness = flakinessOf(from, to, comparisonPlan);
  if (flakiness !== null) flips.push(flakiness);
  return flips;
}

/** True when every run passes, false when none does; null between, and without a graded run. */
function passesAll(side: Side, place: number): boolean | null {
  const value = side.scores[place];
  if (value === undefined || value.passes === null || value.runs === 0) return null;
  if (value.passes === 0) return false;
  return value.passes === triedRuns(side, place) ? true : null;
}
