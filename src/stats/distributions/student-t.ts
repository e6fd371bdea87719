import { betaTails } from "./beta.ts";
import { normalQuantile, normalSurvival } from "./normal.ts";

/**
 * Degrees of freedom from which on Hill's expansion is exact to the last digits, and the incomplete beta function
 * begins to lose some.
 */
const manyDegrees = 10_000;
/**
 * Degrees of freedom from which on it is the normal distribution to the last digit, and Hill's terms would overflow.
 */
const endlessDegrees = 1e20;

/**
 * P(T > t), without the loss of 1 - cdf: by the incomplete beta function (Abramowitz and Stegun 26.7.1), for many
 * degrees of freedom by the normal distribution at G. W. Hill's transformed t (algorithm 395, 1970).
 */
export function tSurvival(t: number, df: number): number {
  if (t < 0) return 1 - tSurvival(-t, df);
  // The fewer degrees, the further out the distribution lies, as much on one side as on the other.
  if (df <= 0) return 0.5;
  if (df > endlessDegrees) return normalSurvival(t);
  if (df > manyDegrees) return normalSurvival(normalEquivalent(t, df));
  // This order of divisions overflows neither for a huge t nor for a huge df.
  const ratio = t / Math.sqrt(df);
  const y = ratio < 1 ? (ratio * ratio) / (1 + ratio * ratio) : 1 / (1 + 1 / ratio / ratio);
  const x = ratio < 1 ? 1 / (1 + ratio * ratio) : 1 / ratio / ratio / (1 + 1 / ratio / ratio);
  return betaTails({ x, y }, df / 2, 0.5).lower / 2;
}

/** The t with P(T <= t) = p. Finite for all p: 0 and 1 have the quantiles of the smallest tail that a number can tell. */
export function tQuantile(p: number, df: number): number {
  if (p === 0.5) return 0;
  const tail = Math.max(Number.MIN_VALUE, Math.min(p, 1 - p));
  return p < 0.5 ? -upperPoint(tail, df) : upperPoint(tail, df);
}

/** The t with P(T > t) = p, for p < 1/2: doubling from the normal's until it is enclosed, then bisection to the last digit. */
function upperPoint(p: number, df: number): number {
  let low = 0;
  let high = Math.max(1, -normalQuantile(p));
  while (tSurvival(high, df) > p && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (tSurvival(middle, df) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function normalEquivalent(t: number, df: number): number {
  const a = df - 0.5;
  const b = 48 * a * a;
  const y = a * Math.log1p(Math.min(Number.MAX_VALUE, (t / df) * t));
  const correction = (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b);
  return ((correction + y + 3) / b + 1) * Math.sqrt(y);
}
