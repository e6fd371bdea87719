import { normalQuantile } from "../../../src/stats/distributions/normal.ts";
import type { Sureness } from "../../../src/stats/planning/detectable.ts";

/**
 * The smallest difference that McNemar's test of n cases finds when the sides differ on a share psi of them: Connor's
 * formula solved for d. Null when not even a change of all of them in one direction would be found.
 */
export function mcNemarDetectable({ n, psi }: { n: number; psi: number }, sureness: Sureness = {}): number | null {
  if (!(n > 0 && psi > 0)) return null;
  const { alpha = 0.05, power = 0.8, sides = 2 } = sureness;
  const [za, zb] = [-normalQuantile(alpha / sides), normalQuantile(power)];
  const root = Math.max(0, n * za * za * psi - (n + zb * zb) * psi * (za * za - zb * zb));
  const d = (za * Math.sqrt(n * psi) + Math.sqrt(root)) / (n + zb * zb);
  return d > psi ? null : d;
}
