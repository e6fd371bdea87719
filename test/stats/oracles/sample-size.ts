import { normalQuantile } from "../../../src/stats/distributions/normal.ts";
import type { Sureness } from "../../../src/stats/planning/detectable.ts";

/** Variances of the differences: between cases, and of the runs of one case on each side, with their number. */
export interface DifferenceVariance {
  omega2: number;
  sigma2A: number;
  KA: number;
  sigma2B: number;
  KB: number;
}

/** E. Miller, "Adding error bars to evals" (2024), section 5: n = (z_{a/2} + z_b)^2 (w^2 + sA^2/KA + sB^2/KB) / delta^2. */
export function casesFor(delta: number, variance: DifferenceVariance, sureness: Sureness = {}): number | null {
  return delta === 0 ? null : known((zSum(sureness) ** 2 * varianceOf(variance)) / delta ** 2);
}

/** The same solved for the difference. Null without cases. */
export function detectableWith(n: number, variance: DifferenceVariance, sureness: Sureness = {}): number | null {
  return n <= 0 ? null : known(zSum(sureness) * Math.sqrt(varianceOf(variance) / n));
}

/** Null for what no number can tell: a plan for a difference of 1e-300. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function varianceOf({ omega2, sigma2A, KA, sigma2B, KB }: DifferenceVariance): number {
  return omega2 + sigma2A / KA + sigma2B / KB;
}

function zSum({ alpha = 0.05, power = 0.8, sides = 2 }: Sureness): number {
  return normalQuantile(power) - normalQuantile(alpha / sides);
}
