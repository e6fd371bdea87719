import type { BestOfMany } from "../../compare/choice/choice.ts";
import type { NamedCase } from "../../compare/choice/choice-tally.ts";
import type { ReportChoice } from "../shape/choice.ts";
import type { ReportNamedCase } from "../shape/choice-findings.ts";
import type { ReportMetric } from "../shape/model.ts";
import { questionOfInput } from "./model-row.ts";

/** A choice as it is told: by the metric that everything of it is counted in. */
export function reportChoice(
  { metric, configurations, of, nobody, disputed, routing, ...choice }: BestOfMany,
  metrics: readonly ReportMetric[],
): ReportChoice {
  const about = metrics.find(({ scorer, passes }) => scorer === metric && passes === (of === "pass"));
  const targetAt = (place: number): string => configurations[place]?.target ?? "";
  return {
    ...choice,
    metric: about?.name ?? metric,
    intervals: configurations.map(({ target, mean, cost, lower, upper }) => ({ target, mean, cost, lower, upper })),
    ranks: configurations.flatMap(({ target, rank }) => (rank === null ? [] : [{ target, ...rank }])),
    left: configurations.flatMap(({ target, left }) => (left.cases === 0 ? [] : [{ target, ...left }])),
    nobody: { cases: nobody.cases, first: nobody.first.map(namedCase) },
    disputed: disputed.map(({ scores, ...each }) => ({ ...namedCase(each), scores })),
    ...(routing !== undefined && {
      routing: {
        ...routing,
        routes: routing.routes.map(({ value, to }) => ({ value, target: targetAt(to) })),
        rest: targetAt(routing.rest),
        single: targetAt(routing.single),
      },
    }),
  };
}

const namedCase = ({ key, row, input }: NamedCase): ReportNamedCase => ({ key, row, question: questionOfInput(input) });
