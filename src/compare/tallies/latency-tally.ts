import { latencyOf, type ReadSide, type Run } from "../cases/case-side.ts";
import { hasTime, runsOfSameTime } from "../cases/same-time.ts";
import { growingFloats } from "./growing.ts";

/** Times of the same cases on both sides. */
export interface LatencyTally {
  /**
   * Adds the times of the runs that were sent next to each other: their logarithms are averaged first, as a metric of
   * seconds is by its ratio.
   */
  add: (baseline: ReadSide, candidate: ReadSide) => void;
  /** Logarithms of candidate / baseline, at the places of the pair's cases; NaN where a side has none. */
  numbers: () => Float64Array;
}

/** Shorter than this cannot be told apart by the clock. */
const shortestMs = 0.01;

export function latencyTally(): LatencyTally {
  const ratios = growingFloats();
  return {
    add(base, other) {
      const { baseline, candidate } = runsOfSameTime(base, other, hasTime);
      ratios.push(meanLogarithm(candidate) - meanLogarithm(baseline));
    },
    numbers: () => ratios.view(),
  };
}

/** NaN without a run record. */
function meanLogarithm(runs: readonly Run[]): number {
  let [sum, count] = [0, 0];
  for (const { job } of runs) {
    const latency = job.outcome === "ok" ? latencyOf(job) : null;
    if (latency === null) continue;
    sum += Math.log(Math.max(shortestMs, latency));
    count += 1;
  }
  return count === 0 ? Number.NaN : sum / count;
}
