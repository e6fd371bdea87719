import { binomialCdf, binomialPmf } from "../../../src/stats/distributions/binomial.ts";
import type { Discordance, Sureness } from "../../../src/stats/planning/power.ts";

/**
 * Power of the exact two-sided McNemar test of n cases, over all numbers of discordant cases that n may bring
 * (numbers whose chance is below 1e-18 left out).
 */
export function mcNemarExactPower(n: number, { pOnlyA, pOnlyB }: Discordance, { alpha = 0.05 }: Sureness = {}): number {
  const psi = pOnlyA + pOnlyB;
  if (psi <= 0) return 0;
  const share = pOnlyA / psi;
  let power = 0;
  let critical = -1;
  for (let m = 1; m <= n; m++) {
    // The critical count of m + 1 is that of m, or one more.
    while (critical + 1 <= m / 2 && 2 * binomialCdf(critical + 1, m, 0.5) <= alpha) critical += 1;
    const chance = psi === 1 ? Number(m === n) : binomialPmf(m, n, psi);
    if (chance < 1e-18 || critical < 0) continue;
    power += chance * (binomialCdf(critical, m, share) + binomialCdf(critical, m, 1 - share));
  }
  return Math.min(1, power);
}
