import type { MetricNumbers, SideNumbers } from "../tallies/metric-tally.ts";

/** Sources of a difference's variation, and ways to make it smaller. */
export interface NoiseSummary {
  /**
   * Variance of the differences of the cases as they were measured; where cases belong together that of as many on their
   * own whose mean were as uncertain: n times its squared standard error.
   */
  variance: number;
  /** Variance of one run within a case, of each side; null where that side ran once. */
  within: { baseline: number | null; candidate: number | null };
  /** Mean runs of a case. */
  runs: { baseline: number; candidate: number };
  /** Share of the variance that is due to runs: more repeats make it smaller, more cases make the rest smaller. */
  share: number;
}

/**
 * Null where no side ran a case twice. A side that ran once is taken to vary as the other does. Clusters multiply the
 * variance by their design effect; what runs add to it they do not: those are independent, whatever cases belong together.
 */
export function noiseOf(
  { baseline, candidate }: MetricNumbers,
  differences: Float64Array,
  designEffect = 1,
): NoiseSummary | null {
  const within = { baseline: varianceOf(baseline), candidate: varianceOf(candidate) };
  const [ofBaseline, ofCandidate] = [within.baseline ?? within.candidate, within.candidate ?? within.baseline];
  const n = differences.length;
  if (ofBaseline === null || ofCandidate === null || n < 2) return null;
  const runs = { baseline: baseline.counted / n, candidate: candidate.counted / n };
  const variance = sampleVariance(differences) * designEffect;
  const noise = ofBaseline / runs.baseline + ofCandidate / runs.candidate;
  return { variance, within, runs, share: variance === 0 ? 0 : Math.min(1, noise / variance) };
}

/** Pooled over the cases. */
function varianceOf({ squares, freedom }: SideNumbers): number | null {
  return freedom === 0 ? null : squares / freedom;
}

function sampleVariance(values: Float64Array): number {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return squares / (values.length - 1);
}

/**
 * Number of runs of each side that give a variance of `share` times the present one, not a whole number; null if no
 * number does. The runs of a fixed baseline, such as a pin, stay as they are: its noise does not shrink.
 */
export function repeatsFor(noise: NoiseSummary, share: number, fixedBaseline: boolean): number | null {
  const { variance, within, runs } = noise;
  const baseline = within.baseline ?? within.candidate ?? 0;
  const candidate = within.candidate ?? within.baseline ?? 0;
  const shrinking = candidate / runs.candidate + (fixedBaseline ? 0 : baseline / runs.baseline);
  const rest = Math.max(0, variance - shrinking);
  const headroom = variance * share - rest;
  if (headroom <= 0 || shrinking <= 0) return null;
  return (candidate + (fixedBaseline ? 0 : baseline)) / headroom;
}
