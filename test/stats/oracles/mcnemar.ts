import { normalSurvival } from "../../../src/stats/distributions/normal.ts";
import { mcNemar, type PairedCounts } from "../../../src/stats/paired/mcnemar.ts";

/** McNemar's test with the statistic and the asymptotic p values that reference values have beside the exact ones. */
export function mcNemarReference({ onlyA, onlyB }: PairedCounts) {
  const [m, gap] = [onlyA + onlyB, Math.abs(onlyA - onlyB)];
  const p = (distance: number): number => (m === 0 ? 1 : Math.min(1, 2 * normalSurvival(distance / Math.sqrt(m))));
  const { exact, midP } = mcNemar({ onlyA, onlyB });
  const chi2 = m === 0 ? null : (gap * gap) / m;
  return { discordant: m, exact, midp: midP, chi2, asymptotic: p(gap), asymptoticCC: p(Math.max(0, gap - 1)) };
}
