import type { BestOfMany } from "../../compare/choice/choice.ts";
import type { ReportChoice } from "../shape/choice.ts";
import type { ReportMetric } from "../shape/model.ts";

/** A choice as it is told: by the metric that everything of it is counted in. */
export function reportChoice(
  { metric, configurations, of, ...choice }: BestOfMany,
  metrics: readonly ReportMetric[],
): ReportChoice {
  const about = metrics.find(({ scorer, passes }) => scorer === metric && passes === (of === "pass"));
  return {
    ...choice,
    metric: about?.name ?? metric,
    intervals: configurations.map(({ target, mean, cost, lower, upper }) => ({ target, mean, cost, lower, upper })),
    ranks: configurations.flatMap(({ target, rank }) => (rank === null ? [] : [{ target, ...rank }])),
    left: configurations.flatMap(({ target, left }) => (left.cases === 0 ? [] : [{ target, ...left }])),
  };
}
