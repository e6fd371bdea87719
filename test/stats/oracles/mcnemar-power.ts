import { binomialCdf, binomialPmf } from "../../../src/stats/distributions/binomial.ts";
import { normalQuantile } from "../../../src/stats/distributions/normal.ts";
import type { Sureness } from "../../../src/stats/planning/detectable.ts";

/** Chances that only the candidate passes, or only the baseline. */
interface Discordance {
  pOnlyA: number;
  pOnlyB: number;
}

/** Cases for McNemar's test, R. Connor (1987): n = (z_{a/2} sqrt(psi) + z_b sqrt(psi - d^2))^2 / d^2. Null for no difference. */
export function mcNemarCases({ pOnlyA, pOnlyB }: Discordance, sureness: Sureness = {}): number | null {
  const { alpha = 0.05, power = 0.8, sides = 2 } = sureness;
  const psi = pOnlyA + pOnlyB;
  const d = Math.abs(pOnlyA - pOnlyB);
  const [za, zb] = [-normalQuantile(alpha / sides), normalQuantile(power)];
  const cases = (za * Math.sqrt(psi) + zb * Math.sqrt(psi - d * d)) ** 2 / d ** 2;
  return d === 0 || !Number.isFinite(cases) ? null : cases;
}

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
