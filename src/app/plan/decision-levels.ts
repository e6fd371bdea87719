import { mayEndEarly } from "../../suite/early-end.ts";
import type { GateLevels } from "../../compare/verdict/facts.ts";
import { lookShares } from "../../stats/planning/looks.ts";
import { perNightAlpha } from "../../stats/planning/nights.ts";
import type { DecisionSettings } from "../../suite/suite.ts";

type Levelled = Pick<DecisionSettings, "alpha" | "nights" | "looks" | "secondLook">;

/**
 * The levels at which the gates of a suite decide, however they are set. Nights share the false alarms: a pass keeps the whole of
 * alpha. Looks share false answers of both kinds.
 */
export function decisionLevels({ alpha, nights, looks, secondLook }: Levelled): GateLevels {
  if (looks === 2 || secondLook === true) {
    const level = levelOfLook(alpha, looks);
    return { alpha: level, passAlpha: level };
  }
  return { alpha: perNightAlpha(alpha, nights), passAlpha: alpha };
}

/** Level of the look after this one, the `number`-th; null: none is offered. Undefined: the same again, every look is a first one. */
export function nextAlpha(
  decision: Levelled & Pick<DecisionSettings, "stopWhen" | "race">,
  number: number,
): number | null | undefined {
  const { alpha, nights, looks, secondLook } = decision;
  if (nights > 1 || mayEndEarly(decision)) return undefined;
  if (secondLook === true || number > 1) return null;
  return levelOfLook(alpha, looks);
}

/** Without the rounding errors of binary fractions: it is shown as it is written. */
function levelOfLook(alpha: number, looks: Levelled["looks"]): number {
  return Number((alpha * (looks === 2 ? lookShares.declared : lookShares.second)).toPrecision(12));
}
