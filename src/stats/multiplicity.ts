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

function isKnown(p: P): p is number {
  return p !== null && !Number.isNaN(p);
}

interface Step {
  /** True: from the largest p down; false: from the smallest up. */
  upwards: boolean;
  /** Factor of the p of this rank, from 0 for the smallest of m. */
  factor: (rank: number, m: number) => number;
}

function stepping(ps: readonly P[], { upwards, factor }: Step): P[] {
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

/** A p value of a family whose members do not count alike. */
export interface Weighed {
  /** Null: missing. */
  adjusted: P;
  /** Factor of its own p: the weight that was left when it was its turn, over its own. */
  factor: number;
}

/** Holm's procedure with weights (Holm 1979, section 4): the smallest p / weight first. With equal weights it is `holm`. */
export function weighedHolm(ps: readonly P[], weights: readonly number[]): Weighed[] {
  const weightOf = (index: number): number => weights[index] ?? 0;
  const order = ps
    .flatMap((p, index) => (isKnown(p) && weightOf(index) > 0 ? [{ p, index }] : []))
    .toSorted((one, other) => one.p / weightOf(one.index) - other.p / weightOf(other.index));
  let left = order.reduce((total, { index }) => total + weightOf(index), 0);
  const all = left;
  const found = ps.map((_, index): Weighed => {
    return { adjusted: null, factor: weightOf(index) > 0 ? Math.max(1, all / weightOf(index)) : 1 };
  });
  let running = 0;
  for (const { p, index } of order) {
    const factor = Math.max(1, left / weightOf(index));
    running = Math.max(running, Math.min(1, p * factor));
    found[index] = { adjusted: running, factor };
    left -= weightOf(index);
  }
  return found;
}
