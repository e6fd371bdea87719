import { randomStream, type RandomStream } from "../../lib/random.ts";
import { blocksOf, manyUnits } from "../blocks.ts";
import { largest, scaleOf, sum } from "../sum.ts";
import { type FlippedSums, flippedSums } from "./flipped-sums.ts";

/** Scores of many configurations over the same cases, added up by cluster. Positive is better. */
export interface ManySums {
  /** For each configuration the sum of each cluster. */
  sums: readonly Float64Array[];
  /** Cases of each cluster. */
  sizes: Float64Array;
  /** The most that a case can differ by, 1 for pass or fail; null: there is no end. */
  range: number | null;
}

/** Everything that is said at one level: the set of those that may be best, with intervals that hold for all at once. */
export interface BestLevel {
  /** For each configuration whether it may be best: the best one is left out with a chance of alpha at most. */
  members: boolean[];
  /** The one that is left, as a place; null: there are several. */
  only: number | null;
  /** Critical values; null: no pattern is rare enough. */
  critical: (number | null)[];
  /** Bounds of the mean of each less the best of the others, simultaneous at 1 - alpha; null: there is no end. */
  lower: (number | null)[];
  upper: (number | null)[];
  /** The least by which each is behind the best of the others; below 0 where it may be ahead, null where nothing can be said. */
  behind: (number | null)[];
}

export interface BestSet {
  /** Means of each. */
  rates: number[];
  /** Standard errors of the difference of each pair; 0 with itself. */
  errors: number[][];
  /** The largest t of another that is better; of H0: nobody is better. */
  largestT: number[];
  /** p of H0: nobody is better than this one. */
  p: number[];
  /** The set at a level, and the simultaneous intervals. */
  at: (alpha: number) => BestLevel;
  /** True where the first is better than the second, for all pairs at once at 1 - alpha. */
  isBetter: (alpha: number) => (one: number, other: number) => boolean;
}

/** Why there is no set: too few clusters for any claim, or differences without any variation on a scale without ends. */
type NoBestSet = "too few" | "no variation";

/** Ties of t count as hits. */
const tie = 1e-9;
const fewestClusters = 5;

/**
 * The configurations that may be the best of many: constrained multiple comparisons with the best (Gupta 1965; Hsu 1981 and
 * 1984; unequal variances: Edwards & Hsu 1983). The null "nobody is better than this one" is tested by the largest t of the
 * others against it, whose distribution is that of flipping the signs of whole clusters, the same for all configurations.
 * Bounded scores get two pseudo clusters a pair (after Bonett & Price 2012): one more cluster that is lost or won as a whole
 * must not change what is claimed. A set needs no correction for the number of configurations, because only the best of them
 * must not be left out. `alpha` is the smallest level that will be asked for.
 */
export function bestSet(given: ManySums, { seed, alpha }: { seed: string; alpha: number }): BestSet | NoBestSet {
  const clusters = given.sizes.length;
  if (given.sums.length < 2 || clusters < fewestClusters || 2 ** -(clusters + 2) > alpha) return "too few";
  const random = randomStream(seed);
  const scale = scaleOf(given.sums.reduce((most, own) => Math.max(most, largest(own)), 0));
  const scaled = { ...given, sums: given.sums.map((own) => own.map((value) => value / scale)) };
  const units = unitsOf(scaled, random);
  // A mean cluster that is won or lost as a whole, also where clusters were thrown together.
  const pseudo = given.range === null ? 0 : ((given.range / scale) * sum(given.sizes)) / clusters;
  const pairs = pairsOf(units, pseudo);
  if (pairs === null) return "no variation";
  const flipped = flippedSums(units, random);
  const { largest: hardest, most } = distributions(pairs, flipped);
  const extra = flipped.exact ? 0 : 1;
  const total = flipped.count + extra;
  const rates = units.sums.map((own) => (sum(own) / pairs.n) * scale);
  const criticalAt = (values: Float64Array, level: number): number | null =>
    criticalValue(values, Math.floor(level * total * (1 + 1e-12)) - extra);
  const p = hardest.map((values, place) => (extra + countAtLeast(values, pairs.largestT[place] ?? 0)) / total);
  return {
    rates,
    errors: pairs.errors.map((row) => row.map((error) => error * scale)),
    largestT: pairs.largestT,
    p,
    at(level) {
      const members = p.map((own) => own > level);
      const critical = hardest.map((values) => criticalAt(values, level));
      return levelOf({ members, critical, pairs, range: given.range, scale });
    },
    isBetter(level) {
      const critical = criticalAt(most, level) ?? Infinity;
      return (one, other) => (pairs.t[other]?.[one] ?? 0) > critical;
    },
  };
}

/** The clusters, or above 20,000 of them 10,000 blocks of shuffled ones. */
function unitsOf(given: ManySums, random: RandomStream): Pick<ManySums, "sums" | "sizes"> {
  if (given.sizes.length <= manyUnits) return given;
  const columns = blocksOf([...given.sums, given.sizes], random);
  return { sums: columns.slice(0, -1), sizes: columns.at(-1) ?? given.sizes };
}

/** All pairs: `of[i][j]` is of j less i, above 0 where j is better. */
interface Pairs {
  n: number;
  clusters: number;
  /** Sum of the squares of the sizes of clusters. */
  squaredSizes: number;
  /** Range of a case times the mean size of a cluster; 0: the scale has no ends. */
  pseudo: number;
  differences: number[][];
  /** Sums of squares of the differences of clusters, pseudo clusters included. */
  squares: number[][];
  errors: number[][];
  t: number[][];
  largestT: number[];
}

/** Null where two differ by the same in each cluster of a scale without ends. */
function pairsOf({ sums, sizes }: Pick<ManySums, "sums" | "sizes">, pseudo: number): Pairs | null {
  const clusters = sizes.length;
  const n = sum(sizes);
  const empty = (): number[][] => sums.map(() => sums.map(() => 0));
  const pairs = { differences: empty(), squares: empty(), errors: empty(), t: empty() };
  for (const [i, one] of sums.entries()) {
    for (const [j, other] of sums.entries()) {
      if (i === j) continue;
      const differences = one.map((value, cluster) => (other[cluster] ?? 0) - value);
      const d = sum(differences) / n;
      const residuals = differences.map((value, cluster) => value - (sizes[cluster] ?? 0) * d);
      const left = squaresOf(residuals) + 2 * pseudo ** 2;
      const squares = squaresOf(differences) + 2 * pseudo ** 2;
      const error = Math.sqrt((left * clusters) / (clusters - 1)) / n;
      if (left <= noise * squares && d !== 0) return null;
      put(pairs.differences, i, j, d);
      put(pairs.squares, i, j, squares);
      put(pairs.errors, i, j, error);
      put(pairs.t, i, j, error === 0 ? 0 : d / error);
    }
  }
  const largestT = pairs.t.map((row, place) => Math.max(...row.filter((_, other) => other !== place)));
  return { ...pairs, n, clusters, squaredSizes: squaresOf(sizes), pseudo, largestT };
}

/** Squares that rounding leaves of what is 0. */
const noise = 1e-14;

const squaresOf = (values: Float64Array): number => sum(values.map((value) => value ** 2));

function put(matrix: number[][], row: number, column: number, value: number): void {
  const own = matrix[row];
  if (own !== undefined) own[column] = value;
}

/** The largest t against each configuration, and the largest |t| of any pair, in each pattern of signs. */
function distributions(pairs: Pairs, flipped: FlippedSums): { largest: Float64Array[]; most: Float64Array } {
  const { n, clusters, squaredSizes, pseudo } = pairs;
  const configurations = pairs.t.length;
  const factor = Math.sqrt((clusters - 1) / clusters);
  const most = new Float64Array(flipped.count);
  const against = (place: number): Float64Array => {
    const found = new Float64Array(flipped.count);
    const squares = Float64Array.from(pairs.squares[place] ?? []);
    flipped.each((block) => {
      for (let pattern = 0; pattern < block.count; pattern++) {
        const from = pattern * configurations;
        const shift = pseudo * (block.pseudo[pattern] ?? 0);
        const [ownSum, ownSized] = [block.sums[from + place] ?? 0, block.sized[from + place] ?? 0];
        let best = -Infinity;
        let widest = most[block.from + pattern] ?? 0;
        for (let other = 0; other < configurations; other++) {
          if (other === place) continue;
          const total = (block.sums[from + other] ?? 0) - ownSum + shift;
          const d = total / n;
          const squared = squares[other] ?? 0;
          const left = squared - 2 * d * ((block.sized[from + other] ?? 0) - ownSized) + d * d * squaredSizes;
          const t =
            left > noise * squared
              ? (factor * total) / Math.sqrt(left)
              : total === 0
                ? 0
                : total > 0
                  ? Infinity
                  : -Infinity;
          if (t > best) best = t;
          const size = Math.abs(t);
          if (size > widest) widest = size;
        }
        found[block.from + pattern] = best;
        most[block.from + pattern] = widest;
      }
    });
    return found.toSorted();
  };
  const hardest = pairs.t.map((_, place) => against(place));
  return { largest: hardest, most: most.toSorted() };
}

/** Counts the sorted values that are at least so large, ties included. */
function countAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) >= value - tie) high = middle;
    else low = middle + 1;
  }
  return sorted.length - low;
}

/** The smallest of some sorted values that at most `allowed` of them reach, ties included; null: none is. */
function criticalValue(sorted: Float64Array, allowed: number): number | null {
  if (allowed < 1) return null;
  const beyond = sorted[sorted.length - 1 - allowed] ?? -Infinity;
  for (let at = sorted.length - allowed; at < sorted.length; at++) {
    const value = sorted[at] ?? 0;
    if (value - tie > beyond) return Number.isFinite(value) ? value : null;
  }
  return null;
}

interface LevelInput {
  members: boolean[];
  critical: (number | null)[];
  pairs: Pairs;
  range: number | null;
  scale: number;
}

function levelOf({ members, critical, pairs, range, scale }: LevelInput): BestLevel {
  const places = members.flatMap((isMember, place) => (isMember ? [place] : []));
  const only = places.length === 1 ? (places[0] ?? null) : null;
  const ends = { most: range ?? Infinity, least: -(range ?? Infinity) };
  const shown = (value: number): number | null => {
    const cut = Math.max(ends.least, Math.min(ends.most, value));
    return Number.isFinite(cut) ? cut : null;
  };
  /** Upper bound of one less the best of the others, before it is cut. */
  const reach = (i: number): number => {
    const factor = critical[i];
    if (factor === null || factor === undefined) return Infinity;
    const bounds = (pairs.differences[i] ?? []).map((d, j) => factor * (pairs.errors[i]?.[j] ?? 0) - d);
    return scale * Math.min(...bounds.filter((_, j) => j !== i));
  };
  const depth = (i: number): number => {
    const bounds = places.map((j) => {
      const factor = critical[j];
      if (j === i) return Infinity;
      return factor === null || factor === undefined
        ? -Infinity
        : -(pairs.differences[i]?.[j] ?? 0) - factor * (pairs.errors[i]?.[j] ?? 0);
    });
    return scale * Math.min(...bounds);
  };
  return {
    members,
    only,
    critical,
    upper: members.map((isMember, place) => (isMember ? shown(Math.max(0, reach(place))) : 0)),
    lower: members.map((_, place) => (only === place ? 0 : shown(Math.min(0, depth(place))))),
    behind: members.map((_, place) => shown(-reach(place))),
  };
}
