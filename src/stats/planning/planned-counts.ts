import { rootOf } from "../distributions/root.ts";
import { countsPower, shownPower, type Turning } from "./gate-power.ts";

/** Power that is asked for wherever a smallest drop is named. */
export const wantedPower = 0.8;
/** Level at which a drop is shown at all, two-sided. */
export const shownAlpha = 0.05;

/** The loss that a gate accepts, and its alpha. */
export interface PlannedGate {
  margin: number;
  alpha: number;
}

/** Cases that turn out differently where the candidate is worse by so much. */
export type TurningAt = (drop: number) => Turning;

/** Where gains were measured they stay, and so many more cases are lost. */
export function beyondGains(gains: number): TurningAt {
  return (drop) => ({ gains: Math.min(gains, 1 - drop), losses: Math.min(1, gains + drop) });
}

/** Where a share of the cases is assumed to turn out differently, both ways but for the drop; a larger drop is all of them. */
export function amongDiffering(share: number): TurningAt {
  return (drop) => {
    const differ = Math.max(share, drop);
    return { gains: (differ - drop) / 2, losses: (differ + drop) / 2 };
  };
}

/**
 * The smallest true drop of single runs that is found with 80 % power: called a regression by the gate's own rule, or
 * without a gate shown at all by McNemar's two-sided mid-p. Null where no outcome of so many cases is one, or too rarely.
 */
export function countedDrop(cases: number, gate: PlannedGate | null, turning: TurningAt): number | null {
  const found = gate === null ? shownPower(cases, shownAlpha) : regressionPower(cases, gate);
  const lacking = (drop: number): number => found(turning(drop)) - wantedPower;
  return lacking(1) < 0 ? null : rootOf(lacking, { low: 0, high: 1 }, 1e-6);
}

/**
 * The largest true loss of single runs with which the gate passes in four of five, by its own rule. Null where it does so too rarely even
 * if nothing is lost.
 */
export function countedPass(
  cases: number,
  { margin, passAlpha }: { margin: number; passAlpha: number },
  turning: TurningAt,
): number | null {
  const found = countsPower({ claim: "pass", cases, margin }, { alpha: passAlpha, passAlpha });
  const lacking = (drop: number): number => wantedPower - found(turning(drop));
  if (lacking(0) > 0) return null;
  return lacking(margin) <= 0 ? margin : rootOf(lacking, { low: 0, high: margin }, 1e-6);
}

function regressionPower(cases: number, { margin, alpha }: PlannedGate): (turning: Turning) => number {
  return countsPower({ claim: "regression", cases, margin }, { alpha, passAlpha: alpha });
}

/**
 * The smallest drop of a mean of passes that Student's t finds, where a drop brings its own variation: max(psi, d) - d^2
 * of single runs. `errors` are the standard errors that it takes, `share` is the part of the variance that is left by
 * several runs, multiplied by clusters, for each case.
 */
export function meanDrop({
  margin,
  errors,
  psi,
  share,
}: {
  margin: number;
  errors: number;
  psi: number;
  share: number;
}): number | null {
  const beyond = (drop: number): number =>
    drop - margin - errors * Math.sqrt(Math.max(0, Math.max(psi, drop) - drop * drop) * share);
  return rootOf(beyond, { low: 0, high: 1 }, 1e-6);
}
