import { noncentralTSurvival } from "../../../src/stats/distributions/noncentral-t.ts";
import { rootOf } from "../../../src/stats/distributions/root.ts";
import { tQuantile } from "../../../src/stats/distributions/student-t.ts";
import type { Sureness } from "../../../src/stats/planning/detectable.ts";

/** Numbers of cases beyond this are not looked for. */
const mostCases = 1e12;

/** Power of the paired t test for a true difference, by the noncentral t; of a two-sided test the far tail is left out. */
export function pairedTPower(
  { n, delta, sd }: { n: number; delta: number; sd: number },
  { alpha = 0.05, sides = 2 }: Sureness = {},
): number | null {
  if (n < 2 || sd < 0) return null;
  if (sd === 0) return delta === 0 ? alpha / sides : 1;
  const critical = tQuantile(1 - alpha / sides, n - 1);
  return noncentralTSurvival(critical, n - 1, (Math.sqrt(n) * Math.abs(delta)) / sd);
}

/** Cases for which the paired t test has the power; not a whole number. Null for no difference or no variation. */
export function pairedTCases({ delta, sd }: { delta: number; sd: number }, sureness: Sureness = {}): number | null {
  if (delta === 0 || !(sd > 0)) return null;
  const { power = 0.8 } = sureness;
  const lacking = (n: number): number => (pairedTPower({ n, delta, sd }, sureness) ?? 0) - power;
  return lacking(2) >= 0 ? 2 : rootOf(lacking, { low: 2, high: mostCases });
}
