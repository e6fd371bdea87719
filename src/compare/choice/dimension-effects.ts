import { type ContrastSums, meanContrast } from "../../stats/choice/contrast.ts";
import { type TEstimate, tInterval, tTest } from "../../stats/paired/t-estimate.ts";
import { sum } from "../../stats/sum.ts";
import type { ManySums } from "../../stats/choice/best-set.ts";

/** Something that a matrix varies, such as the model. */
export interface VariedDimension {
  name: string;
  values: readonly string[];
  /** Place of the value of each configuration, in their order; -1: it has none. */
  of: readonly number[];
}

/** The effect of everything that a matrix varies. */
export interface DimensionEffects {
  /** Chance at most that any effect is said to be one that is none; the same holds for what depends on another dimension. */
  level: number;
  /** The effect of each value instead of another. */
  effects: DimensionEffect[];
  /** Effects that surely depend on the value of another dimension, the surest first. */
  interactions: Interaction[];
  /** Names of dimensions of which no combination of the others has all values: nothing is said of them. */
  incomplete: string[];
}

/** One value of a dimension instead of another, averaged over the combinations of the others that have all values of the dimension. */
export interface DimensionEffect {
  /** Name of the dimension. */
  dimension: string;
  /** The value that it is compared with. */
  from: string;
  /** The value instead of that. */
  to: string;
  /**
   * Number of combinations of the other dimensions that it is averaged over.
   * @asType integer
   */
  combinations: number;
  /**
   * Number of all of them.
   * @asType integer
   */
  of: number;
  /** Mean with the first value, or pass rate. */
  fromMean: number;
  /** The same with the second value. */
  toMean: number;
  /** Positive: the second value is better. */
  difference: number;
  /** Lower bound of the difference; the bounds of all effects hold at once with 95 % (Bonferroni). */
  lower: number;
  /** Upper bound of it. */
  upper: number;
  /** The bounds leave 0 out. */
  holds: boolean;
  /** It also holds in each of the combinations alone. */
  everywhere: boolean;
}

/** The effect of one dimension in two values of another. */
export interface Interaction {
  /** Name of the dimension. */
  dimension: string;
  /** The value that it is compared with. */
  from: string;
  /** The value instead of that. */
  to: string;
  /** Name of the other dimension, on whose value the effect depends. */
  other: string;
  /** The first of two values of it. */
  first: string;
  /** The second of them. */
  second: string;
  /** The effect with the first value of the other dimension, positive where better. */
  inFirst: number;
  /** The effect with the second value. */
  inSecond: number;
  /** The second effect less the first. */
  difference: number;
  /** Lower bound of that; the bounds of all pairs of values hold at once with 95 % (Bonferroni). */
  lower: number;
  /** Upper bound of it. */
  upper: number;
}

const level = 0.05;
/** Values of a dimension up to which all pairs are compared; of more each with the first. */
const allPairs = 6;
const mostInteractions = 10;

/**
 * Estimates what each dimension of a matrix does, paired by case, with cluster-robust standard errors. Combinations of the other
 * dimensions count only where all values of the dimension occur in them: else the rest of a partial grid would be taken for its effect.
 * Null without a dimension of two values, and with too few clusters.
 */
export function dimensionEffects(
  dimensions: readonly VariedDimension[],
  given: ManySums,
  sign: 1 | -1,
): DimensionEffects | null {
  const varied = dimensions.flatMap((dimension) => occurring(dimension));
  if (varied.length === 0) return null;
  const grids = varied.map((dimension) => ({ dimension, grid: gridOf([dimension], varied) }));
  const effects = effectsOf(grids, given, sign);
  if (effects === null) return null;
  const incomplete = grids.flatMap(({ dimension, grid }) => (grid.complete.length === 0 ? [dimension.name] : []));
  return { level, effects, interactions: interactionsOf(varied, given), incomplete };
}

/** The dimension with the values that occur; empty where that is one. */
function occurring({ name, values, of }: VariedDimension): VariedDimension[] {
  const kept = values.map((_, place) => place).filter((place) => of.includes(place));
  if (kept.length < 2) return [];
  return [{ name, values: kept.map((place) => values[place] ?? ""), of: of.map((place) => kept.indexOf(place)) }];
}

/** Combinations of the dimensions that are not asked about, in each the configuration by the places of the values that are. */
interface Grid {
  /** Those in which no value, or no pair of values, is missing. */
  complete: Map<string, number>[];
  all: number;
}

function gridOf(asked: readonly VariedDimension[], varied: readonly VariedDimension[]): Grid {
  const others = varied.filter((dimension) => !asked.includes(dimension));
  const found = new Map<string, Map<string, number>>();
  for (const place of (varied[0]?.of ?? []).keys()) {
    if (varied.some(({ of }) => (of[place] ?? -1) === -1)) continue;
    const rest = others.map(({ of }) => of[place]).join();
    const own = asked.map(({ of }) => of[place]).join();
    const combination = found.get(rest) ?? new Map<string, number>();
    // Two configurations of the same values are one to a matrix: the first stands for both.
    if (!combination.has(own)) combination.set(own, place);
    found.set(rest, combination);
  }
  const size = asked.reduce((product, { values }) => product * values.length, 1);
  return { complete: [...found.values()].filter((each) => each.size === size), all: found.size };
}

/** Pairs of places of the values that are compared. */
function pairsOf({ values }: VariedDimension): [from: number, to: number][] {
  return values.flatMap((_, from) =>
    values.flatMap((_value, to): [number, number][] =>
      to > from && (from === 0 || values.length <= allPairs) ? [[from, to]] : [],
    ),
  );
}

/** A sum of configurations with weights: place and weight of each. */
type Weights = readonly (readonly [place: number, weight: number])[];

function contrastOf(weights: Weights, { sums, sizes, range }: ManySums): ContrastSums {
  const total = new Float64Array(sizes.length);
  for (const [place, weight] of weights) {
    const own = sums[place];
    if (own !== undefined)
      for (let at = 0; at < total.length; at++) total[at] = (total[at] ?? 0) + weight * (own[at] ?? 0);
  }
  // A cluster that breaks does so for one configuration: the more there are in an average, the less it weighs.
  const weight = Math.sqrt(weights.reduce((squares, [, each]) => squares + each ** 2, 0) / 2);
  return { sums: total, sizes, range: range === null ? null : range * weight };
}

/** One value instead of another, averaged over combinations. */
const changeOf = (combinations: readonly Map<string, number>[], from: string, to: string): Weights =>
  combinations.flatMap((each): [number, number][] => [
    [each.get(to) ?? -1, 1 / combinations.length],
    [each.get(from) ?? -1, -1 / combinations.length],
  ]);

const estimated = (weights: Weights, given: ManySums): TEstimate | null => meanContrast(contrastOf(weights, given));

function effectsOf(
  grids: readonly { dimension: VariedDimension; grid: Grid }[],
  given: ManySums,
  sign: 1 | -1,
): DimensionEffect[] | null {
  const n = sum(given.sizes);
  const asked = grids.flatMap(({ dimension, grid }) =>
    grid.complete.length === 0 ? [] : pairsOf(dimension).map(([from, to]) => ({ dimension, grid, from, to })),
  );
  const found = asked.flatMap(({ dimension, grid: { complete, all }, from, to }): DimensionEffect[] => {
    const estimate = estimated(changeOf(complete, String(from), String(to)), given);
    const bounds = estimate === null ? null : tInterval(estimate, 1 - level / asked.length);
    if (estimate === null || bounds === null) return [];
    const difference = estimate.mean ?? 0;
    const meanOf = (value: number): number => {
      const weights = complete.map((each) => [each.get(String(value)) ?? -1, 1 / complete.length] as const);
      return (sign * sum(contrastOf(weights, given).sums)) / n;
    };
    const holds = bounds.low > 0 || bounds.high < 0;
    const everywhere = (): boolean =>
      complete.every((each) => {
        const own = estimated(changeOf([each], String(from), String(to)), given);
        const { pGreater = null, pLess = null } = own === null ? {} : tTest(own, 0);
        const p = difference > 0 ? pGreater : pLess;
        return p !== null && p <= level / 2;
      });
    return [
      {
        dimension: dimension.name,
        from: dimension.values[from] ?? "",
        to: dimension.values[to] ?? "",
        combinations: complete.length,
        of: all,
        fromMean: meanOf(from),
        toMean: meanOf(to),
        difference,
        ...within(bounds, given.range ?? Infinity),
        holds,
        everywhere: holds && complete.length > 1 && everywhere(),
      },
    ];
  });
  return asked.length > 0 && found.length === 0 ? null : found;
}

function interactionsOf(varied: readonly VariedDimension[], given: ManySums): Interaction[] {
  const asked = varied.flatMap((dimension, place) =>
    varied.slice(place + 1).flatMap((other) => {
      const { complete } = gridOf([dimension, other], varied);
      if (complete.length === 0) return [];
      return pairsOf(dimension).flatMap((change) =>
        pairsOf(other).map((ends) => ({ dimension, other, complete, change, ends })),
      );
    }),
  );
  const found = asked.flatMap(({ dimension, other, complete, change: [from, to], ends: [first, second] }) => {
    const changeWith = (value: number): Weights => changeOf(complete, `${from},${value}`, `${to},${value}`);
    const [inFirst, inSecond] = [changeWith(first), changeWith(second)];
    const estimate = estimated([...inSecond, ...inFirst.map(([place, weight]) => [place, -weight] as const)], given);
    const bounds = estimate === null ? null : tInterval(estimate, 1 - level / asked.length);
    if (estimate?.se === undefined || estimate.se === null || bounds === null) return [];
    if (bounds.low <= 0 && bounds.high >= 0) return [];
    const difference = estimate.mean ?? 0;
    const meanOf = (weights: Weights): number => sum(contrastOf(weights, given).sums) / sum(given.sizes);
    const told: Interaction = {
      dimension: dimension.name,
      from: dimension.values[from] ?? "",
      to: dimension.values[to] ?? "",
      other: other.name,
      first: other.values[first] ?? "",
      second: other.values[second] ?? "",
      inFirst: meanOf(inFirst),
      inSecond: meanOf(inSecond),
      difference,
      // Each of the two effects can be as large as the scale.
      ...within(bounds, 2 * (given.range ?? Infinity)),
    };
    return [{ told, surety: Math.abs(difference) / estimate.se }];
  });
  return found
    .toSorted((one, other) => other.surety - one.surety)
    .slice(0, mostInteractions)
    .map(({ told }) => told);
}

/** Bounds cut at the largest difference that a scale has: wider ones hold nothing more. */
function within({ low, high }: { low: number; high: number }, most: number): { lower: number; upper: number } {
  return { lower: Math.max(low, -most), upper: Math.min(high, most) };
}
