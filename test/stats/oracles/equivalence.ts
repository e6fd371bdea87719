import type { Interval } from "../../../src/stats/interval.ts";
import type { PairedCounts } from "../../../src/stats/paired/mcnemar.ts";
import { tangoBounds, tangoTest } from "../../../src/stats/paired/paired-proportion.ts";
import { tBounds, tInterval, tTest } from "../../../src/stats/paired/t-estimate.ts";
import type { TEstimate } from "../../../src/stats/paired/t-estimate.ts";

/** Is the candidate at most `margin` worse? Null where it cannot be estimated. */
export interface NonInferiority {
  /** Distance from -margin in standard errors; null without variation too. */
  statistic: number | null;
  /** p value for H0: the difference is at most -margin. */
  p: number | null;
  /** One-sided bound at 1 - alpha. */
  lower: number | null;
  nonInferior: boolean | null;
}

/** Tests non-inferiority by the paired (or cluster-robust) t test. */
export function nonInferiorityT(estimate: TEstimate, margin: number, alpha = 0.05): NonInferiority {
  const { t, pGreater } = tTest(estimate, -margin);
  const { lower } = tBounds(estimate, 1 - alpha);
  return { statistic: t, p: pGreater, lower, nonInferior: pGreater === null ? null : pGreater < alpha };
}

/** Tests non-inferiority by the score test of Tango and Nam, for passes and fails of one run each side. */
export function nonInferiorityRate(counts: PairedCounts, margin: number, alpha = 0.05): NonInferiority {
  const { z, pGreater } = tangoTest(counts, -margin);
  const lower = tangoBounds(counts, 1 - alpha)?.lower ?? null;
  return { statistic: z, p: pGreater, lower, nonInferior: pGreater === null ? null : pGreater < alpha };
}

/** Are the sides alike, within low and high? */
export interface Equivalence {
  pLower: number | null;
  pUpper: number | null;
  /** The larger of both. */
  p: number | null;
  /** Interval at 1 - 2 alpha: within low and high exactly when equivalent. */
  interval: Interval | null;
  equivalent: boolean | null;
  /** All differences are alike: p is as small, or as large, as it can be. */
  degenerate: boolean;
}

/** Two one-sided t tests, D. Schuirmann (1987). */
export function equivalenceT(estimate: TEstimate, { low, high }: Interval, alpha = 0.05): Equivalence {
  const pLower = tTest(estimate, low).pGreater;
  const pUpper = tTest(estimate, high).pLess;
  return {
    ...bothSides(pLower, pUpper, alpha),
    interval: tInterval(estimate, 1 - 2 * alpha),
    degenerate: estimate.se === 0,
  };
}

function bothSides(
  pLower: number | null,
  pUpper: number | null,
  alpha: number,
): Pick<Equivalence, "pLower" | "pUpper" | "p" | "equivalent"> {
  if (pLower === null || pUpper === null) return { pLower, pUpper, p: null, equivalent: null };
  const p = Math.max(pLower, pUpper);
  return { pLower, pUpper, p, equivalent: p < alpha };
}
