import { enoughForT, enoughToFlip } from "../../stats/paired/inference.ts";
import { countedDrop, meanDrop } from "../../stats/planning/planned-counts.ts";
import {
  casesFor,
  detectable,
  detectableWith,
  type DifferenceVariance,
  type Sureness,
} from "../../stats/planning/power.ts";
import { casesToSettle } from "../../stats/planning/settling.ts";
import type { PlannedVariance } from "./stored-variance.ts";

/** Runs of each case on the baseline and on the candidate. */
interface Runs {
  baseline: number;
  candidate: number;
}

/** The loss that a gate accepts, and its alpha in one comparison. */
interface PlannedGate {
  margin: number;
  alpha: number;
}

/** More cases than this are no plan. */
const mostPlanned = 1e12;

/** Number of cases with which the gate calls such a drop a regression; null without a gate, and for a loss that it accepts. */
export function gateCases(
  drop: number,
  { variance, runs, gate }: { variance: PlannedVariance; runs: Runs; gate: PlannedGate | null },
): number | null {
  if (gate === null || drop <= gate.margin) return null;
  const counted = passesNeed(drop, gate, variance, runs);
  if (counted !== undefined) return counted;
  const [size, margin] = variance.of === "ratio" ? [Math.log1p(drop), Math.log1p(gate.margin)] : [drop, gate.margin];
  const cases = casesFor(size - margin, asVariance(variance, runs), { alpha: gate.alpha, sides: 1 });
  return cases === null ? null : Math.ceil(cases);
}

/** Number of cases that a drop needs to be shown at all. */
export function neededCases(drop: number, variance: PlannedVariance, runs: Runs): number | null {
  const counted = passesNeed(drop, atAll, variance, runs);
  return counted === undefined ? casesFor(drop, asVariance(variance, runs)) : counted;
}

/** A gate that accepts no loss: a drop that it calls a regression is shown. */
const atAll = { margin: 0, alpha: 0.05 };

/** The cases with which the table would tell such a drop. Undefined where it is not by passes. */
function passesNeed(drop: number, asked: PlannedGate, variance: PlannedVariance, runs: Runs) {
  const found = (cases: number): boolean => (passesDrop(cases, variance, runs, asked) ?? Infinity) <= drop;
  if (passesDrop(1, variance, runs, asked) === undefined) return undefined;
  return casesToSettle(
    { powerAt: (cases) => ({ pass: 0, regression: Number(found(cases)) }) },
    { from: 0, most: mostPlanned },
  );
}

/** The share of cases that differ where passes of one run each side are counted; null where means are compared. */
function countedShare(variance: PlannedVariance, runs: Runs): number | null {
  if (variance.discordant !== null) return variance.discordant;
  const isSingle = runs.baseline === 1 && runs.candidate === 1 && variance.designEffect === 1;
  return isSingle ? assumedShare(variance) : null;
}

/** The share that is assumed; null where the variance was measured. */
function assumedShare({ from, between, within }: PlannedVariance): number | null {
  return from === null ? between + (within ?? 0) : null;
}

/** The smallest true drop that is shown at all; null where none is. */
export function shownDrop(cases: number, variance: PlannedVariance, runs: Runs): number | null {
  const passes = passesDrop(cases, variance, runs, atAll);
  return passes === undefined ? smallest(cases, variance, runs, {}) : passes;
}

/** The smallest true drop that the gate calls a regression; null where none is. */
export function calledDrop(cases: number, variance: PlannedVariance, runs: Runs, gate: PlannedGate): number | null {
  const passes = passesDrop(cases, variance, runs, gate);
  if (passes !== undefined) return passes;
  const margin = variance.of === "ratio" ? Math.log1p(gate.margin) : gate.margin;
  const beyond = smallest(cases, variance, runs, { alpha: gate.alpha, sides: 1 });
  return beyond === null ? null : margin + beyond;
}

/**
 * The smallest drop of a pass rate that is called, by the rule of the gate where single runs are counted. Undefined
 * where the variation was measured otherwise.
 */
function passesDrop(cases: number, variance: PlannedVariance, runs: Runs, asked: PlannedGate) {
  const single = countedShare(variance, runs);
  if (single !== null) return countedDrop(cases, { ...asked, psi: single });
  const psi = assumedShare(variance);
  if (psi === null) return undefined;
  const units = Math.round(cases * (variance.clusters ?? 1));
  if (units < enoughToFlip) return null;
  const { omega2, sigma2A, KA, sigma2B, KB } = asVariance(variance, runs);
  const share = (omega2 + sigma2A / KA + sigma2B / KB) / psi / cases;
  const errors = detectable({ se: 1, df: units - 1 }, { alpha: asked.alpha, sides: 1 });
  const mean = errors === null ? null : meanDrop({ margin: asked.margin, errors, psi, share });
  if (variance.designEffect > 1) return mean;
  // Whole cases that are lost are found with single runs too, and of few cases the signs are counted, not the noise.
  const counted = countedDrop(cases, { ...asked, psi });
  return units < enoughForT || mean === null || counted === null ? counted : Math.min(mean, counted);
}

function smallest(cases: number, variance: PlannedVariance, runs: Runs, sureness: Sureness): number | null {
  const each = asVariance(variance, runs);
  if (Math.round(cases * (variance.clusters ?? 1)) < enoughToFlip) return null;
  if (variance.clusters === null) return detectableWith(cases, each, sureness);
  const { omega2, sigma2A, KA, sigma2B, KB } = each;
  const se = Math.sqrt((omega2 + sigma2A / KA + sigma2B / KB) / cases);
  return detectable({ se, df: Math.round(cases * variance.clusters) - 1 }, sureness);
}

/** Runs of a case are independent of each other, whatever cases belong together. */
function asVariance({ between, within, designEffect: effect }: PlannedVariance, runs: Runs) {
  const ofRuns = (within ?? 0) / 2;
  const told: DifferenceVariance = {
    omega2: between * effect,
    sigma2A: ofRuns,
    KA: runs.candidate,
    sigma2B: ofRuns,
    KB: runs.baseline,
  };
  return told;
}
