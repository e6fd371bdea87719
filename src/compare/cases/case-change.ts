import { endOf } from "../../api/outcomes.ts";
import type { ReadSide } from "./case-side.ts";
import type { CaseChange } from "./case-kinds.ts";
import type { Difference } from "./difference.ts";
import type { Flakiness } from "./flakiness.ts";
import { isFinished } from "./side-outcome.ts";
import type { OutputFieldDifference } from "./output-fields.ts";
import { isStructure } from "./structure.ts";

export function caseChange(compared: Difference, base: ReadSide, other: ReadSide, flakiness: Flakiness): CaseChange {
  if (compared.pairing !== "paired" || compared.outcomeDiffers === null) return "not-compared";
  if (wasSkipped(base) || wasSkipped(other)) return "not-compared";
  const [from, to] = [base.side.answeredRuns, other.side.answeredRuns];
  if (from > 0 && to === 0) return "error-appeared";
  if (from === 0 && to > 0) return "error-gone";
  if (flakiness !== null) return flakiness;
  const { telling, answerDiffers, outcomeDiffers } = compared;
  const failsNow = hasFailed(other) && !hasFailed(base);
  const saysOther = answerDiffers === true || failsNow || telling.members.length > 0;
  const differs = saysOther || outcomeDiffers;
  if (from < 2) {
    // The baseline's own variation in errors is known as soon as it was asked twice.
    if (!saysOther && outcomeDiffers && compared.noiseOutcomeDiffers === true) return "within-noise";
    return differs ? "differs" : "same";
  }
  if (compared.textBeyondNoise === true || isNew(telling.members, telling.noise)) return "changed";
  if (failsNow || (compared.firstOutcomeDiffers === true && compared.noiseOutcomeDiffers === false)) return "changed";
  return differs || (compared.excess ?? 0) !== 0 ? "within-noise" : "same";
}

/** True when some run ended without a run record. */
function hasFailed({ runs }: ReadSide): boolean {
  return runs.some(({ output, outcome }) => output === null && isFinished(outcome) && !endOf(outcome).follows);
}

function wasSkipped({ runs }: ReadSide): boolean {
  return runs.length > 0 && runs.every(({ outcome }) => endOf(outcome).follows);
}

/** True when some path differs, in its structure or its value, in which the baseline agrees with itself. */
function isNew(members: readonly OutputFieldDifference[], noise: readonly OutputFieldDifference[] | null): boolean {
  if (noise === null) return false;
  return members.some(
    (member) => !noise.some((found) => found.path === member.path && isStructure(found) === isStructure(member)),
  );
}
