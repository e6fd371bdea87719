import type { ComparedMetric, MeasureOf } from "../comparison-plan.ts";
import type { Segment } from "../tallies/segments.ts";

/** A segment with the places of its cases. */
export interface PlacedSegment {
  slice: Segment;
  places: Int32Array;
}

/** Cases by the values of two tags, by the main metric: where a change is. */
export interface TagMap {
  metric: string;
  of: MeasureOf;
  /** The tag of the lines, and that of the columns. */
  tags: [string, string];
  /** Their values, those with the most cases first. */
  values: [string[], string[]];
  /** All cases of each value of the first tag, and of the second. */
  alone: [TagCell[], TagCell[]];
  /** By line and column; null: no case has both. */
  cells: (TagCell | null)[][];
}

/** Cases of a map that have a value, or two. */
export interface TagCell {
  cases: number;
  worse: number;
  better: number;
  /** Mean difference; positive is better. For a ratio it is one of logarithms. */
  difference: number;
  /** The p of no difference, adjusted over all values and pairs that were looked at; null: too few cases to look. */
  adjusted: number | null;
}

/** A value of a tag, or a pair of them, that was looked at. */
export interface JudgedPlaces extends PlacedSegment {
  adjusted: number | null;
}

const mostLines = 20;
const mostColumns = 10;
/** A tag with one value says nothing of where. */
const leastValues = 2;

/**
 * The map of the two tags that say most: those of the pair of values that differs most, where one surely does, else those with the
 * least adjusted p among their values; of equal ones those that the suite names first. `differences`: of the main metric, by place. Null where fewer than two tags have two values.
 */
export function tagMapOf(
  lookedAt: readonly JudgedPlaces[],
  { compared, differences }: { compared: ComparedMetric; differences: Float64Array },
): TagMap | null {
  // Its cells are means.
  if (compared.of === "median") return null;
  const byTag = new Map<string, JudgedPlaces[]>();
  for (const each of lookedAt) {
    const { tag, and } = each.slice;
    if (and === null) byTag.set(tag, [...(byTag.get(tag) ?? []), each]);
  }
  const surest = (tag: string): number =>
    Math.min(
      2,
      ...lookedAt
        .filter(({ slice: { tag: own, and } }) => own === tag || and?.tag === tag)
        .map(({ adjusted }) => adjusted ?? 2),
    );
  const known = Array.from(byTag, ([tag, values]) => ({ tag, values, p: surest(tag) })).filter(
    ({ values }) => values.length >= leastValues,
  );
  const together = pairThatDiffers(lookedAt, differences);
  const [first, second] = known
    .toSorted(
      (one, other) => Number(together.includes(other.tag)) - Number(together.includes(one.tag)) || one.p - other.p,
    )
    .slice(0, 2)
    // The longer list reads better from top to bottom.
    .toSorted((one, other) => other.values.length - one.values.length);
  if (first === undefined || second === undefined) return null;
  const most = (values: readonly JudgedPlaces[], count: number): JudgedPlaces[] =>
    values.toSorted((one, other) => other.places.length - one.places.length).slice(0, count);
  const [lines, columns] = [most(first.values, mostLines), most(second.values, mostColumns)];
  const pairP = new Map(
    lookedAt.flatMap(({ slice: { tag, value, and }, adjusted }) =>
      and === null
        ? []
        : [
            [JSON.stringify([tag, value, and.tag, and.value]), adjusted] as const,
            [JSON.stringify([and.tag, and.value, tag, value]), adjusted] as const,
          ],
    ),
  );
  const cellOf = (line: JudgedPlaces, column: JudgedPlaces): TagCell | null => {
    const key = JSON.stringify([line.slice.tag, line.slice.value, column.slice.tag, column.slice.value]);
    return cellAt(
      line.places.filter((place) => column.slice.has(place)),
      differences,
      pairP.get(key) ?? null,
    );
  };
  const own = (values: readonly JudgedPlaces[]): TagCell[] =>
    values.flatMap(({ places, adjusted }) => cellAt(places, differences, adjusted) ?? []);
  return {
    metric: compared.metric.name,
    of: compared.of,
    tags: [first.tag, second.tag],
    values: [lines.map(({ slice }) => slice.value), columns.map(({ slice }) => slice.value)],
    alone: [own(lines), own(columns)],
    cells: lines.map((line) => columns.map((column) => cellOf(line, column))),
  };
}

/** The adjusted p up to which a pair is said to differ. */
const level = 0.05;

/** The tags of the pair of values that differs most among those that are sure; empty: none is. */
function pairThatDiffers(lookedAt: readonly JudgedPlaces[], differences: Float64Array): string[] {
  const sure = lookedAt.flatMap(({ slice: { tag, and }, places, adjusted }) => {
    const cell = and === null || (adjusted ?? 1) > level ? null : cellAt(places, differences, adjusted);
    return and === null || cell === null ? [] : [{ tags: [tag, and.tag], size: Math.abs(cell.difference) }];
  });
  return sure.toSorted((one, other) => other.size - one.size)[0]?.tags ?? [];
}

/** Null where none of the cases has the metric on both sides. */
function cellAt(places: Int32Array, differences: Float64Array, adjusted: number | null): TagCell | null {
  let [cases, worse, better, sum] = [0, 0, 0, 0];
  for (const place of places) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference)) continue;
    cases += 1;
    sum += difference;
    if (difference < 0) worse += 1;
    else if (difference > 0) better += 1;
  }
  return cases === 0 ? null : { cases, worse, better, difference: sum / cases, adjusted };
}
