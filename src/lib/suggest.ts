/**
 * The candidate that was most likely meant by a mistyped name, or null when none is near:
 * the smallest Damerau-Levenshtein distance (adjacent swaps count one), ignoring case, at most a third of the name's length;
 * else the only candidate that continues the name.
 */
export function suggest(name: string, candidates: Iterable<string>): string | null {
  const wanted = Array.from(name.slice(0, longest).toLowerCase());
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = Array.from(candidate.slice(0, longest).toLowerCase());
    if (Math.abs(other.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? continuation(name.toLowerCase(), candidates);
}

/** The one candidate that begins with the name, or that the name begins with. */
function continuation(name: string, candidates: Iterable<string>): string | null {
  const found = Array.from(candidates).filter((candidate) => {
    const other = candidate.toLowerCase();
    return Math.min(name.length, other.length) >= 3 && (other.startsWith(name) || name.startsWith(other));
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `Did you mean "X"?`, or null when nothing is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | null {
  const best = suggest(name, candidates);
  return best === null ? null : `Did you mean "${best}"?`;
}

/** Names beyond this length are compared by their beginning. */
const longest = 100;

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: readonly string[], b: readonly string[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(substituted, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
