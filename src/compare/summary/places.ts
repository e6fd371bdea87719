import type { ContrastSums } from "../../stats/choice/contrast.ts";
import { fisherMore } from "../../stats/fisher.ts";
import { holm } from "../../stats/multiplicity.ts";
import { mcNemarOneSided } from "../../stats/paired/mcnemar.ts";
import { tTest } from "../../stats/paired/t-estimate.ts";
import type { Integer } from "../../lib/integer.ts";
import { type MeasureOf, rangeOf } from "../comparison-plan.ts";
import { allPlaces, type ComparedFigures, figuresAt, type Turns, turnsAt } from "../metrics/figures.ts";
import { contrastIn, sumsAt, type Units, unitsOf } from "../metrics/part-contrast.ts";
import { sureLevel } from "../verdict-word.ts";
import type { SliceName } from "../slice-name.ts";
import { leastCases, type SlicedMetric, type SlicedResults } from "./sliced-metrics.ts";

/** A slice in which a metric is surely worse than elsewhere. The second one is counted without the cases of the first. */
export interface WorsePlace extends SliceName, ComparedFigures {
  metric: string;
  of: MeasureOf;
  /** Mean difference, below 0; for a ratio one of logarithms. */
  difference: number;
  /** One-sided, of no greater loss than elsewhere: adjusted over all slices and metrics (Holm). */
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

const mostPlaces = 2;
/** Level at which a place has to be worse by itself, beside being worse than elsewhere. */
const ownLevel = 0.01;

/**
 * Finds up to two places that are surely worse, by the metrics that are primary or have a gate. Rows that got worse are counted
 * against those elsewhere by Fisher's exact test where a metric passes or fails and each row is its own; else the mean differences
 * are compared, by clusters. All values of all tags and all pairs are one family.
 */
export function worsePlaces(cells: readonly SlicedMetric[], results: SlicedResults): WorsePlace[] {
  const units = unitsOf(results.clusters ?? results.questions);
  const found: Found[] = [];
  while (found.length < mostPlaces) {
    const named = [...found];
    const isLeft = (place: number): boolean => named.every(({ cell }) => !cell.slice.has(place));
    const surest = surestOf(cells, units, isLeft);
    if (surest === null) break;
    found.push(surest);
  }
  return found.map(({ cell, isLeft, ...test }) => {
    const { compared, numbers, slice } = cell;
    const { tag, value, and } = slice;
    const places = slice.places.filter(isLeft);
    const { cases, sum } = turnsAt(numbers.differences, places);
    const rest = turnsAt(
      numbers.differences,
      allPlaces(numbers.differences).filter((place) => found.every((each) => !each.cell.slice.has(place))),
    );
    return {
      tag,
      value,
      and,
      metric: compared.metric.name,
      of: compared.of,
      ...figuresAt(compared, numbers, { places, questions: results.questions }),
      difference: sum / cases,
      ...test,
      rest: { cases: rest.cases, worse: rest.worse },
    };
  });
}

interface Found extends Pick<WorsePlace, "p" | "pLost"> {
  cell: SlicedMetric;
  /** True for a case that no place before it has. */
  isLeft: (place: number) => boolean;
}

/** The cell that is worse than elsewhere most surely, in the cases that are left; null: none is at the level of a claim. */
function surestOf(cells: readonly SlicedMetric[], units: Units, isLeft: Found["isLeft"]): Found | null {
  const known = new Map<SlicedMetric["numbers"], AllCases>();
  const tests = cells.map((cell) => {
    const all = known.get(cell.numbers) ?? allCases(cell.numbers, units, isLeft);
    known.set(cell.numbers, all);
    return testOf(cell, cell.slice.places.filter(isLeft), all);
  });
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

/** A metric in all cases that are left. */
interface AllCases {
  units: Units;
  turns: Turns;
  sums: ContrastSums;
}

function allCases({ differences }: SlicedMetric["numbers"], units: Units, isLeft: Found["isLeft"]): AllCases {
  const places = allPlaces(differences).filter(isLeft);
  return { units, turns: turnsAt(differences, places), sums: sumsAt(differences, units, places) };
}

/** P of no greater loss at some places than at all others, and of no loss there; null: too few cases. */
function testOf(
  { compared, numbers: { differences } }: SlicedMetric,
  places: Int32Array,
  { units, turns: all, sums }: AllCases,
): { elsewhere: number; own: number } | null {
  const { cases, worse, better } = turnsAt(differences, places);
  if (cases < leastCases) return null;
  if (compared.of === "pass" && units === null) {
    const twofold = { failing: worse, rows: cases, allFailing: all.worse, allRows: all.cases };
    return { elsewhere: fisherMore(twofold), own: mcNemarOneSided({ raw: worse, noise: better }) };
  }
  const contrast = contrastIn(sumsAt(differences, units, places), sums, rangeOf(compared));
  if (contrast === null) return null;
  const { difference, inside: mean } = contrast;
  return {
    elsewhere: tTest(difference, 0).pLess ?? 1,
    own: tTest({ ...difference, mean }, 0).pLess ?? 1,
  };
}
