import type { BestOfMany } from "../../compare/choice/choice.ts";
import { raceLevel, type RaceStanding } from "../../compare/choice/race-watch.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { ReportChoice, ReportNamedCase, ReportRace } from "../shape/choice.ts";
import type { NamedCase } from "../../compare/choice/choice-tally.ts";
import type { ReportMetric } from "../shape/model.ts";
import { questionOfInput } from "./model-row.ts";

/** A choice as it is told: by the metric that everything of it is counted in. */
export function reportChoice(
  { metric, configurations, of, race, nobody, disputed, ...choice }: BestOfMany,
  metrics: readonly ReportMetric[],
  { stopping, decision }: Pick<Comparison, "stopping" | "decision">,
): ReportChoice {
  const about = metrics.find(({ scorer, passes }) => scorer === metric && passes === (of === "pass"));
  return {
    ...choice,
    metric: about?.name ?? metric,
    ...(race !== undefined && { race: reportRace(race, { stopping, seed: decision.seed }) }),
    intervals: configurations.map(({ target, mean, cost, time, lower, upper, range }) => ({
      target,
      mean,
      cost: cost?.mean ?? null,
      costRange: rangeOf(cost),
      time: time?.mean ?? null,
      timeRange: rangeOf(time),
      lower,
      upper,
      range,
    })),
    ranks: configurations.flatMap(({ target, rank }) => (rank === null ? [] : [{ target, ...rank }])),
    left: configurations.flatMap(({ target, left }) => (left.cases === 0 ? [] : [{ target, ...left }])),
    nobody: { cases: nobody.cases, first: nobody.first.map(namedCase) },
    disputed: disputed.map(({ scores, ...each }) => ({ ...namedCase(each), scores })),
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
const namedCase = ({ key, row, input }: NamedCase): ReportNamedCase => ({ key, row, question: questionOfInput(input) });

function rangeOf(spent: BestOfMany["configurations"][number]["cost"]): { lower: number; upper: number } | null {
  if (spent === null) return null;
  const { lower, upper } = spent;
  return lower === null || upper === null ? null : { lower, upper };
}
