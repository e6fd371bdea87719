import { lossOf } from "../../compare/comparison-plan.ts";
import { fewestClusters } from "../../stats/difference.ts";
import {
  amongDiffering,
  beyondGains,
  countedDrop,
  countedPass,
  meanDrop,
  type PlannedGate,
  shownAlpha,
  type TurningAt,
} from "../../stats/planning/planned-counts.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import { detectable } from "../../stats/planning/detectable.ts";
import { casesToSettle } from "../../stats/planning/settling.ts";
import type { PlannedVariance } from "./stored-variance.ts";

/** Runs of each case on the baseline and on the candidate. */
interface Runs {
  baseline: number;
  candidate: number;
}

/** A size of an experiment, and what it is planned by. */
export interface PlannedSize {
  cases: number;
  runs: Runs;
  variance: PlannedVariance;
}

/** More cases than this are no plan. */
const mostPlanned = 1e12;

/** Fewest cases with which such a drop is found: called a regression by the gate, or without one shown at all. */
export function casesFor(drop: number, size: Omit<PlannedSize, "cases">, gate: PlannedGate | null): number | null {
  if (gate !== null && drop <= lossOf({ of: size.variance.of, metric: size.variance }, gate.margin)) return null;
  const isFound = (cases: number): boolean => (smallestDrop({ ...size, cases }, gate) ?? Infinity) <= drop;
  return casesToSettle(
    { power: (claim, cases) => Number(claim === "regression" && isFound(cases)) },
    { from: 0, most: mostPlanned },
  );
}

/**
 * The smallest true drop that is found with 80 % power, as a report of such a run would say it: called a regression by
 * the gate, or without one shown at all by the two-sided p of the metric. Null where none is.
 */
export function smallestDrop(size: PlannedSize, gate: PlannedGate | null): number | null {
  const turning = turningOf(size);
  return turning === null ? ofMean(size, gate) : countedDrop(size.cases, gate, turning);
}

/**
 * The largest true loss with which the gate passes in four of five such runs; null where it does so too rarely even if nothing
 * is lost.
 */
export function largestPassing(size: PlannedSize, gate: { margin: number; passAlpha: number }): number | null {
  const { cases, variance } = size;
  const turning = turningOf(size);
  if (turning !== null) return countedPass(cases, gate, turning);
  const margin = lossOf({ of: variance.of, metric: variance }, gate.margin);
  // So few cases do not pass whatever comes out.
  if (variance.of === "pass" && cases < fewestToPass(gate.margin, gate.passAlpha)) return null;
  const errors = errorsOf(size, { alpha: gate.passAlpha, sides: 1 });
  if (errors === null) return null;
  const beyond = errors * Math.sqrt(varianceOf(variance, size.runs) / cases);
  return beyond > margin ? null : margin - beyond;
}

/** Fewest cases with which the gate passes in four of five such runs where nothing is lost; null where no affordable number does. */
export function casesToPass(
  size: Omit<PlannedSize, "cases">,
  gate: { margin: number; passAlpha: number },
  from: number,
): number | null {
  return casesToSettle(
    { power: (claim, cases) => Number(claim === "pass" && largestPassing({ ...size, cases }, gate) !== null) },
    { from, most: mostPlanned },
  );
}

/** Turning of cases where passes of one run each side are counted; null where means are compared. */
function turningOf({ variance, runs }: PlannedSize): TurningAt | null {
  if (variance.gains !== null) return beyondGains(variance.gains);
  const isSingle = runs.baseline === 1 && runs.candidate === 1 && variance.designEffect === 1;
  return variance.from === null && isSingle ? amongDiffering(single(variance)) : null;
}

/** Variance of single runs; of passes the share of cases that turn out differently. */
function single({ between, within }: PlannedVariance): number {
  return between + (within ?? 0);
}

function ofMean({ cases, runs, variance }: PlannedSize, gate: PlannedGate | null): number | null {
  const [margin, alpha, sides] = gate === null ? [0, shownAlpha, 2 as const] : [gate.margin, gate.alpha, 1 as const];
  const clusters = Math.round(cases * variance.clusters);
  const errors = errorsOf({ cases, variance }, { alpha, sides });
  if (variance.from !== null) {
    const beyond = errors === null ? null : errors * Math.sqrt(varianceOf(variance, runs) / cases);
    return beyond === null ? null : lossOf({ of: variance.of, metric: variance }, margin) + beyond;
  }
  const share = varianceOf(variance, runs) / single(variance) / cases;
  const mean = errors === null ? null : meanDrop({ margin, errors, psi: single(variance), share });
  if (variance.designEffect > 1) return mean;
  // Whole cases that are lost are found with single runs too, and of few cases the signs are counted, not the noise.
  const counted = countedDrop(cases, gate, amongDiffering(single(variance)));
  return clusters < fewestClusters || mean === null || counted === null ? counted : Math.min(mean, counted);
}

/** Standard errors that a mean has to be away for a claim in four of five; null where so few clusters claim nothing. */
function errorsOf(
  { cases, variance }: Pick<PlannedSize, "cases" | "variance">,
  { alpha, sides }: { alpha: number; sides: 1 | 2 },
): number | null {
  const clusters = Math.round(cases * variance.clusters);
  const df = variance.df === null ? clusters - 1 : Math.max(1, cases * variance.df);
  return clusters < fewestClusters ? null : detectable({ se: 1, df }, { alpha, sides });
}

/** Variance of the difference of a case. Runs of a case are independent of each other, whatever cases belong together. */
function varianceOf({ between, within, designEffect }: PlannedVariance, runs: Runs): number {
  const ofRuns = (within ?? 0) / 2;
  return between * designEffect + ofRuns / runs.candidate + ofRuns / runs.baseline;
}
