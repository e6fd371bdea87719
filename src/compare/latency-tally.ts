import { growingFloats } from "./growing.ts";

/** How long the same cases took on both sides. */
export interface LatencyTally {
  /** Of the first runs. */
  add: (baseline: number | null, candidate: number | null, answered: boolean) => void;
  /** Logarithms of candidate / baseline, at the places of the pair's cases; NaN where a side has none. */
  numbers: () => Float64Array;
}

/** Shorter than this cannot be told apart by the clock. */
const shortestMs = 0.01;

export function latencyTally(): LatencyTally {
  const ratios = growingFloats();
  return {
    add(baseline, candidate, answered) {
      const known = answered && baseline !== null && candidate !== null;
      ratios.push(known ? Math.log(Math.max(shortestMs, candidate) / Math.max(shortestMs, baseline)) : Number.NaN);
    },
    numbers: () => ratios.view(),
  };
}
