/** Longest time for which home waits for all suites at first. */
const mostHeldMs = 3000;

/**
 * True while the first reading of the suites goes on and has not taken long: what is shown then would be pushed down by each
 * suite that is read. `isWhole`: they have all been read once.
 */
export function waitsForAll({ open, isWhole, sinceMs }: { open: number; isWhole: boolean; sinceMs: number }): boolean {
  return open > 0 && !isWhole && sinceMs < mostHeldMs;
}
