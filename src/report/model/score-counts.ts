import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { ComparisonPlan } from "../../compare/comparison-plan.ts";
import type { ReportMetric } from "../shape/model.ts";
import type { ReportScores } from "../shape/scores.ts";
import { reportMetrics } from "./model-gates.ts";
import { sideScore } from "./model-row.ts";
import { type ScoreBins, scoreBins } from "./score-bins.ts";

/** Counts cases by their scores beyond pass and fail: of each target, and of both sides of each pair. */
export interface ScoreCounts {
  add: (compared: Pick<CaseComparison, "sides" | "differences">) => void;
  result: () => ReportScores[];
}

type Counts = Map<number, number>;

/** Number of bins between the bins of two sides in a key, which is more than there can be. */
const widest = 10_000;

interface MetricCounts {
  metric: ReportMetric;
  place: number;
  bins: ScoreBins;
  targets: Counts[];
  pairs: Counts[];
}

export function scoreCounts(plan: Pick<ComparisonPlan, "sides" | "pairs" | "metrics">): ScoreCounts {
  const all = reportMetrics(plan.metrics).flatMap((metric, place): MetricCounts[] => {
    if (metric.passes) return [];
    const [targets, pairs] = [plan.sides.map((): Counts => new Map()), plan.pairs.map((): Counts => new Map())];
    return [{ metric, place, bins: scoreBins(metric), targets, pairs }];
  });
  return {
    add({ sides, differences }) {
      for (const { place, bins, targets, pairs } of all) {
        const compared = plan.metrics[place];
        if (compared === undefined) continue;
        const binned = sides.map(({ scores }) => {
          const value = sideScore(scores[place], compared)?.value ?? null;
          return value === null ? null : bins.binOf(value);
        });
        for (const [side, counts] of targets.entries()) count(counts, binned[side] ?? null);
        for (const [pair, counts] of pairs.entries()) {
          const { baseline = -1, candidate = -1 } = plan.pairs[pair] ?? {};
          const [from, to] = [binned[baseline] ?? null, binned[candidate] ?? null];
          if (from === null || to === null || differences[pair]?.pairing !== "paired") continue;
          count(counts, from * widest + to);
        }
      }
    },
    result: () => all.flatMap((counts) => scoresOf(counts, plan)),
  };
}

function count(counts: Counts, key: number | null): void {
  if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Nothing for a metric without a score. */
function scoresOf(
  { metric, bins, targets, pairs }: MetricCounts,
  plan: Pick<ComparisonPlan, "sides" | "pairs">,
): ReportScores[] {
  const used = targets.flatMap((counts) => Array.from(counts.keys()));
  if (used.length === 0) return [];
  const [lowest, highest] = [Math.min(...used), Math.max(...used)];
  const drawn = Array.from({ length: highest - lowest + 1 }, (_, place) => lowest + place);
  const nameOf = (side = -1): string => plan.sides[side]?.target ?? "";
  return [
    {
      metric: metric.name,
      bins: drawn.map((bin) => ({ bin, ...bins.rangeOf(bin) })),
      targets: targets.map((counts, side) => ({
        target: nameOf(side),
        counts: drawn.map((bin) => counts.get(bin) ?? 0),
      })),
      pairs: pairs.map((counts, pair) => ({
        baseline: nameOf(plan.pairs[pair]?.baseline),
        candidate: nameOf(plan.pairs[pair]?.candidate),
        cells: Array.from(counts, ([key, cases]) => {
          const from = Math.round(key / widest);
          return { baseline: from - lowest, candidate: key - from * widest - lowest, cases };
        }),
      })),
    },
  ];
}
