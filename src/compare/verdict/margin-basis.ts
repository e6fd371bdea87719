import type { PairedComparison } from "../../stats/difference.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import type { Cause } from "../cause.ts";
import { type Advised, fewestUnits, hopelessCause, leastClusters } from "./advice.ts";
import type { GateLevels } from "./facts.ts";
import { floorOf } from "./floor.ts";
import type { Basis } from "./guards.ts";
import { noPair } from "./kind.ts";
import type { MarginBasis, MarginNumbers } from "./numbers.ts";

/** A gate by these numbers. */
export function marginBasis(
  numbers: MarginNumbers,
  common: Pick<Basis, "invalid" | "scorerFault" | "chosen">,
): MarginBasis {
  const { inferred, gapsOfSide, outsideRange, about } = numbers;
  const { pRegression = null, pPass = null } = inferred?.comparison ?? {};
  return {
    ...common,
    numbers,
    empty: inferred === null ? noPair : null,
    // The values of a tag are one gate among the others: they share its weight.
    weight: 1 / numbers.values,
    claims: { pRegression, pPass },
    pLoss: () => inferred?.difference.method?.p(0).less ?? null,
    hasTooFew: (passAlpha) => hasTooFew(numbers, passAlpha),
    atFloor: () => (isAtFloor(numbers) ? floorOf(about, numbers.floorPasses) : null),
    gaps: gapsOfSide && {
      pPass: gapsOfSide.inferred?.comparison.pPass ?? null,
      why: (passAlpha) => ({
        kind: "gaps",
        candidate: about.candidate,
        rows: gapsOfSide.cases,
        mostWrong: gapsOfSide.mayBeWrong(passAlpha),
      }),
    },
    outside: outsideRange,
    still: stillCause(numbers),
    hopeless: (levels) => hopelessCause(advised(numbers, { level: levels.alpha }, levels)),
  };
}

/** So few cases that no pass is possible with none worse: that is said of a value of a tag, which others may outnumber. */
function hasTooFew(numbers: MarginNumbers, passAlpha: number): boolean {
  if (numbers.about.slice === null || numbers.inferred === null) return false;
  if (isAtFloor(numbers)) return false;
  if (numbers.looked !== null) return numbers.looked.fewest > numbers.looked.planned;
  const { comparison, difference } = numbers.inferred;
  const { counts } = difference;
  if (difference.oneMore?.never === "few") return true;
  // Whatever is seen, so many units hide the loss, or show it.
  if (counts === null && numbers.range !== null && isWithin(numbers, comparison))
    return difference.effectiveClusters < fewestUnits(numbers, passAlpha);
  // None is worse, and that is not enough.
  if (comparison.test === "alike") return (comparison.estimate ?? 0) >= 0;
  return counts === null
    ? comparison.clusters < leastClusters(comparison, passAlpha)
    : comparison.n < fewestToPass(numbers.margin, passAlpha);
}

/** Nothing speaks against a pass but that the cases are few. */
const isWithin = ({ lossOf: loss, margin }: MarginNumbers, { estimate }: PairedComparison): boolean =>
  (estimate ?? 0) >= -loss(margin);

/** A metric cannot fall by more than it has: with no more than the limit to lose it says nothing, unless the candidate has surely risen from there. */
function isAtFloor({ headroom, margin, inferred }: MarginNumbers): boolean {
  if (headroom === null || hasMoreToLose(headroom, margin)) return false;
  const lower = inferred?.difference.method?.lower(0.95, 0) ?? null;
  return lower === null || lower <= 0;
}

/** A loss beyond the limit is possible at all: 5 % of passes with a limit of 5 points are none. */
export const hasMoreToLose = (headroom: number, margin: number): boolean => headroom > margin * (1 + 1e-9);

/** The level of a regression for this gate alone. */
export const advised = (numbers: MarginNumbers, { level }: { level: number }, levels: GateLevels): Advised | null =>
  numbers.inferred === null ? null : { numbers, inferred: numbers.inferred, alpha: level, levels };

/** A score without ends that was the same in every case of both sides says nothing of how much it can lose; null where it was not. */
function stillCause({ inferred }: Pick<MarginNumbers, "inferred">): Cause | null {
  if (inferred?.difference.oneMore?.never !== "still") return null;
  return { kind: "nothing-varied", rows: inferred.comparison.n };
}
