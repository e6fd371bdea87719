import type { RandomStream } from "../lib/random.ts";

/** Independent units above which they are thrown together into blocks. */
export const manyUnits = 20_000;
const blocks = 10_000;

/**
 * Columns of one number a unit, added up over 10,000 blocks of shuffled units. A block of independent units is as independent as they
 * are, and the mean of 10,000 of them is as normal.
 */
export function blocksOf(columns: readonly Float64Array[], random: RandomStream): Float64Array[] {
  const count = columns[0]?.length ?? 0;
  const order = shuffled(count, random);
  return columns.map((column) => {
    const totals = new Float64Array(blocks);
    for (let block = 0; block < blocks; block++) {
      const to = Math.floor(((block + 1) * count) / blocks);
      let total = 0;
      for (let index = Math.floor((block * count) / blocks); index < to; index++)
        total += column[order[index] ?? 0] ?? 0;
      totals[block] = total;
    }
    return totals;
  });
}

/** The numbers from 0 in a random order (Fisher and Yates). */
function shuffled(count: number, random: RandomStream): Uint32Array {
  const order = new Uint32Array(count);
  for (let index = 0; index < count; index++) order[index] = index;
  for (let index = count - 1; index > 0; index--) {
    const other = Math.floor(random.next() * (index + 1));
    const kept = order[index] ?? 0;
    order[index] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}
