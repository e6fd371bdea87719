import type { BestOfMany } from "../../compare/choice/choice.ts";
import { raceLevel, type RaceStanding } from "../../compare/choice/race-watch.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { ReportChoice, ReportRace } from "../shape/choice.ts";
import type { ReportMetric } from "../shape/model.ts";

/** A choice as it is told: by the metric that everything of it is counted in. */
export function reportChoice(
  { metric, configurations, of, race, ...choice }: BestOfMany,
  metrics: readonly ReportMetric[],
  { stopping, decision }: Pick<Comparison, "stopping" | "decision">,
): ReportChoice {
  const about = metrics.find(({ scorer, passes }) => scorer === metric && passes === (of === "pass"));
  return {
    ...choice,
    metric: about?.name ?? metric,
    ...(race !== undefined && { race: reportRace(race, { stopping, seed: decision.seed }) }),
    intervals: configurations.map(({ target, mean, cost, lower, upper }) => ({ target, mean, cost, lower, upper })),
    ranks: configurations.flatMap(({ target, rank }) => (rank === null ? [] : [{ target, ...rank }])),
    left: configurations.flatMap(({ target, left }) => (left.cases === 0 ? [] : [{ target, ...left }])),
  };
}

const endWords = { "close enough": "close-enough", "one left": "one-left" } as const;

function reportRace(
  { until, margin, end, configurations, cases, isThrough }: RaceStanding,
  { stopping, seed }: { stopping: Comparison["stopping"]; seed: string },
): ReportRace {
  return {
    for: until,
    margin,
    seed,
    level: raceLevel,
    ended: end !== null ? endWords[end.kind] : isThrough ? "all-asked" : null,
    closeEnough: end?.kind === "close enough" ? end.target : null,
    after: end?.cases ?? null,
    of: stopping?.cases ?? cases,
    dropped: configurations
      .flatMap(({ target, droppedAfter: after }) => (after === null ? [] : [{ target, after }]))
      .toSorted((one, other) => one.after - other.after),
    spared: stopping?.spared ?? 0,
    saved: stopping?.saved ?? null,
  };
}
