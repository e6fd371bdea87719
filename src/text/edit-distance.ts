/** Unit of a text that edits are counted in. */
export type EditUnit = "graphemes" | "code-points" | "words";

/**
 * Levenshtein's distance of two lists: the fewest insertions, deletions and substitutions that turn one into the other.
 * Bit-parallel (Myers 1999, in blocks by Hyyrö 2003): 32 cells at once.
 */
export function editDistance(a: readonly string[], b: readonly string[]): number {
  const [pattern, text] = trimmed(a, b);
  if (pattern.length === 0) return text.length;
  const { masks, symbols, blocks } = masksOf(pattern);
  const plus = new Int32Array(blocks).fill(-1);
  const minus = new Int32Array(blocks);
  const lastBit = 1 << ((pattern.length - 1) & 31);
  let distance = pattern.length;
  for (const symbol of text) {
    const at = symbols.get(symbol);
    // The row above the first one grows by one with every column.
    let carried = 1;
    for (let block = 0; block < blocks; block++) {
      const up = plus[block] ?? 0;
      const down = minus[block] ?? 0;
      const equal = (at === undefined ? 0 : (masks[at * blocks + block] ?? 0)) | (carried < 0 ? 1 : 0);
      const vertical = (at === undefined ? 0 : (masks[at * blocks + block] ?? 0)) | down;
      const horizontal = (((equal & up) + up) ^ up) | equal;
      let higher = down | ~(horizontal | up);
      let lower = up & horizontal;
      const edge = block === blocks - 1 ? lastBit : 1 << 31;
      const next = (higher & edge) !== 0 ? 1 : (lower & edge) !== 0 ? -1 : 0;
      higher = (higher << 1) | (carried > 0 ? 1 : 0);
      lower = (lower << 1) | (carried < 0 ? 1 : 0);
      plus[block] = lower | ~(vertical | higher);
      minus[block] = higher & vertical;
      carried = next;
    }
    distance += carried;
  }
  return distance;
}

/** The length of the longest common subsequence of two lists; bit-parallel (Crochemore et al. 2001). */
export function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const { masks, symbols, blocks } = masksOf(a);
  const rows = new Uint32Array(blocks).fill(0xffffffff);
  for (const symbol of b) {
    const at = symbols.get(symbol);
    if (at === undefined) continue;
    let carry = 0;
    for (let block = 0; block < blocks; block++) {
      const row = rows[block] ?? 0;
      const matched = (row & (masks[at * blocks + block] ?? 0)) >>> 0;
      const sum = row + matched + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[block] = (sum | (row & ~matched)) >>> 0;
    }
  }
  let common = 0;
  for (let i = 0; i < a.length; i++) if ((((rows[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 0) common++;
  return common;
}

/**
 * Leaves out the parts that both begin and end with: they cost no edit, and most answers share much. The shorter one
 * comes first.
 */
function trimmed(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const inner = [a.slice(start, a.length - end), b.slice(start, b.length - end)] as const;
  return inner[0].length <= inner[1].length ? [inner[0], inner[1]] : [inner[1], inner[0]];
}

/** Bit masks of a list: for every symbol a bit for each place at which it stands. */
function masksOf(list: readonly string[]): { masks: Int32Array; symbols: Map<string, number>; blocks: number } {
  const symbols = new Map<string, number>();
  for (const symbol of list) if (!symbols.has(symbol)) symbols.set(symbol, symbols.size);
  const blocks = Math.ceil(list.length / 32);
  const masks = new Int32Array(symbols.size * blocks);
  for (const [i, symbol] of list.entries()) {
    const at = (symbols.get(symbol) ?? 0) * blocks + (i >>> 5);
    masks[at] = (masks[at] ?? 0) | (1 << (i & 31));
  }
  return { masks, symbols, blocks };
}
