/** Type 7 of R. Hyndman and Y. Fan (1996), linear between the order statistics; of values sorted ascending. Null of nothing, and where it is not finite. */
export function quantile(sorted: ArrayLike<number>, p: number): number | null {
  const { length } = sorted;
  if (length === 0) return null;
  const at = (length - 1) * Math.min(1, Math.max(0, p));
  const below = Math.floor(at);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(length - 1, below + 1)] ?? low;
  const share = at - below;
  // Not low + share * (high - low), which overflows for opposite ends of the number range.
  const found = low === high ? low : low * (1 - share) + high * share;
  return Number.isFinite(found) ? found : null;
}
