import { binomialTerm } from "./saddle-point.ts";

/** P(X = k) of n trials with chance p. */
export function binomialPmf(k: number, n: number, p: number): number {
  return k < 0 || k > n || !Number.isInteger(k) ? 0 : binomialTerm(k, n, { p, q: 1 - p });
}

/** P(X <= k): the terms of the shorter tail, added from the largest down, so that a p of 1e-200 keeps its digits. */
export function binomialCdf(k: number, n: number, p: number): number {
  const whole = Math.floor(k);
  if (whole < 0) return 0;
  if (whole >= n) return 1;
  return whole <= n * p ? lowerTail(whole, n, p) : 1 - lowerTail(n - whole - 1, n, 1 - p);
}

/** P(X >= k). */
export function binomialAtLeast(k: number, n: number, p: number): number {
  return binomialCdf(n - Math.ceil(k), n, 1 - p);
}

/** P(X <= k) for k at or below the mean: each term is the one before times k q / ((n - k + 1) p). */
function lowerTail(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  const odds = (1 - p) / p;
  let term = 1;
  let total = 0;
  for (let at = k; at >= 0 && term > total * 1e-17; at--) {
    total += term;
    term *= (at * odds) / (n - at + 1);
  }
  return Math.min(1, total * binomialPmf(k, n, p));
}
