import { binomialAtLeast, binomialCdf, binomialPmf } from "../distributions/binomial.ts";
import { noncentralTSurvival } from "../distributions/noncentral-t.ts";
import { normalQuantile, normalSurvival } from "../distributions/normal.ts";
import { tQuantile } from "../distributions/student-t.ts";
import { exactScore, likelyRate, scoreStatistic } from "../paired/exact-score.ts";
import { mcNemar } from "../paired/mcnemar.ts";

/** Levels at which a gate decides: of a regression, over all gates, and of a pass. */
export interface Levels {
  alpha: number;
  passAlpha: number;
}

/** One of the two things that a gate can say of a difference. */
export type GateClaim = "pass" | "regression";

/** Shares of the cases that only the candidate passes, and only the baseline. */
export interface Turning {
  gains: number;
  losses: number;
}

/** Sizes up to which every outcome of passes and fails is gone through; beyond, the normal distribution is as good. */
const mostCounted = 250;

/** A claim by a gate on passes and fails of one run each side. */
interface CountedClaim {
  claim: GateClaim;
  cases: number;
  margin: number;
}

/** The chance of the claim, by the gate's own rule. */
export function countsPower(asked: CountedClaim, levels: Levels): (turning: Turning) => number {
  const { claim, cases } = asked;
  if (cases > mostCounted) return (turning) => normalPower(asked, turning, levels);
  const edge = claim === "pass" ? mostLosses(asked, levels) : fewestLosses(asked, levels);
  const chanceOf = claim === "pass" ? atMost : atLeast;
  return (turning) =>
    numbersOfGains(cases, turning).reduce(
      (power, { gained, chance, left, ofRest }) => power + chance * chanceOf(edge(gained), left, ofRest),
      0,
    );
}

/**
 * The chance that passes and fails of one run each side show that the candidate is worse, without any gate: by McNemar's
 * two-sided mid-p, which stands beside a metric.
 */
export function shownPower(cases: number, alpha: number): (turning: Turning) => number {
  if (cases > mostCounted) {
    const levels = { alpha: alpha / 2, passAlpha: alpha / 2 };
    return (turning) => normalPower({ claim: "regression", cases, margin: 0 }, turning, levels);
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

/** The most losses beside so many gains with which the gate passes, -1 where not even none do. */
function mostLosses(asked: CountedClaim, levels: Levels): (gained: number) => number {
  const { cases, margin } = asked;
  return nearTheLast((gained, before) => {
    let lost = before ?? Math.floor(gained + margin * cases);
    while (lost >= 0 && !isClaimed(asked, levels, { gained, lost })) lost -= 1;
    while (lost < cases - gained && isClaimed(asked, levels, { gained, lost: lost + 1 })) lost += 1;
    return lost;
  });
}

/** The fewest losses beside so many gains that the gate calls a regression, one more than there can be where none are. */
function fewestLosses(asked: CountedClaim, levels: Levels): (gained: number) => number {
  const { cases, margin } = asked;
  return nearTheLast((gained, before) => {
    let lost = before ?? Math.ceil(gained + margin * cases);
    while (lost <= cases - gained && !isClaimed(asked, levels, { gained, lost })) lost += 1;
    return lost;
  });
}

/** An edge for each number of gains, looked for once, from that of one gain less: further gains let more be lost. */
function nearTheLast(look: (gained: number, before: number | undefined) => number): (gained: number) => number {
  const known = new Map<number, number>();
  return (gained) => {
    const edge = known.get(gained) ?? look(gained, known.get(gained - 1));
    known.set(gained, edge);
    return edge;
  };
}

function isClaimed(
  { claim, cases, margin }: CountedClaim,
  { alpha, passAlpha }: Levels,
  { gained, lost }: { gained: number; lost: number },
): boolean {
  const counts = { bothPass: cases - gained - lost, onlyA: gained, onlyB: lost, bothFail: 0 };
  const z = scoreStatistic(counts, -margin);
  // To count outcomes takes longer, and only takes claims away.
  if (normalSurvival(claim === "pass" ? z : -z) > (claim === "pass" ? passAlpha : alpha)) return false;
  const { less, greater } = exactScore(counts).p(-margin);
  return claim === "pass" ? greater <= passAlpha : less <= alpha;
}

/** As Tango's statistic is distributed where many cases differ. */
function normalPower(
  { claim, cases, margin }: CountedClaim,
  { gains, losses }: Turning,
  { alpha, passAlpha }: Levels,
): number {
  const difference = gains - losses;
  const deviation = Math.sqrt(Math.max(1e-12, gains + losses - difference ** 2));
  const rate = likelyRate({ bothPass: 1 - gains - losses, onlyA: losses, onlyB: gains, bothFail: 0 }, margin);
  const supposed = Math.sqrt(Math.max(1e-12, 2 * rate + margin * (1 - margin)));
  const distance = Math.sqrt(cases) * (difference + margin);
  return claim === "pass"
    ? normalSurvival((-normalQuantile(passAlpha) * supposed - distance) / deviation)
    : normalSurvival((-normalQuantile(alpha) * supposed + distance) / deviation);
}

/** The chance of the claim by a gate on a mean with this standard error, by Student's t. `beyond`: the true difference plus the margin. */
export function meanPower(
  claim: GateClaim,
  { beyond, se, df }: { beyond: number; se: Record<GateClaim, number>; df: number },
  { alpha, passAlpha }: Levels,
): number {
  const freedom = Math.max(1, df);
  return claim === "pass"
    ? noncentralTSurvival(tQuantile(1 - passAlpha, freedom), freedom, beyond / se.pass)
    : noncentralTSurvival(tQuantile(1 - alpha, freedom), freedom, -beyond / se.regression);
}

/** Shares of the differences that lie at or beyond the margin, and within it. */
interface Shares {
  atMost: number;
  atLeast: number;
}

/** The chance of the claim by a gate on a median of n clusters, by the sign test. */
export function medianPower(claim: GateClaim, { n, shares }: { n: number; shares: Shares }, levels: Levels): number {
  const level = claim === "pass" ? levels.passAlpha : levels.alpha;
  let rare = -1;
  while (rare < n && binomialCdf(rare + 1, n, 0.5) <= level) rare += 1;
  return atMost(rare, n, claim === "pass" ? shares.atMost : shares.atLeast);
}

/**
 * The fewest cases with which a gate on a pass rate passes when none got worse: (1 - margin)^n is at most alpha, and the score
 * bound z^2 / (n + z^2) at most the margin, which asks for more where alpha is small (103 instead of 90 at 1 %).
 */
export function fewestToPass(margin: number, passAlpha: number): number {
  if (margin <= 0) return Infinity;
  const share = Math.min(margin, 1 - 1e-12);
  const z = Math.max(0, normalQuantile(1 - passAlpha));
  const [counted, bound] = [Math.log(passAlpha) / Math.log1p(-share), (z * z * (1 - share)) / share];
  return Math.max(1, Math.ceil(Math.max(counted, bound) - 1e-9));
}
