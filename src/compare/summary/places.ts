import { partContrast } from "../../stats/choice/contrast.ts";
import { fisherMore } from "../../stats/fisher.ts";
import { holm } from "../../stats/multiplicity.ts";
import { mcNemarOneSided } from "../../stats/paired/mcnemar.ts";
import { tTest } from "../../stats/paired/t-estimate.ts";
import { type ComparedMetric, type MeasureOf, rangeOf } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { OtherTag, Segment } from "../tallies/segments.ts";
import { sureLevel } from "../verdict-word.ts";
import { denseCode } from "../metrics/asked-once.ts";
import { sideFigure } from "../metrics/side-figure.ts";
import type { Integer } from "../../lib/integer.ts";

/** The value of a tag that all cases of a segment have, and that of a second one. */
interface SegmentTags extends OtherTag {
  /** The value of a second tag that the cases have too; null: a tag alone. */
  and: OtherTag | null;
}

/** A value of a tag, or of two, in which a metric is surely worse than elsewhere. The second one is counted without the cases of the first. */
export interface WorsePlace extends SegmentTags {
  metric: string;
  of: MeasureOf;
  /** Cases with it. */
  cases: Integer;
  /** Cases that got worse. */
  worse: Integer;
  /** Cases that got better. */
  better: Integer;
  /** Value of the baseline in them. */
  baseline: number | null;
  /** Value of the candidate in them. */
  now: number | null;
  /** Mean difference, below 0; for a ratio one of logarithms. */
  difference: number;
  /** One-sided, of no greater loss than elsewhere: adjusted over all values, pairs of values and metrics (Holm). */
  p: number;
  /** The same of either that or no loss at all. */
  pLost: number;
  /** The cases of the metric outside of all places that are named, and how many of them got worse. */
  rest: {
    /** Number of cases. */
    cases: Integer;
    /** Cases that got worse. */
    worse: Integer;
  };
}

/** The cases of a pair, and the parts of them. */
export type TaggedResults = Pick<PairResults, "slices" | "tagPairs" | "clusters"> &
  Partial<Pick<PairResults, "questions">> & { metrics: readonly Pick<MetricNumbers, "differences" | "sides">[] };

/** A part of fewer cases says nothing. */
export const leastCases = 2;
const mostPlaces = 2;
/** Level at which a place has to be worse by itself, beside being worse than elsewhere. */
const ownLevel = 0.01;

/**
 * Finds up to two places that are surely worse, by the metrics that are primary or have a gate. Rows that got worse are counted
 * against those elsewhere by Fisher's exact test where a metric passes or fails and each row is its own; else the mean differences
 * are compared, by clusters. All values of all tags and all pairs are one family.
 */
export function worsePlaces(metrics: readonly ComparedMetric[], results: TaggedResults): WorsePlace[] {
  const segments = [...results.slices, ...results.tagPairs.slices]
    .filter(({ cases }) => cases >= leastCases)
    .map((segment) => ({ segment, places: casePlaces(segment, results.metrics[0]?.differences.length ?? 0) }));
  const cells = metrics.flatMap((compared, place) => {
    const numbers = results.metrics[place];
    if (numbers === undefined || (!compared.metric.primary && compared.gates.length === 0)) return [];
    const of = { compared, numbers, units: unitsOf(results, numbers.differences.length) };
    return segments.map((each): Cell => ({ ...each, of }));
  });
  const found: Found[] = [];
  while (found.length < mostPlaces) {
    const excluded = found.map(({ cell }) => cell.segment);
    const surest = surestOf(cells, (place) => excluded.every(({ has }) => !has(place)));
    if (surest === null) break;
    found.push(surest);
  }
  return found.map(({ cell, isLeft, ...test }) => {
    const { of, segment, places } = cell;
    const { compared, numbers } = of;
    const { cases, worse, better, sum } = countsOf(numbers, places.filter(isLeft));
    const others = found.map((each) => each.cell.segment);
    const rest = countsOf(
      numbers,
      allPlaces(numbers).filter((place) => others.every(({ has }) => !has(place))),
    );
    const has = (place: number): boolean => segment.has(place) && isLeft(place);
    const [baseline = null, now = null] = (["baseline", "candidate"] as const).map((side) =>
      sideFigure(compared, numbers, { side, has, questions: results.questions ?? null }),
    );
    return {
      tag: segment.tag,
      value: segment.value,
      and: segment.and,
      metric: compared.metric.name,
      of: compared.of,
      cases,
      worse,
      better,
      baseline,
      now,
      difference: sum / cases,
      ...test,
      rest: { cases: rest.cases, worse: rest.worse },
    };
  });
}

/** A metric in all cases of a pair. */
interface MetricCases {
  compared: ComparedMetric;
  numbers: TaggedResults["metrics"][number];
  /** Number of the unit that each case belongs to, from 0 without gaps; null: each case is its own. */
  units: { codes: Int32Array; count: number } | null;
}

/** A metric in the cases of a segment. */
interface Cell {
  of: MetricCases;
  segment: Segment;
  places: Int32Array;
}

interface Found extends Pick<WorsePlace, "p" | "pLost"> {
  cell: Cell;
  /** True for a case that no place before it has. */
  isLeft: (place: number) => boolean;
}

/** Places of the cases of a segment. */
export function casePlaces({ has, cases }: Segment, all: number): Int32Array {
  const places = new Int32Array(cases);
  let next = 0;
  for (let place = 0; place < all && next < cases; place++) if (has(place)) places[next++] = place;
  return places.subarray(0, next);
}

function unitsOf({ clusters, questions = null }: TaggedResults, cases: number): MetricCases["units"] {
  const units = clusters ?? questions;
  if (units === null) return null;
  const known = new Map<number, number>();
  const codes = Int32Array.from({ length: cases }, (_, place) => denseCode(known, units[place] ?? 0));
  return { codes, count: known.size };
}

const allPlaces = ({ differences }: MetricCases["numbers"]): Int32Array => Int32Array.from(differences.keys());

/** The cell that is worse than elsewhere most surely, in the cases that are left; null: none is at the level of a claim. */
function surestOf(cells: readonly Cell[], isLeft: Found["isLeft"]): Found | null {
  const known = new Map<MetricCases, Int32Array>();
  const leftOf = (of: MetricCases): Int32Array => {
    const left = known.get(of) ?? allPlaces(of.numbers).filter(isLeft);
    known.set(of, left);
    return left;
  };
  const tests = cells.map((cell) => testOf(cell, cell.places.filter(isLeft), leftOf(cell.of)));
  const ps = holm(tests.map((test) => test?.elsewhere ?? null));
  const lost = holm(tests.map((test) => test && Math.max(test.elsewhere, test.own)));
  let surest: Found | null = null;
  for (const [at, cell] of cells.entries()) {
    const [test, p, pLost] = [tests[at] ?? null, ps[at] ?? 1, lost[at] ?? 1];
    if (test === null || test.own > ownLevel || p > sureLevel) continue;
    if (surest === null || p < surest.p) surest = { cell, p, pLost, isLeft };
  }
  return surest;
}

/** P of no greater loss at some places than at all others, and of no loss there; null: too few cases. */
function testOf(
  { of: { compared, numbers, units } }: Cell,
  places: Int32Array,
  all: Int32Array,
): { elsewhere: number; own: number } | null {
  const inside = countsOf(numbers, places);
  if (inside.cases < leastCases) return null;
  if (compared.of === "pass" && units === null) {
    const { cases, worse } = countsOf(numbers, all);
    const twofold = { failing: inside.worse, rows: inside.cases, allFailing: worse, allRows: cases };
    return { elsewhere: fisherMore(twofold), own: mcNemarOneSided({ raw: inside.worse, noise: inside.better }) };
  }
  const sides = { inside: summed(numbers, units, places), outside: summed(numbers, units, all) };
  const { outside } = sides;
  for (const part of ["sums", "sizes"] as const)
    for (const [unit, value] of sides.inside[part].entries()) outside[part][unit] = (outside[part][unit] ?? 0) - value;
  const contrast = partContrast({ ...sides, range: rangeOf(compared) });
  if (contrast === null) return null;
  const { difference, inside: mean } = contrast;
  return {
    elsewhere: tTest(difference, 0).pLess ?? 1,
    own: tTest({ ...difference, mean }, 0).pLess ?? 1,
  };
}

function countsOf({ differences }: MetricCases["numbers"], places: Int32Array) {
  const counts = { cases: 0, worse: 0, better: 0, sum: 0 };
  for (const place of places) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference)) continue;
    counts.cases += 1;
    counts.sum += difference;
    if (difference < 0) counts.worse += 1;
    else if (difference > 0) counts.better += 1;
  }
  return counts;
}

function summed({ differences }: MetricCases["numbers"], units: MetricCases["units"], places: Int32Array) {
  const count = units?.count ?? differences.length;
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const place of places) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference)) continue;
    const unit = units?.codes[place] ?? place;
    sums[unit] = (sums[unit] ?? 0) + difference;
    sizes[unit] = (sizes[unit] ?? 0) + 1;
  }
  return { sums, sizes };
}
