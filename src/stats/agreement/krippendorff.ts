import { tQuantile } from "../distributions/student-t.ts";
import type { Interval } from "../interval.ts";

/** Units with two values or more, below which agreement has no interval that can be relied on. */
export const fewestAgreementUnits = 20;

/** Agreement beyond chance of several people, or of the repeats of one judge. */
export interface KrippendorffAlpha {
  /** 1: all agree; 0: as by chance. Null where nothing was valued twice, or all values are one. */
  alpha: number | null;
  /** Null without an alpha, where nobody disagrees, and where too little is left when a unit is taken away. */
  interval: Interval | null;
  /** Units with at least two values. */
  units: number;
  /** Why there is no alpha or no interval; null where there are both. */
  reason: string | null;
}

interface AgreementOptions {
  /** `nominal`: values are alike or not; `interval`: they are further apart the more they differ. */
  level: "nominal" | "interval";
  confidence: number;
  /** Number of each unit's cluster (see `clusterCodes`); left out: each unit is its own. */
  clusters?: ArrayLike<number>;
}

/** Farthest from 0 that alpha is taken for on the scale of the interval, where 1 has no end. */
const mostAlpha = 0.9999;

/**
 * K. Krippendorff's alpha (2011), 1 - Do / De over all values that can be paired: `units` holds the values of each unit (an
 * answer), null where somebody gave none; a unit with one value is left out. Interval: jackknife of atanh(alpha) over units
 * or clusters, by Student's t (J. Tukey 1958); in simulation it covers 95 to 97 of 100 at 20 units, where the bootstrap's covers 90 to 94.
 */
export function krippendorff(
  units: readonly (readonly (number | null)[])[],
  { level, confidence, clusters }: AgreementOptions,
): KrippendorffAlpha {
  const pairable = units.flatMap((values, place) => {
    const given = values.filter((value) => value !== null);
    return given.length < 2 ? [] : [{ values: given, cluster: clusters?.[place] ?? place }];
  });
  const found = { units: pairable.length, alpha: null, interval: null };
  if (pairable.length === 0) return { ...found, reason: "nothing was valued twice" };
  const sums = level === "nominal" ? new NominalSums() : new IntervalSums(pairable[0]?.values[0] ?? 0);
  for (const { values } of pairable) sums.add(values, 1);
  const alpha = sums.alpha();
  if (alpha === null) return { ...found, reason: "one class only" };
  // A rounding is no disagreement.
  if (alpha >= 1 - 1e-12) return { ...found, alpha: 1, reason: "no disagreement" };
  const parts = Array.from(Map.groupBy(pairable, ({ cluster }) => cluster).values());
  const without = parts.map((part) => {
    for (const { values } of part) sums.add(values, -1);
    const rest = sums.alpha();
    for (const { values } of part) sums.add(values, 1);
    return rest;
  });
  if (parts.length < 2) return { ...found, alpha, reason: "needs at least 2 units" };
  if (without.some((rest) => rest === null)) {
    return { ...found, alpha, reason: "all units but one have one class only" };
  }
  const stretched = without.map((rest) => stretch(rest ?? 0));
  const count = stretched.length;
  const mean = stretched.reduce((total, value) => total + value, 0) / count;
  const squares = stretched.reduce((total, value) => total + (value - mean) ** 2, 0);
  const half = tQuantile((1 + confidence) / 2, count - 1) * Math.sqrt(((count - 1) / count) * squares);
  const centre = stretch(alpha);
  return { ...found, alpha, interval: { low: Math.tanh(centre - half), high: Math.tanh(centre + half) }, reason: null };
}

function stretch(alpha: number): number {
  return Math.atanh(Math.min(mostAlpha, Math.max(-mostAlpha, alpha)));
}

/** Sums from which alpha is made, to which a unit can be added (1) and from which it can be taken away again (-1). */
interface AgreementSums {
  add: (values: readonly number[], sign: 1 | -1) => void;
  alpha: () => number | null;
}

/** 1 - Do / De; null where all values are one: pairs that differ within units, and over all `count` values. */
function alphaOf(within: number, over: number, count: number): number | null {
  // A sum from which everything was taken away again may be left with a rounding.
  return count < 2 || over <= 1e-12 * count ? null : 1 - within / count / (over / count / (count - 1));
}

class NominalSums implements AgreementSums {
  readonly #counts = new Map<number, number>();
  #within = 0;
  #count = 0;

  add(values: readonly number[], sign: 1 | -1): void {
    const own = new Map<number, number>();
    for (const value of values) own.set(value, (own.get(value) ?? 0) + 1);
    const m = values.length;
    const alike = Array.from(own.values()).reduce((total, count) => total + count * count, 0);
    this.#within += (sign * (m * m - alike)) / (m - 1);
    this.#count += sign * m;
    for (const [value, count] of own) this.#counts.set(value, (this.#counts.get(value) ?? 0) + sign * count);
  }

  alpha(): number | null {
    const alike = Array.from(this.#counts.values()).reduce((total, count) => total + count * count, 0);
    return alphaOf(this.#within, this.#count * this.#count - alike, this.#count);
  }
}

class IntervalSums implements AgreementSums {
  /** Values are taken from one of them, so that their squares keep their digits. */
  readonly #from: number;
  #within = 0;
  #sum = 0;
  #squares = 0;
  #count = 0;

  constructor(from: number) {
    this.#from = from;
  }

  add(values: readonly number[], sign: 1 | -1): void {
    const m = values.length;
    const moved = values.map((value) => value - this.#from);
    const mean = moved.reduce((total, value) => total + value, 0) / m;
    const about = moved.reduce((total, value) => total + (value - mean) ** 2, 0);
    // Over all ordered pairs the squared distances add up to 2 m times the squares about the mean.
    this.#within += (sign * 2 * m * about) / (m - 1);
    this.#sum += sign * mean * m;
    this.#squares += sign * (about + m * mean * mean);
    this.#count += sign * m;
  }

  alpha(): number | null {
    const over = 2 * (this.#count * this.#squares - this.#sum * this.#sum);
    return alphaOf(this.#within, over, this.#count);
  }
}
