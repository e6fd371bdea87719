import { binomialAtLeast, binomialCdf, binomialPmf } from "../distributions/binomial.ts";
import { noncentralTSurvival } from "../distributions/noncentral-t.ts";
import { normalQuantile, normalSurvival } from "../distributions/normal.ts";
import { tQuantile } from "../distributions/student-t.ts";
import { mcNemar } from "../paired/mcnemar.ts";
import { claimedP } from "../paired/method.ts";
import { scoreRule } from "../paired/score-method.ts";
import { likelyRate } from "../paired/paired-proportion.ts";

/** Levels at which a gate decides: of a regression, over all gates, and of a pass. */
export interface Levels {
  alpha: number;
  passAlpha: number;
}

/** The chances that a gate calls a regression, and that it passes. */
export interface GatePower {
  regression: number;
  pass: number;
}

/** Shares of the cases that only the candidate passes, and only the baseline. */
export interface Turning {
  gains: number;
  losses: number;
}

/** Sizes up to which every outcome of passes and fails is gone through; beyond, the normal distribution is as good. */
const mostCounted = 250;

/** The gate on passes and fails of one run each side, by its own rule. */
export function countsPower(cases: number, margin: number, levels: Levels): (turning: Turning) => GatePower {
  if (cases > mostCounted) return (turning) => normalPower({ cases, margin, turning }, levels);
  const edges = edgesOf({ cases, margin }, levels);
  return (turning) => {
    const power = { regression: 0, pass: 0 };
    for (const { gained, chance, left, ofRest } of numbersOfGains(cases, turning)) {
      const { mostPass, leastRegression } = edges(gained);
      power.pass += chance * atMost(mostPass, left, ofRest);
      power.regression += chance * atLeast(leastRegression, left, ofRest);
    }
    return power;
  };
}

/**
 * The chance that passes and fails of one run each side show that the candidate is worse, without any gate: by McNemar's
 * two-sided mid-p, which stands beside a metric.
 */
export function shownPower(cases: number, alpha: number): (turning: Turning) => number {
  if (cases > mostCounted) {
    const levels = { alpha: alpha / 2, passAlpha: alpha / 2 };
    return (turning) => normalPower({ cases, margin: 0, turning }, levels).regression;
  }
  const least = leastLosses(cases, alpha);
  return (turning) =>
    numbersOfGains(cases, turning).reduce(
      (power, { gained, chance, left, ofRest }) => power + chance * atLeast(least(gained), left, ofRest),
      0,
    );
}

/** For so many gains the fewest losses that mid-p calls a difference. Further gains ask for more. */
function leastLosses(cases: number, alpha: number): (gained: number) => number {
  const known = new Map<number, number>();
  return (gained) => {
    const found = known.get(gained);
    if (found !== undefined) return found;
    let lost = known.get(gained - 1) ?? gained + 1;
    while (lost <= cases && (lost <= gained || mcNemar({ onlyA: gained, onlyB: lost }).midP > alpha)) lost += 1;
    known.set(gained, lost);
    return lost;
  };
}

/** A number of gains with its chance, the cases that are left beside it, and the share of these that is lost. */
interface Gained {
  gained: number;
  chance: number;
  left: number;
  ofRest: number;
}

/** Every number of gains that is not next to impossible. */
function numbersOfGains(cases: number, { gains, losses }: Turning): Gained[] {
  const ofRest = losses <= 0 ? 0 : Math.min(1, losses / (1 - gains));
  const numbers: Gained[] = [];
  for (let gained = 0; gained <= cases; gained++) {
    const chance = gains <= 0 ? Number(gained === 0) : binomialPmf(gained, cases, gains);
    if (chance < 1e-9 && gained > cases * gains) break;
    if (chance >= 1e-9) numbers.push({ gained, chance, left: cases - gained, ofRest });
  }
  return numbers;
}

function atMost(count: number, n: number, p: number): number {
  if (p <= 0) return Number(count >= 0);
  return p >= 1 ? Number(count >= n) : binomialCdf(count, n, p);
}

function atLeast(count: number, n: number, p: number): number {
  if (count > n) return 0;
  if (p <= 0) return Number(count <= 0);
  return p >= 1 ? 1 : binomialAtLeast(count, n, p);
}

interface Edges {
  /** The most losses with which the gate passes, -1 where not even none do; and the fewest that are a regression. */
  mostPass: number;
  leastRegression: number;
}

/** For so many gains. Further gains let more be lost: both edges only rise, and each is looked for near the one before. */
function edgesOf({ cases, margin }: { cases: number; margin: number }, { alpha, passAlpha }: Levels) {
  const known = new Map<number, Edges>();
  const stateOf = (gained: number, lost: number): "pass" | "regression" | null => {
    const counts = { bothPass: cases - gained - lost, onlyA: gained, onlyB: lost, bothFail: 0 };
    const { pRegression, pPass } = claimedP(scoreRule(counts), { margin, alpha, passAlpha });
    if ((pRegression ?? 1) <= alpha) return "regression";
    return (pPass ?? 1) <= passAlpha ? "pass" : null;
  };
  return (gained: number): Edges => {
    const found = known.get(gained);
    if (found !== undefined) return found;
    const left = cases - gained;
    const before = known.get(gained - 1);
    let mostPass = before?.mostPass ?? Math.floor(gained + margin * cases);
    while (mostPass >= 0 && stateOf(gained, mostPass) !== "pass") mostPass -= 1;
    while (mostPass < left && stateOf(gained, mostPass + 1) === "pass") mostPass += 1;
    let leastRegression = Math.max(mostPass + 1, before?.leastRegression ?? Math.ceil(gained + margin * cases));
    while (leastRegression <= left && stateOf(gained, leastRegression) !== "regression") leastRegression += 1;
    const edges = { mostPass, leastRegression };
    known.set(gained, edges);
    return edges;
  };
}

/** As Tango's statistic is distributed where many cases differ. */
function normalPower(
  { cases, margin, turning: { gains, losses } }: { cases: number; margin: number; turning: Turning },
  { alpha, passAlpha }: Levels,
): GatePower {
  const difference = gains - losses;
  const deviation = Math.sqrt(Math.max(1e-12, gains + losses - difference ** 2));
  const rate = likelyRate({ bothPass: 1 - gains - losses, onlyA: losses, onlyB: gains, bothFail: 0 }, margin);
  const supposed = Math.sqrt(Math.max(1e-12, 2 * rate + margin * (1 - margin)));
  const distance = Math.sqrt(cases) * (difference + margin);
  return {
    pass: normalSurvival((-normalQuantile(passAlpha) * supposed - distance) / deviation),
    regression: normalSurvival((-normalQuantile(alpha) * supposed + distance) / deviation),
  };
}

/** The gate on a mean with this standard error, by Student's t. `beyond`: the true difference plus the margin. */
export function meanPower(
  { beyond, se, df }: { beyond: number; se: { pass: number; regression: number }; df: number },
  { alpha, passAlpha }: Levels,
): GatePower {
  const freedom = Math.max(1, df);
  return {
    pass: noncentralTSurvival(tQuantile(1 - passAlpha, freedom), freedom, beyond / se.pass),
    regression: noncentralTSurvival(tQuantile(1 - alpha, freedom), freedom, -beyond / se.regression),
  };
}

/** The gate on a median by the sign test, where such shares of the differences lie at or beyond the margin, and within it. */
export function medianPower(
  n: number,
  { atMost: down, atLeast: up }: { atMost: number; atLeast: number },
  { alpha, passAlpha }: Levels,
): GatePower {
  const rare = (level: number): number => {
    let count = -1;
    while (count < n && binomialCdf(count + 1, n, 0.5) <= level) count += 1;
    return count;
  };
  return { pass: atMost(rare(passAlpha), n, down), regression: atMost(rare(alpha), n, up) };
}

/** The fewest cases with which a gate on a pass rate passes when none got worse: (1 - margin)^n is at most alpha. */
export function fewestToPass(margin: number, passAlpha: number): number {
  if (margin <= 0) return Infinity;
  return Math.max(1, Math.ceil(Math.log(passAlpha) / Math.log1p(-Math.min(margin, 1 - 1e-12)) - 1e-9));
}
