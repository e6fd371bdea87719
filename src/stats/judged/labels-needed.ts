import { normalQuantile } from "../distributions/normal.ts";

/** Variation of people's differences, and the part of it that the judge explains. */
export interface LabelVariation {
  /** Standard deviation of people's differences. */
  sd: number;
  /** Their correlation with the judge's. */
  correlation: number;
}

/** Labels that find a distance, or the cases that it takes first. */
export type LabelsNeeded =
  | { labels: number; cases: null }
  /** No labels suffice: so many judged cases at least, `isAll`: all of them labelled. */
  | { labels: null; cases: number; isAll: boolean };

/** Power with which a number of labels has to find what is there. */
const power = 0.8;

/** Labels below which two pseudo labels often widen the interval: so much more of them. */
const smallDraw = { below: 50, times: 1.1 };

/**
 * The labels that tell a true difference from the limit: the variance of the corrected difference is sd² r²/n of the judge's mean and
 * sd² (1-r²)/m of the labels (cf. Chen, Guo, Li 2026, arXiv 2603.16041).
 */
export function labelsNeeded(
  { sd, correlation }: LabelVariation,
  {
    distance,
    cases,
    alpha,
    designEffect = 1,
  }: { distance: number; cases: number; alpha: number; designEffect?: number },
): LabelsNeeded {
  const z = normalQuantile(1 - alpha) + normalQuantile(power);
  const [explained, total] = [sd * sd * correlation * correlation * designEffect, sd * sd * designEffect];
  const room = (distance / z) ** 2 - explained / cases;
  if (room <= 0) return { labels: null, cases: Math.floor(explained * (z / distance) ** 2) + 1, isAll: false };
  const labels = roundedUp((total - explained) / room);
  if (labels <= cases) return { labels, cases: null };
  return { labels: null, cases: roundedUp(total * (z / distance) ** 2), isAll: true };
}

/** The same as it is advised: a little more where few labels are widened. */
export function advisedLabels(needed: LabelsNeeded, fewest: number): LabelsNeeded {
  if (needed.labels === null) return needed;
  const labels = needed.labels < smallDraw.below ? roundedUp(needed.labels * smallDraw.times) : needed.labels;
  return { labels: Math.max(fewest, labels), cases: null };
}

const roundedUp = (value: number): number => Math.ceil(value - 1e-9);
