import { randomStream, type RandomStream } from "../../lib/random.ts";
import { manyUnits } from "../blocks.ts";
import { sum } from "../sum.ts";

/** Number of patterns up to which all are counted. */
const exactPatterns = 2 ** 20;
const draws = 9_999;
const mergedUnits = 10_000;

/** A test by relabelling: which of the answers to a case came from the candidate could as well have been drawn by lot. */
export interface Relabelled {
  cases: number;
  /** Units that are relabelled as a whole: cases, or clusters of them. */
  units: number;
  /** Mean over cases; null of nothing. */
  statistic: number | null;
  /** All labellings, or the draws and the one that was seen. */
  patterns: number;
  exact: boolean;
  /** Labellings with a statistic at least as large as the one seen. */
  greater: { count: number; p: number | null };
  /** Patterns as far from 0 as the observed one. */
  twoSided: { count: number; p: number | null };
}

/** Collects the statistic of cases under each of their labellings. */
export interface RelabelTally {
  /**
   * The values of one case, the first as it was (see labellings.ts); a case with one that is not finite is left out. `cluster`: number of the case's cluster, null
   * when it is its own. Cases of one cluster with as many labellings are relabelled as one.
   */
  add: (values: Float64Array, cluster: number | null) => void;
  test: (seed: string) => Relabelled;
}

/**
 * Tests by relabelling within cases (R. Fisher 1935): exact for up to 2^20 labellings, else 9,999 seeded draws and p =
 * (1 + hits) / (1 + draws). It asks about these cases, not about others like them: it measures against the noise of
 * another run.
 */
export function relabelTally(): RelabelTally {
  const units = unitStore();
  const places = new Map<number, number>();
  let cases = 0;

  return {
    add(values, cluster) {
      if (values.length === 0 || !values.every((value) => Number.isFinite(value))) return;
      cases += 1;
      const key = (cluster ?? 0) * 4096 + values.length;
      const place = cluster === null ? undefined : places.get(key);
      if (place !== undefined) {
        units.addTo(place, values);
        return;
      }
      if (cluster !== null) places.set(key, units.count());
      units.append(values);
    },
    test: (seed) => tested(units.all(), cases, randomStream(seed)),
  };
}

/** Values of units under their labellings, one after the other; no object per unit. */
interface Labelled {
  values: Float64Array;
  /** Start of each unit, and the end of the last. */
  starts: Uint32Array;
}

function unitStore(): {
  count: () => number;
  append: (values: Float64Array) => void;
  addTo: (place: number, values: Float64Array) => void;
  all: () => Labelled;
} {
  let values = new Float64Array(1024);
  let starts = new Uint32Array(256);
  let count = 0;
  return {
    count: () => count,
    append(added) {
      const from = starts[count] ?? 0;
      const to = from + added.length;
      if (to > values.length) values = enlarged(values, new Float64Array(Math.max(to, values.length * 2)));
      if (count + 2 > starts.length) starts = enlarged(starts, new Uint32Array(starts.length * 2));
      values.set(added, from);
      count += 1;
      starts[count] = to;
    },
    addTo(place, added) {
      const from = starts[place] ?? 0;
      for (let label = 0; label < added.length; label++) {
        values[from + label] = (values[from + label] ?? 0) + (added[label] ?? 0);
      }
    },
    all: () => ({ values: values.subarray(0, starts[count] ?? 0), starts: starts.subarray(0, count + 1) }),
  };
}

function enlarged<Numbers extends Float64Array | Uint32Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from);
  return into;
}

function tested(all: Labelled, cases: number, random: RandomStream): Relabelled {
  const seen = sumOfFirst(all);
  const few = patternsOf(all) <= exactPatterns;
  // A unit that says the same under every labelling moves all sums alike: without them more can be counted exactly.
  const parted = few ? { units: all, fixed: 0 } : withoutFixed(all);
  const exact = few || patternsOf(parted.units) <= exactPatterns;
  const sums = exact ? everySum(parted.units) : drawnSums(merged(parted.units, random), random);
  // Rounding must not make a tie look like a difference.
  const slack = 1e-9 * Math.abs(seen) + 1e-13 * all.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  let [greater, far] = exact ? [0, 0] : [1, 1];
  for (const moved of sums) {
    const total = moved + parted.fixed;
    if (total >= seen - slack) greater += 1;
    if (Math.abs(total) >= Math.abs(seen) - slack) far += 1;
  }
  const patterns = exact ? sums.length : draws + 1;
  return {
    cases,
    units: unitCount(all),
    statistic: cases === 0 ? null : seen / cases,
    patterns,
    exact,
    greater: { count: greater, p: cases === 0 ? null : greater / patterns },
    twoSided: { count: far, p: cases === 0 ? null : far / patterns },
  };
}

function unitCount({ starts }: Labelled): number {
  return Math.max(0, starts.length - 1);
}

function unitAt({ values, starts }: Labelled, unit: number): Float64Array {
  return values.subarray(starts[unit], starts[unit + 1]);
}

function sumOfFirst({ values, starts }: Labelled): number {
  return sum(Float64Array.from(starts.subarray(0, -1), (start) => values[start] ?? 0));
}

function patternsOf({ starts }: Labelled): number {
  let patterns = 1;
  for (let unit = 1; unit < starts.length && patterns <= exactPatterns; unit++) {
    patterns *= (starts[unit] ?? 0) - (starts[unit - 1] ?? 0);
  }
  return patterns;
}

function withoutFixed(all: Labelled): { units: Labelled; fixed: number } {
  const moving = unitStore();
  let fixed = 0;
  for (let unit = 0; unit < unitCount(all); unit++) {
    const values = unitAt(all, unit);
    if (values.every((value) => value === values[0])) fixed += values[0] ?? 0;
    else moving.append(values);
  }
  return { units: moving.all(), fixed };
}

function everySum(all: Labelled): Float64Array {
  let sums = Float64Array.of(0);
  for (let unit = 0; unit < unitCount(all); unit++) {
    const values = unitAt(all, unit);
    const next = new Float64Array(sums.length * values.length);
    for (let label = 0; label < values.length; label++) {
      for (let index = 0; index < sums.length; index++) {
        next[label * sums.length + index] = (sums[index] ?? 0) + (values[label] ?? 0);
      }
    }
    sums = next;
  }
  return sums;
}

function drawnSums({ values, starts }: Labelled, random: RandomStream): Float64Array {
  const sums = new Float64Array(draws);
  const lots = new Float64Array(Math.max(0, starts.length - 1));
  for (let draw = 0; draw < draws; draw++) {
    random.fillNext(lots);
    let total = 0;
    let from = 0;
    for (let unit = 0; unit < lots.length; unit++) {
      const to = starts[unit + 1] ?? 0;
      total += values[from + (((lots[unit] ?? 0) * (to - from)) | 0)] ?? 0;
      from = to;
    }
    sums[draw] = total;
  }
  return sums;
}

/**
 * Merges units above 20,000, so that one draw is for several: units with as many labellings, thrown at random into
 * about 10,000.
 */
function merged(all: Labelled, random: RandomStream): Labelled {
  const count = unitCount(all);
  if (count <= manyUnits) return all;
  const ofLength = new Map<number, number>();
  for (let unit = 0; unit < count; unit++) {
    const { length } = unitAt(all, unit);
    ofLength.set(length, (ofLength.get(length) ?? 0) + 1);
  }
  const found = unitStore();
  const slots = new Map<number, { first: number; slots: number }>();
  for (const [length, units] of ofLength) {
    const share = { first: found.count(), slots: Math.ceil((units * mergedUnits) / count) };
    slots.set(length, share);
    for (let slot = 0; slot < share.slots; slot++) found.append(new Float64Array(length));
  }
  for (let unit = 0; unit < count; unit++) {
    const values = unitAt(all, unit);
    const share = slots.get(values.length);
    if (share !== undefined) found.addTo(share.first + Math.floor(random.next() * share.slots), values);
  }
  return found.all();
}
