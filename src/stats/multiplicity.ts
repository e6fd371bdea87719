/** Null, or NaN: missing. */
export type P = number | null;

/** S. Holm (1979): p values adjusted so that the chance of one false claim in the family stays at its level. Missing ones leave the family. */
export function holm(ps: readonly P[]): P[] {
  return stepping(ps, { upwards: false, factor: (rank, m) => m - rank });
}

/** Y. Benjamini and Y. Hochberg (1995): adjusted so that the share of false claims among the claims stays at its level. */
export function benjaminiHochberg(ps: readonly P[]): P[] {
  return stepping(ps, { upwards: true, factor: (rank, m) => m / (rank + 1) });
}

export function isKnown(p: P): p is number {
  return p !== null && !Number.isNaN(p);
}

interface Step {
  /** True: from the largest p down; false: from the smallest up. */
  upwards: boolean;
  /** Factor of the p of this rank, from 0 for the smallest of m. */
  factor: (rank: number, m: number) => number;
}

export function stepping(ps: readonly P[], { upwards, factor }: Step): P[] {
  const order = ps.flatMap((p, index) => (isKnown(p) ? [{ p, index }] : [])).toSorted((one, other) => one.p - other.p);
  const adjusted: P[] = ps.map(() => null);
  let running = upwards ? 1 : 0;
  for (let turn = 0; turn < order.length; turn++) {
    const rank = upwards ? order.length - 1 - turn : turn;
    const entry = order[rank];
    if (entry === undefined) continue;
    const value = entry.p * factor(rank, order.length);
    running = upwards ? Math.min(running, value) : Math.max(running, Math.min(1, value));
    adjusted[entry.index] = running;
  }
  return adjusted;
}
