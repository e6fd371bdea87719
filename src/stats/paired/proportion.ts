import type { Interval } from "../interval.ts";
import { twoSidedZ } from "../distributions/normal.ts";

/** Interval of one rate, `found` of n: E. B. Wilson's score interval (1927). Null for n = 0. */
export function wilsonInterval(found: number, n: number, level: number): Interval | null {
  if (!(n > 0) || Number.isNaN(found)) return null;
  // A sum of shares may be beyond its end by a rounding.
  const x = Math.min(n, Math.max(0, found));
  const z = twoSidedZ(level);
  const centre = x + (z * z) / 2;
  const half = z * Math.sqrt((x / n) * (n - x) + (z * z) / 4);
  const over = n + z * z;
  // The formula is exact at the ends on paper only.
  return {
    low: x === 0 ? 0 : Math.max(0, (centre - half) / over),
    high: x === n ? 1 : Math.min(1, (centre + half) / over),
  };
}
