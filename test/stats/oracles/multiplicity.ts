import type { P } from "../../../src/stats/multiplicity.ts";
import { isKnown, stepping } from "../../../src/stats/multiplicity.ts";

/** Y. Benjamini and D. Yekutieli (2001): the same share under any dependence. */
export function benjaminiYekutieli(ps: readonly P[]): P[] {
  return stepping(ps, { upwards: true, factor: (rank, m) => (harmonic(m) * m) / (rank + 1) });
}

/** Y. Hochberg (1988): Holm's factors from the largest p down; for independent tests. */
export function hochberg(ps: readonly P[]): P[] {
  return stepping(ps, { upwards: true, factor: (rank, m) => m - rank });
}

/** Each p times the size of the family. */
export function bonferroni(ps: readonly P[]): P[] {
  const m = ps.filter(isKnown).length;
  return ps.map((p) => (isKnown(p) ? Math.min(1, p * m) : null));
}

/** 1 + 1/2 + ... + 1/m, from the smallest term. */
function harmonic(m: number): number {
  let total = 0;
  for (let rank = m; rank >= 1; rank--) total += 1 / rank;
  return total;
}
