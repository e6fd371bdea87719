/**
 * J. Neyman's allocation (1934; Cochran 1977, section 5.5): labels for each stratum in proportion to its size and to how much its
 * cases vary, at least `floor` and at most all of it, by largest remainders; ties in the order of the strata.
 */
export function allocateLabels(
  labels: number,
  strata: readonly { size: number; sd: number }[],
  floor: number,
): number[] {
  const least = strata.map(({ size }) => Math.min(floor, size));
  const given = least.slice();
  const fixed = new Set<number>();
  // Whoever would get less than the floor has it, whoever more than all has all; the rest is shared among the others.
  for (;;) {
    const open = strata.flatMap((_, at) => (fixed.has(at) ? [] : [at]));
    const taken = strata.reduce((total, _, at) => total + (fixed.has(at) ? (given[at] ?? 0) : 0), 0);
    const shares = sharesOf(labels - taken, open, strata);
    const under = open.filter((at) => (shares.get(at) ?? 0) < (least[at] ?? 0));
    const over = open.filter((at) => (shares.get(at) ?? 0) > (strata[at]?.size ?? 0));
    for (const at of over) given[at] = strata[at]?.size ?? 0;
    for (const at of under) given[at] = least[at] ?? 0;
    for (const at of [...over, ...under]) fixed.add(at);
    if (over.length + under.length > 0) continue;
    rounded(given, shares, Math.max(0, labels - taken));
    return given;
  }
}

/** Labels of each open stratum in proportion, not rounded. */
function sharesOf(
  labels: number,
  open: readonly number[],
  strata: readonly { size: number; sd: number }[],
): Map<number, number> {
  const weights = open.map((at) => (strata[at]?.size ?? 0) * (strata[at]?.sd ?? 0));
  const whole = weights.reduce((total, weight) => total + weight, 0);
  return new Map(
    open.map((at, place) => [at, whole === 0 ? 0 : (Math.max(0, labels) * (weights[place] ?? 0)) / whole]),
  );
}

/** Whole numbers of shares that add up to a sum: what is left goes to the largest remainders, the first of those that are equal. */
function rounded(into: number[], shares: ReadonlyMap<number, number>, whole: number): void {
  const parts = Array.from(shares, ([place, share]) => {
    const down = Math.floor(share + 1e-9);
    return { place, down, rest: share - down };
  });
  let left = whole - parts.reduce((total, { down }) => total + down, 0);
  for (const { place, down } of parts.toSorted((one, other) => other.rest - one.rest || one.place - other.place)) {
    into[place] = down + (left > 0 ? 1 : 0);
    left -= 1;
  }
}
