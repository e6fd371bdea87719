import { twoSidedZ } from "../distributions/normal.ts";
import type { Interval } from "../interval.ts";
import { type JudgeCounts, judgeCorrectedRate, judgeQuality } from "../rater-agreement.ts";

/**
 * A pass rate without a judge's mistakes (W. Rogan and B. Gladen 1978), with an interval by the delta method that counts the chance in
 * the labels too (Lee et al. 2026). It holds where the labels are of other answers than those of the rate, as of an
 * earlier batch; of the same answers, the corrected difference is never wider. Null where the judge is no better than chance.
 */
export function roganGladen(
  { rate, answers }: { rate: number; answers: number },
  counts: JudgeCounts,
  level: number,
): { rate: number; interval: Interval } | null {
  const quality = judgeQuality(counts);
  const { corrected } = judgeCorrectedRate(rate, quality);
  const { sensitivity, specificity } = quality;
  if (corrected === null || sensitivity === null || specificity === null || answers === 0) return null;
  const [good, bad] = [counts.truePass + counts.falseFail, counts.trueFail + counts.falsePass];
  const lead = sensitivity + specificity - 1;
  const variance =
    (rate * (1 - rate)) / answers +
    (corrected ** 2 * sensitivity * (1 - sensitivity)) / good +
    ((1 - corrected) ** 2 * specificity * (1 - specificity)) / bad;
  const half = (twoSidedZ(level) * Math.sqrt(variance)) / lead;
  return { rate: corrected, interval: { low: Math.max(0, corrected - half), high: Math.min(1, corrected + half) } };
}
