/** Number of patterns of signs that give a sum as extreme as the observed one. */
export interface Flips {
  /** All there are, or the draws and the pattern that was seen. */
  patterns: number;
  /** Patterns whose sum of (d - shift) is at least, at most, or as far from 0 as the one seen. */
  counts: (shift: number) => { atLeast: number; atMost: number; asFar: number };
  /**
   * The k-th smallest (or largest) mean over a subset of the units, k from 1: the shift at which one more pattern
   * counts as extreme. The whole inversion of the test is in these.
   */
  subsetMean: (k: number, from: "smallest" | "largest") => number;
}
