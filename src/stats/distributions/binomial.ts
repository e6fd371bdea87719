import { binomialTerm } from "./saddle-point.ts";

/** The chance of a success with its complement, each with all its digits. */
interface Chance {
  p: number;
  /** 1 - p. */
  q: number;
}

/** P(X = k) of n trials with chance p. */
export function binomialPmf(k: number, n: number, p: number): number {
  return k < 0 || k > n || !Number.isInteger(k) ? 0 : binomialTerm(k, n, { p, q: 1 - p });
}

/** P(X <= k): the terms of the shorter tail, added from the largest down, so that a p of 1e-200 keeps its digits. */
export function binomialCdf(k: number, n: number, p: number): number {
  return atMost(Math.floor(k), n, { p, q: 1 - p });
}

/** P(X >= k). */
export function binomialAtLeast(k: number, n: number, p: number): number {
  return atMost(n - Math.ceil(k), n, { p: 1 - p, q: p });
}

function atMost(k: number, n: number, { p, q }: Chance): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return k <= n * p ? lowerTail(k, n, { p, q }) : 1 - lowerTail(n - k - 1, n, { p: q, q: p });
}

/** P(X <= k) for k at or below the mean: each term is the one before times k q / ((n - k + 1) p). */
function lowerTail(k: number, n: number, { p, q }: Chance): number {
  if (k < 0) return 0;
  const odds = q / p;
  let term = 1;
  let total = 0;
  for (let at = k; at >= 0 && term > total * 1e-17; at--) {
    total += term;
    term *= (at * odds) / (n - at + 1);
  }
  return Math.min(1, total * binomialTerm(k, n, { p, q }));
}
