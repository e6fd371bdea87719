import type { Interval } from "../interval.ts";
import { type Inference, inferenceOf } from "./inference.ts";
import { isSkewed } from "./mean-method.ts";
import { claimedP, type StricterName } from "./method.ts";
import type { PairedData } from "./paired-data.ts";

export interface PairedOptions {
  /** The drop that is still accepted, not negative. */
  margin: number;
  /** Level of the two-sided interval; 0.95 when left out. */
  level?: number;
  /** Confidence of the claim that more is lost than the margin, one-sided; 0.95 when left out. */
  confidence?: number;
  /** Confidence of the claim that it is not, if it is another one; as `confidence` when left out. */
  passConfidence?: number;
  seed: string;
  /** False leaves out the stricter p values, where nothing is decided by them. */
  decides?: boolean;
}

/** The difference of two sides, how sure it is, and by which test. Nothing here is NaN or infinite. */
export interface PairedComparison extends Omit<
  Inference,
  "effectiveClusters" | "interval" | "rule" | "median" | "clustered"
> {
  interval: Interval | null;
  /** p value for H0: the difference is at least -margin, by every method that has to agree. A small one: it got worse by more than the margin. */
  pRegression: number | null;
  /** p value for H0: the difference is at most -margin. A small one: it did not. */
  pPass: number | null;
  /** The second method, where it gave the larger p of a claim that the first would make: that one is known to claim too much. */
  stricter: StricterName | null;
}

/** Chooses the test and the interval by the kind of the data and the number of clusters, and infers with them. */
export function comparePairs(data: PairedData, options: PairedOptions): PairedComparison {
  return comparisonOf(inferenceOf(data, options.seed), options);
}

/** The figures of what was inferred. */
export function comparisonOf(inference: Inference, options: PairedOptions): PairedComparison {
  const { margin, level = 0.95, confidence = 0.95, passConfidence = confidence, decides = true } = options;
  const { n, clusters, estimate, p, se, df, skewness, rule, test, intervalBy, why, reason } = inference;
  const levels = { margin, alpha: 1 - confidence, passAlpha: 1 - passConfidence };
  const asked = decides || rule === null ? rule : { first: rule.first, stricter: null };
  const claimed = asked === null ? { pRegression: null, pPass: null, stricter: null } : claimedP(asked, levels);
  return {
    n,
    clusters,
    estimate,
    p,
    interval: inference.interval(level),
    se,
    df,
    skewness,
    ...claimed,
    test,
    intervalBy,
    why,
    reason,
  };
}

export function skewWords(skewness: number): string {
  if (!isSkewed(skewness)) return "so few values of a score without bounds do not show how far the largest lie";
  return `a few cases carry most of the difference (skewness ${skewness.toFixed(1)})`;
}
