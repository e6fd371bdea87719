import { countedScore } from "./counted-score.ts";
import type { PairedCounts } from "./mcnemar.ts";
import type { Method, OneSided, Rule } from "./method.ts";
import { tangoBounds, tangoTest } from "./paired-proportion.ts";

/** Passes and fails of one run each side: Tango's score test, and its p counted outcome by outcome where few cases differ. */
export function scoreRule(counts: PairedCounts): Rule {
  const first: Method = {
    against: (supposed) => tangoTest(counts, supposed),
    lower: (confidence) => tangoBounds(counts, confidence)?.lower ?? null,
    upper: (confidence) => tangoBounds(counts, confidence)?.upper ?? null,
  };
  return { first, stricter: { by: "counted", ...countedMethod(counts, first) } };
}

const nothing: OneSided = { pGreater: null, pLess: null };

/** The differences nearest to a certain win or loss that are tried: at -1 and 1 nothing is left to count. */
const furthest = 0.9999;

function countedMethod(counts: PairedCounts, first: Method): Method {
  const against = (supposed: number): OneSided => {
    if (supposed <= 0) return countedScore(counts, -supposed) ?? nothing;
    // The gains of the candidate are the losses of the baseline.
    const swapped = countedScore({ ...counts, onlyA: counts.onlyB, onlyB: counts.onlyA }, supposed);
    return swapped === null ? nothing : { pGreater: swapped.pLess, pLess: swapped.pGreater };
  };
  // Null: not counted here, so that the first method stands alone.
  const rejects = (side: keyof OneSided, supposed: number, confidence: number): boolean => {
    const p = against(supposed)[side];
    return p === null || p <= 1 - confidence;
  };
  return {
    against,
    lower: (confidence, near) => {
      const start = first.lower(confidence, near);
      const isRejected = (at: number): boolean => rejects("pGreater", at, confidence);
      if (start === null || start < -furthest || isRejected(start)) return start;
      if (near < start && isRejected(near)) return edge(isRejected, near, start);
      return edge(isRejected, -furthest, Math.min(start, Math.max(near, -furthest)));
    },
    upper: (confidence, near) => {
      const start = first.upper(confidence, near);
      const isRejected = (at: number): boolean => rejects("pLess", at, confidence);
      if (start === null || start > furthest || isRejected(start)) return start;
      if (near > start && isRejected(near)) return edge(isRejected, near, start);
      return edge(isRejected, furthest, Math.max(start, Math.min(near, furthest)));
    },
  };
}

/** Where a test stops to reject, between a difference that it rejects and one that it does not, within a ten-thousandth of a point. */
function edge(isRejected: (at: number) => boolean, rejected: number, kept: number): number {
  let [out, within] = [rejected, kept];
  while (Math.abs(out - within) > 1e-6) {
    const middle = (out + within) / 2;
    if (isRejected(middle)) out = middle;
    else within = middle;
  }
  return within;
}
