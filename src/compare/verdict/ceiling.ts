import { showText } from "../../lib/show.ts";
import type { ComparedMetric } from "../comparison-plan.ts";

/** Shares of what is no answer to a row above which passing says nothing of a bot. */
const mostPassing = { rows: 0.8, stock: 0.5 };

/** Why a scorer measures nothing of two sides, so that no gate of it can tell; null: it does. */
export function unableWords(
  compared: ComparedMetric,
  sides: readonly [baseline: string, candidate: string],
): string | null {
  return compared.scorerFault ?? ceilingWords(compared, sides);
}

/**
 * Why a metric that passes nearly anything says nothing of two sides; null where it tells answers apart, or was not tried.
 * Only for passes: a value can still differ.
 */
function ceilingWords(
  { metric, of, laxity = new Map() }: ComparedMetric,
  sides: readonly [baseline: string, candidate: string],
): string | null {
  if (of !== "pass") return null;
  for (const side of sides) {
    const found = laxity.get(side);
    if (found === undefined || found.passing <= mostPassing[found.of] * found.asked) continue;
    const what =
      found.of === "rows"
        ? `${found.passing} of ${found.asked} answers of ${side} to rows that expect something else`
        : `${found.passing} of ${found.asked} answers that say nothing`;
    const example =
      found.example === null
        ? ""
        : `, such as ${showText(found.example.answer)} where ${showText(found.example.expected)} is expected`;
    const advice = found.withinText
      ? "use `equals`, or expected answers that only a right answer holds"
      : "raise its threshold, or use one that asks for more";
    return `\`${metric.name}\` passes ${what}${example}: it cannot tell bots apart; ${advice}`;
  }
  return null;
}
