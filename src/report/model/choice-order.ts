import type { ReportChoice } from "../shape/choice.ts";
import type { ReportMetric } from "../shape/model.ts";

/** Places of the configurations from the best mean to the worst. */
export function placesByMean({ intervals }: ReportChoice, { lowerIsBetter, passes }: ReportMetric): number[] {
  const way = lowerIsBetter && !passes ? 1 : -1;
  const meanOf = (place: number): number => intervals[place]?.mean ?? 0;
  return intervals.map((_, place) => place).toSorted((one, other) => way * (meanOf(one) - meanOf(other)));
}

/** The configurations from the best mean to the worst. */
export function byMean(choice: ReportChoice, about: ReportMetric): ReportChoice["intervals"] {
  return placesByMean(choice, about).flatMap((place) => choice.intervals[place] ?? []);
}
