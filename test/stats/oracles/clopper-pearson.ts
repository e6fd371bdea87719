import { betaQuantile } from "./beta-quantile.ts";
import type { Interval } from "../../../src/stats/interval.ts";

/** The exact interval of C. Clopper and E. Pearson (1934): never less than its level, usually more. Null for n = 0. */
export function clopperPearsonInterval(x: number, n: number, level: number): Interval | null {
  if (n === 0) return null;
  const tail = (1 - level) / 2;
  return {
    low: x === 0 ? 0 : betaQuantile(tail, x, n - x + 1),
    high: x === n ? 1 : 1 - betaQuantile(tail, n - x, x + 1),
  };
}
