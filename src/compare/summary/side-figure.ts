import { quantile } from "../../stats/quantile.ts";
import { sum } from "../../stats/sum.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";

/** The mean of one side in some cases, or the median where these are compared; null where its values are not kept, or none is. */
export function sideFigure(
  { of }: Pick<ComparedMetric, "of">,
  { sides }: Pick<MetricNumbers, "sides">,
  { side, has }: { side: "baseline" | "candidate"; has: (place: number) => boolean },
): number | null {
  const values = (sides?.[side] ?? new Float64Array(0)).filter((value, place) => has(place) && !Number.isNaN(value));
  const middle = of === "median" ? quantile(values.toSorted(), 0.5) : meanOf(values);
  return middle === null || of !== "ratio" ? middle : Math.exp(middle);
}

function meanOf(values: Float64Array): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}
