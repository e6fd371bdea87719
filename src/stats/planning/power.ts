import { noncentralTSurvival } from "../distributions/noncentral-t.ts";
import { normalQuantile } from "../distributions/normal.ts";
import { rootOf } from "../distributions/root.ts";
import { tQuantile } from "../distributions/student-t.ts";

/** Reliability asked of a test: its level, its power against the difference in question, and its number of sides. */
export interface Sureness {
  /** 0.05 when left out. */
  alpha?: number;
  /** 0.8 when left out. */
  power?: number;
  /** 2 when left out. */
  sides?: 1 | 2;
}

/** The smallest difference that a t test of a mean with this standard error finds. Null without variation. */
export function detectable({ se, df }: { se: number; df: number }, sureness: Sureness = {}): number | null {
  const { alpha = 0.05, power = 0.8, sides = 2 } = sureness;
  if (df < 1 || !(se > 0)) return null;
  const critical = tQuantile(1 - alpha / sides, df);
  const ncp = rootOf((shift) => noncentralTSurvival(critical, df, shift) - power, { low: 0, high: 4 * critical + 40 });
  return ncp === null ? null : ncp * se;
}

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

/**
 * The smallest difference that McNemar's test of n cases finds when the sides differ on a share psi of them: Connor's
 * formula solved for d. Null when not even a change of all of them in one direction would be found.
 */
export function mcNemarDetectable({ n, psi }: { n: number; psi: number }, sureness: Sureness = {}): number | null {
  if (!(n > 0 && psi > 0)) return null;
  const { za, zb } = zs(sureness);
  const root = Math.max(0, n * za * za * psi - (n + zb * zb) * psi * (za * za - zb * zb));
  const d = (za * Math.sqrt(n * psi) + Math.sqrt(root)) / (n + zb * zb);
  return d > psi ? null : d;
}

/**
 * The smallest drop that McNemar's test of n cases finds when so far a share psi of them turned out differently on the
 * two sides. That share is no bound: a drop of d is at least as many such cases, so that for a d beyond psi Connor's
 * formula is solved with psi = d, all of them in one direction: n = (z_{a/2} + z_b sqrt(1 - d))^2 / d. Null when not
 * even a loss of all n cases would be found: mid-p is then 2^-n.
 */
export function mcNemarSmallestDrop({ n, psi }: { n: number; psi: number }, sureness: Sureness = {}): number | null {
  const { alpha = 0.05 } = sureness;
  if (n <= 0 || 0.5 ** n > alpha) return null;
  const { za, zb } = zs(sureness);
  const lacking = (d: number): number => (za + zb * Math.sqrt(1 - d)) ** 2 - n * d;
  return mcNemarDetectable({ n, psi }, sureness) ?? rootOf(lacking, { low: 0, high: 1 });
}

/** L. Kish (1965): how many times clusters of m cases with this intraclass correlation multiply the variance. */
export function designEffect(meanClusterSize: number, icc: number): number {
  return 1 + (meanClusterSize - 1) * icc;
}

/** Null for what no number can tell: a plan for a difference of 1e-300. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function varianceOf({ omega2, sigma2A, KA, sigma2B, KB }: DifferenceVariance): number {
  return omega2 + sigma2A / KA + sigma2B / KB;
}

function zs({ alpha = 0.05, power = 0.8, sides = 2 }: Sureness): { za: number; zb: number } {
  return { za: -normalQuantile(alpha / sides), zb: normalQuantile(power) };
}

function zSum(sureness: Sureness): number {
  const { za, zb } = zs(sureness);
  return za + zb;
}
