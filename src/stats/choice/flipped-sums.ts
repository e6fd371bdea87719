import type { RandomStream } from "../../lib/random.ts";

/** A run of patterns of signs, with the sums of each configuration under each of them. */
interface Block {
  /** Number of its first pattern. */
  from: number;
  count: number;
  /** Sums of the clusters of each configuration, each with its sign: one row a pattern. */
  sums: Float64Array;
  /** The same, each times the size of its cluster. */
  sized: Float64Array;
  /** The difference of the signs of the two pseudo clusters: -2, 0 or 2. */
  pseudo: Int8Array;
}

/** The sums of many configurations under flips of the signs of whole clusters, the same for all of them. */
export interface FlippedSums {
  count: number;
  /** All patterns, not some that were drawn. */
  exact: boolean;
  each: (visit: (block: Block) => void) => void;
}

interface Sums {
  sums: readonly Float64Array[];
  sizes: Float64Array;
}

/** Patterns up to which all are counted, unless there are so many pairs that it would take long. */
const exactPatterns = 2 ** 20;
const exactPairs = 2 ** 29;
const draws = 9_999;
const blockSize = 4_096;

/** All 2^(C+2) patterns of C clusters and two pseudo clusters where these are at most 2^20, else 9,999 seeded draws. */
export function flippedSums({ sums, sizes }: Sums, random: RandomStream): FlippedSums {
  const patterns = 2 ** (sizes.length + 2);
  const isExact = patterns <= exactPatterns && patterns * sums.length ** 2 <= exactPairs;
  // Clusters in which all are alike move no difference.
  const rows = Array.from(sizes, (size, cluster) => ({
    size,
    values: sums.map((own) => (own[cluster] ?? 0) - (sums[0]?.[cluster] ?? 0)),
  }));
  const kept = isExact ? rows : rows.filter(({ values }) => values.some((value) => value !== 0));
  const table = { configurations: sums.length, rows: kept };
  return isExact ? allPatterns(table, patterns) : drawnPatterns(table, random);
}

interface Table {
  configurations: number;
  rows: readonly { size: number; values: readonly number[] }[];
}

function flat({ configurations, rows }: Table): { values: Float64Array; sizes: Float64Array } {
  const values = new Float64Array(rows.length * configurations);
  for (const [at, row] of rows.entries()) values.set(row.values, at * configurations);
  return { values, sizes: Float64Array.from(rows, ({ size }) => size) };
}

/** Each pattern differs from the one before it in one sign (Gray 1953); the first of a block is added up anew, against rounding. */
function allPatterns(table: Table, count: number): FlippedSums {
  const { configurations, rows } = table;
  const { values, sizes } = flat(table);
  const clusters = rows.length;
  return {
    count,
    exact: true,
    each(visit) {
      const size = Math.min(blockSize, count);
      const block = {
        sums: new Float64Array(size * configurations),
        sized: new Float64Array(size * configurations),
        pseudo: new Int8Array(size),
      };
      for (let from = 0; from < count; from += size) {
        for (let pattern = 0; pattern < size; pattern++) {
          const at = pattern * configurations;
          const gray = (from + pattern) ^ ((from + pattern) >> 1);
          block.pseudo[pattern] = signOf(gray, clusters) - signOf(gray, clusters + 1);
          if (pattern === 0) {
            block.sums.fill(0, 0, configurations);
            block.sized.fill(0, 0, configurations);
            for (let cluster = 0; cluster < clusters; cluster++) add(cluster, signOf(gray, cluster), at);
            continue;
          }
          block.sums.copyWithin(at, at - configurations, at);
          block.sized.copyWithin(at, at - configurations, at);
          const changed = 31 - Math.clz32((from + pattern) & -(from + pattern));
          if (changed < clusters) add(changed, 2 * signOf(gray, changed), at);
        }
        visit({ ...block, from, count: size });
      }
      function add(cluster: number, factor: number, at: number): void {
        const signed = factor * (sizes[cluster] ?? 0);
        for (let place = 0; place < configurations; place++) {
          const value = values[cluster * configurations + place] ?? 0;
          block.sums[at + place] = (block.sums[at + place] ?? 0) + factor * value;
          block.sized[at + place] = (block.sized[at + place] ?? 0) + signed * value;
        }
      }
    },
  };
}

const signOf = (bits: number, place: number): number => (((bits >> place) & 1) === 1 ? -1 : 1);

function drawnPatterns(table: Table, random: RandomStream): FlippedSums {
  const { configurations } = table;
  const { values, sizes } = flat(table);
  const isSized = sizes.some((size) => size !== 1);
  const sums = new Float64Array(draws * configurations);
  const sized = isSized ? new Float64Array(draws * configurations) : sums;
  const pseudo = new Int8Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    const at = draw * configurations;
    pseudo[draw] = signOf(random.bits(), 0) - signOf(random.bits(), 0);
    let bits = 0;
    for (let cluster = 0; cluster < sizes.length; cluster++) {
      bits = (cluster & 31) === 0 ? random.bits() : bits >>> 1;
      const sign = signOf(bits, 0);
      const signed = sign * (sizes[cluster] ?? 0);
      const from = cluster * configurations;
      for (let place = 0; place < configurations; place++) {
        const value = values[from + place] ?? 0;
        sums[at + place] = (sums[at + place] ?? 0) + sign * value;
        if (isSized) sized[at + place] = (sized[at + place] ?? 0) + signed * value;
      }
    }
  }
  return { count: draws, exact: false, each: (visit) => visit({ from: 0, count: draws, sums, sized, pseudo }) };
}
