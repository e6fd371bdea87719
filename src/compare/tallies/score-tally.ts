import { clusterEstimate } from "../../stats/paired/cluster-t.ts";
import type { Interval } from "../../stats/interval.ts";
import { fewestClusters } from "../../stats/difference.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { passAtK, passHatK } from "../../stats/planning/repeats.ts";
import { tInterval } from "../../stats/paired/t-estimate.ts";
import { growingFloats, growingInts } from "./growing.ts";
import { type ComparedMetric, endsOf, type MeasureOf } from "../comparison-plan.ts";
import type { SideValue } from "../cases/side-value.ts";

/** A metric of one target by itself: a missing answer counts as the worst, as in the comparison. */
export interface TargetScore {
  metric: string;
  of: MeasureOf;
  cases: number;
  /** Mean, for a ratio the geometric one; null without a case. */
  mean: number | null;
  /**
   * Interval of the mean: Wilson's for a pass rate, a little wide if cases ran several times; else Student's, and if
   * cases belong together the cluster-robust one. Null for a ratio, without variation, and for too few cases.
   */
  interval: Interval | null;
  missing: number;
  unscored: number;
  /** Null unless the metric says pass or fail and cases ran twice or more. */
  repeated: RepeatedPasses | null;
}

/** Chances that a case passes in several runs; see `passAtK` and `passHatK`. */
interface RepeatedPasses {
  /** Runs of a case. */
  k: number;
  /** Cases with so many graded runs. */
  cases: number;
  /** Mean chance that at least one of k runs passes, and that all do. */
  passAtK: number;
  passHatK: number;
}

export type ScoreTally = ReturnType<typeof scoreTally>;

/** Counts one metric of one target, case by case; where cases belong together it keeps two numbers for each cluster. */
export function scoreTally(compared: ComparedMetric, clustered: boolean) {
  const { metric, of } = compared;
  const moments = { cases: 0, mean: 0, squares: 0 };
  let [sum, missing, unscored] = [0, 0, 0];
  const clusters = clustered ? { sums: growingFloats(), sizes: growingInts() } : null;
  const passes = new Map<number, number>();

  return {
    /** `cluster`: number of the case's cluster. */
    add(value: SideValue | undefined, cluster: number): void {
      if (value === undefined) return;
      missing += value.missing;
      unscored += value.unscored;
      const { mean } = value;
      if (mean === null) return;
      sum += mean;
      // Welford's mean and squares.
      moments.cases += 1;
      const step = mean - moments.mean;
      moments.mean += step / moments.cases;
      moments.squares += step * (mean - moments.mean);
      clusters?.sums.add(cluster, mean);
      clusters?.sizes.add(cluster, 1);
      if (of !== "pass") return;
      const runs = value.runs + value.missing;
      const place = runs * mostRuns + Math.round(mean * runs);
      passes.set(place, (passes.get(place) ?? 0) + 1);
    },
    score(): TargetScore {
      const { cases } = moments;
      const mean = finite(sum / cases);
      const shown = of === "ratio" && mean !== null ? finite(Math.exp(mean)) : mean;
      const found =
        mean === null || of === "ratio"
          ? null
          : clusters === null
            ? intervalOf({ ...moments, mean }, of === "pass")
            : clusteredInterval(of === "pass", mean, { sums: clusters.sums.view(), sizes: clusters.sizes.view() });
      const isKnown = mean !== null && found !== null && Number.isFinite(found.low) && Number.isFinite(found.high);
      const interval = isKnown ? withinEnds(found, mean, endsOf(compared)) : null;
      const repeated = of === "pass" ? repeatedOf(passes) : null;
      return { metric: metric.name, of, cases, mean: shown, interval, missing, unscored, repeated };
    },
  };
}

/** Scores near the ends of what a number can be add up to none. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** No mean lies beyond the ends of its scale, but that of values which may leave them. */
function withinEnds({ low, high }: Interval, mean: number, ends: ReturnType<typeof endsOf>): Interval {
  if (ends === null) return { low, high };
  return { low: Math.max(Math.min(ends.min, mean), low), high: Math.min(Math.max(ends.max, mean), high) };
}

/** Number of runs above any that is planned. */
const mostRuns = 2 ** 20;

function intervalOf(
  { cases, mean, squares }: { cases: number; mean: number; squares: number },
  isRate: boolean,
): Interval | null {
  if (isRate) return wilsonInterval(mean * cases, cases, 0.95);
  if (cases < 2 || squares === 0) return null;
  return tInterval({ mean, se: Math.sqrt(squares / (cases - 1) / cases), df: cases - 1, reason: null }, 0.95);
}

function clusteredInterval(
  isRate: boolean,
  mean: number,
  all: { sums: Float64Array; sizes: Int32Array },
): Interval | null {
  const filled = (_: number, cluster: number): boolean => (all.sizes[cluster] ?? 0) > 0;
  const [sums, sizes] = [all.sums.filter(filled), Float64Array.from(all.sizes).filter(filled)];
  if (sums.length < fewestClusters) return null;
  const n = sizes.reduce((total, size) => total + size, 0);
  const most = sums.reduce((largest, total, place) => Math.max(largest, Math.abs(total / (sizes[place] ?? 1))), 0);
  const estimate = clusterEstimate({ n, sums, sizes, mean, deviation: null, scale: 1, most, reason: null });
  if (estimate.se === 0) return isRate ? wilsonInterval(mean * sums.length, sums.length, 0.95) : null;
  return tInterval(estimate, 0.95);
}

/** Chances by the cases that have as many runs as any: two runs tell nothing about three. */
function repeatedOf(passes: ReadonlyMap<number, number>): RepeatedPasses | null {
  const k = Math.max(0, ...Array.from(passes.keys(), (place) => Math.floor(place / mostRuns)));
  if (k < 2) return null;
  const found: RepeatedPasses = { k, cases: 0, passAtK: 0, passHatK: 0 };
  for (const [place, count] of passes) {
    const [runs, passed] = [Math.floor(place / mostRuns), place % mostRuns];
    if (runs < k) continue;
    found.cases += count;
    found.passAtK += count * (passAtK(runs, passed, k) ?? 0);
    found.passHatK += count * (passHatK(runs, passed, k) ?? 0);
  }
  return { ...found, passAtK: found.passAtK / found.cases, passHatK: found.passHatK / found.cases };
}
