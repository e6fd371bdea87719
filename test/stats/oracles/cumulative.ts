import { betaTails } from "../../../src/stats/distributions/beta.ts";
import { tSurvival } from "../../../src/stats/distributions/student-t.ts";

/** The regularised incomplete beta function I_x(a, b), for a, b > 0: P(X <= x) of the beta distribution. */
export function betaCdf(x: number, a: number, b: number): number {
  return betaTails({ x, y: 1 - x }, a, b).lower;
}

/** P(T <= t) of Student's t with df > 0 degrees of freedom. */
export function tCdf(t: number, df: number): number {
  return t > 0 ? 1 - tSurvival(t, df) : tSurvival(-t, df);
}
