import { wilsonInterval } from "./paired/proportion.ts";

/** Agreement of two raters beyond chance. */
export interface Kappa {
  /** Null where both use one and the same class throughout: agreement by chance is then complete. */
  kappa: number | null;
  observed: number | null;
  expected: number | null;
  reason: string | null;
}

/** J. Cohen's kappa (1960) of a square table: rows are the classes of one rater, columns those of the other. */
export function cohensKappa(table: readonly (readonly number[])[]): Kappa {
  const rows = table.map((row) => total(row));
  const n = total(rows);
  if (n === 0) return { kappa: null, observed: null, expected: null, reason: "nothing was rated by both" };
  const columns = table.map((_, column) => total(table.map((row) => row[column] ?? 0)));
  const observed = total(table.map((row, index) => row[index] ?? 0)) / n;
  const expected = total(rows.map((row, index) => (row / n) * ((columns[index] ?? 0) / n)));
  const chance = 1 - expected;
  if (chance < 1e-15) return { kappa: null, observed, expected, reason: "both raters used one class only" };
  return { kappa: (observed - expected) / chance, observed, expected, reason: null };
}

/** Verdicts of a judge on answers whose true label is known. */
export interface JudgeCounts {
  truePass: number;
  falsePass: number;
  trueFail: number;
  falseFail: number;
}

/** Null where no label of that kind is known. */
export interface JudgeQuality {
  /** Share of the good answers that the judge passes. */
  sensitivity: number | null;
  /** Share of the bad answers that it fails. */
  specificity: number | null;
}

export function judgeQuality({ truePass, falsePass, trueFail, falseFail }: JudgeCounts): JudgeQuality {
  const [good, bad] = [truePass + falseFail, trueFail + falsePass];
  return { sensitivity: good === 0 ? null : truePass / good, specificity: bad === 0 ? null : trueFail / bad };
}

/**
 * The rate of passes that a judge's mistakes leave to be guessed: W. Rogan and B. Gladen (1978),
 * (p + sp - 1) / (se + sp - 1), kept within 0 and 1. Null when the judge is no better than chance.
 */
export function judgeCorrectedRate(
  observed: number | null,
  { sensitivity, specificity }: JudgeQuality,
): { corrected: number | null; reason: string | null } {
  if (observed === null || sensitivity === null || specificity === null) {
    return { corrected: null, reason: "needs labels of good and of bad answers" };
  }
  const better = sensitivity + specificity - 1;
  if (better <= 1e-12) return { corrected: null, reason: "the judge is no better than chance" };
  return { corrected: Math.min(1, Math.max(0, (observed + specificity - 1) / better)), reason: null };
}

/** Labels of each class that it takes to tell a judge from chance, and to say how often it is wrong. */
export const enoughLabels = 10;
/** A judge whose lead over chance may be this large is not called no better than chance. */
const clearLead = 0.5;

/** The check of a judge by labels of people: too few of them, that it is no better than chance, or that it is. */
export type JudgeCheck = "unchecked" | "chance" | "checked";

/**
 * Checks a judge against labels: sensitivity + specificity - 1 (W. Youden 1950), with an interval made of the Wilson intervals
 * of both (square-and-add, R. Newcombe 1998, method 10), includes 0 and ends below a half for one that is no better than chance.
 */
export function judgeCheck({ truePass, falsePass, trueFail, falseFail }: JudgeCounts): JudgeCheck {
  const [good, bad] = [truePass + falseFail, trueFail + falsePass];
  const ofGood = wilsonInterval(truePass, good, 0.95);
  const ofBad = wilsonInterval(trueFail, bad, 0.95);
  if (good < enoughLabels || bad < enoughLabels || ofGood === null || ofBad === null) return "unchecked";
  const [sensitivity, specificity] = [truePass / good, trueFail / bad];
  const lead = sensitivity + specificity - 1;
  const low = lead - Math.hypot(sensitivity - ofGood.low, specificity - ofBad.low);
  const high = lead + Math.hypot(ofGood.high - sensitivity, ofBad.high - specificity);
  return low <= 0 && high < clearLead ? "chance" : "checked";
}

function total(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
