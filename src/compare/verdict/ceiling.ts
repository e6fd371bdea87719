import type { GateCause } from "../cause.ts";
import type { ComparedMetric } from "../comparison-plan.ts";

/** Shares of what is no answer to a row above which passing says nothing of a bot. */
const mostPassing = { rows: 0.8, stock: 0.5 };

/** Why a scorer measures nothing of two sides, so that no gate of it can tell; null: it does. */
export function unableOf(
  compared: ComparedMetric,
  sides: readonly [baseline: string, candidate: string],
): GateCause | null {
  if (compared.judge === "chance") return { kind: "judge-by-chance", metric: compared.metric.name };
  return ceilingOf(compared, sides);
}

/**
 * Why a metric that passes nearly anything says nothing of two sides; null where it tells answers apart, or was not tried.
 * Only for passes: a value can still differ.
 */
function ceilingOf(
  { metric, of, laxity = new Map() }: ComparedMetric,
  sides: readonly [baseline: string, candidate: string],
): GateCause | null {
  if (of !== "pass") return null;
  for (const side of sides) {
    const found = laxity.get(side);
    if (found === undefined || found.passing <= mostPassing[found.of] * found.asked) continue;
    return { kind: "ceiling", metric: metric.name, side, ...found };
  }
  return null;
}
