/** Runs of one side that take part: of six and six there are 924 labellings. */
export const mostRuns = 6;

/**
 * Excess of the distance between the candidate's answers and the baseline's over those of one side among themselves,
 * under each labelling: an energy distance (G. Szekely and M. Rizzo 2013) of one case. `distance` is between two of the
 * answers, counted through with the baseline's first. If a side has one run only the other's own distances are known;
 * empty when both have one: there is no noise to go by.
 */
export function energyDistances(
  runs: { baseline: number; candidate: number },
  distance: (one: number, other: number) => number,
): Float64Array {
  const [ofB, ofA] = [Math.min(mostRuns, runs.baseline), Math.min(mostRuns, runs.candidate)];
  if (ofA < 1 || ofB < 1 || ofA + ofB < 3) return new Float64Array(0);
  const all = ofA + ofB;
  // The runs beyond the sixth are left out, on both sides.
  const number = (answer: number): number => (answer < ofB ? answer : runs.baseline + answer - ofB);
  const between = new Float64Array(all * all);
  for (let one = 0; one < all; one++) {
    for (let other = one + 1; other < all; other++) {
      const apart = distance(number(one), number(other));
      between[one * all + other] = apart;
      between[other * all + one] = apart;
    }
  }
  return Float64Array.from(subsetsOf(all, ofB), (chosen) => energy(between, all, chosen));
}

function energy(between: Float64Array, all: number, chosen: readonly number[]): number {
  const inside = new Uint8Array(all);
  for (const answer of chosen) inside[answer] = 1;
  const parts = { baseline: { total: 0, pairs: 0 }, candidate: { total: 0, pairs: 0 }, across: { total: 0, pairs: 0 } };
  for (let one = 0; one < all; one++) {
    for (let other = one + 1; other < all; other++) {
      const same = inside[one] === inside[other];
      const part = same ? (inside[one] === 1 ? parts.baseline : parts.candidate) : parts.across;
      part.total += between[one * all + other] ?? 0;
      part.pairs += 1;
    }
  }
  const own = [parts.baseline, parts.candidate]
    .filter(({ pairs }) => pairs > 0)
    .map(({ total, pairs }) => total / pairs);
  return parts.across.total / parts.across.pairs - own.reduce((total, mean) => total + mean, 0) / own.length;
}

const known = new Map<number, number[][]>();

/** All ways to choose `size` of the numbers below `count`, in lexicographic order: the first is 0, 1, 2, ... */
export function subsetsOf(count: number, size: number): number[][] {
  const key = count * 64 + size;
  const found = known.get(key) ?? choose({ chosen: [], from: 0, count, size });
  known.set(key, found);
  return found;
}

interface Choice {
  chosen: number[];
  from: number;
  count: number;
  size: number;
}

function choose({ chosen, from, count, size }: Choice): number[][] {
  if (chosen.length === size) return [chosen];
  const found: number[][] = [];
  for (let next = from; next <= count - (size - chosen.length); next++) {
    found.push(...choose({ chosen: [...chosen, next], from: next + 1, count, size }));
  }
  return found;
}
