/** The first `size` of all entries added, by an order; entries that are equal in it stay in the order of adding. */
export interface Ranking<Entry> {
  /** True when an entry would be kept: ask before making a costly one. */
  admits: (rank: readonly number[]) => boolean;
  add: (rank: readonly number[], entry: Entry) => void;
  entries: () => Entry[];
}

/** Ranks by lists of numbers, the greater the earlier, the first number first. Never holds more than `size` entries. */
export function ranking<Entry>(size: number): Ranking<Entry> {
  const kept: Array<{ rank: readonly number[]; entry: Entry }> = [];
  const admits = (rank: readonly number[]): boolean => {
    const last = kept.at(-1);
    return kept.length < size || (last !== undefined && order(rank, last.rank) > 0);
  };
  return {
    admits,
    add(rank, entry) {
      if (!admits(rank)) return;
      const behind = kept.findIndex((other) => order(rank, other.rank) > 0);
      kept.splice(behind === -1 ? kept.length : behind, 0, { rank, entry });
      if (kept.length > size) kept.pop();
    },
    entries: () => kept.map(({ entry }) => entry),
  };
}

function order(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const step = value - (b[index] ?? 0);
    if (step !== 0) return step;
  }
  return 0;
}
