/** Values per block: a sum is the same bits whether its blocks are added by one thread or by several. */
const blockLength = 4096;

/** Sum with Neumaier's compensation (1974), in fixed blocks from the front. */
export function sum(values: ArrayLike<number>): number {
  return blockwise(values.length, (from, to) => compensated(from, to, (index) => values[index] ?? 0));
}

/** Sum of `term(0)` to `term(count - 1)`, in the same blocks. */
export function sumOf(count: number, term: (index: number) => number): number {
  return blockwise(count, (from, to) => compensated(from, to, term));
}

/** Largest absolute value; 0 of nothing, NaN or Infinity when one is in it. */
export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let index = 0; index < values.length; index++) most = Math.max(most, Math.abs(values[index] ?? 0));
  return most;
}

/**
 * A power of two to divide by, so that squares and cubes neither overflow nor vanish; 1 for values of usual size,
 * whose bits it would not change anyway.
 */
export function scaleOf(most: number): number {
  if (most === 0 || (most > 1e-60 && most < 1e60)) return 1;
  return 2 ** Math.min(1023, Math.max(-1000, Math.floor(Math.log2(most))));
}

/** The nearest finite number: what overflowed is said as the largest there is. */
export function finite(value: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value));
}

/** A running sum with the same compensation. */
export function runningSum() {
  let [total, lost] = [0, 0];
  return {
    add(value: number): void {
      const next = total + value;
      lost += lostIn(total, value, next);
      total = next;
    },
    value: (): number => total + lost,
  };
}

/** The part of a step that is lost to rounding (Neumaier). */
export const lostIn = (total: number, value: number, next: number): number =>
  Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;

function blockwise(count: number, block: (from: number, to: number) => number): number {
  if (count <= blockLength) return block(0, count);
  const totals: number[] = [];
  for (let from = 0; from < count; from += blockLength) totals.push(block(from, Math.min(count, from + blockLength)));
  return sum(totals);
}

function compensated(from: number, to: number, term: (index: number) => number): number {
  let total = 0;
  let lost = 0;
  for (let index = from; index < to; index++) {
    const value = term(index);
    const next = total + value;
    lost += lostIn(total, value, next);
    total = next;
  }
  return total + lost;
}
