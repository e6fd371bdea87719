import { quantile } from "../../stats/quantile.ts";
import { sum } from "../../stats/sum.ts";
import { askedOnce } from "./asked-once.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";

/** The mean of one side in some cases, of which those that ask the same are one; or the median where these are compared; null where its values are not kept, or none is. */
export function sideFigure(
  { of }: Pick<ComparedMetric, "of">,
  { sides }: Pick<MetricNumbers, "sides">,
  {
    side,
    has,
    questions,
  }: { side: "baseline" | "candidate"; has: (place: number) => boolean; questions: Int32Array | null },
): number | null {
  const all = sides?.[side] ?? new Float64Array(0);
  const isOwn = (value: number, place: number): boolean => has(place) && !Number.isNaN(value);
  const cases = all.filter(isOwn);
  const own = questions?.filter((_, place) => isOwn(all[place] ?? Number.NaN, place)) ?? null;
  const values = own === null ? cases : askedOnce(cases, own).means;
  const middle = of === "median" ? quantile(values.toSorted(), 0.5) : meanOf(values);
  return middle === null || of !== "ratio" ? middle : Math.exp(middle);
}

function meanOf(values: Float64Array): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}
