import type { Integer } from "../../lib/integer.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import { turnsAt } from "../metrics/figures.ts";
import { type TagValue, isSameSlice, valuesOf } from "../slice-name.ts";
import type { JudgedSlice } from "./sliced-metrics.ts";

/** Values of a tag by those of another, or by target: where a change is, or what each target is good at. */
export interface SliceTable {
  /** The tag whose values are the columns; null: they are targets. */
  across: string | null;
  /** Values of that tag, those with the most rows first, or names of targets; null: all rows of the line. */
  columns: (string | null)[];
  /** Values of tags, those of one tag together. */
  lines: {
    /** The value; null: all rows of the column. */
    slice: TagValue | null;
    /** By column; null: no row has both. */
    cells: (SliceCell | null)[];
  }[];
  /** Number of values that are not looked at, because others have more rows. */
  left: Integer;
}

export interface SliceCell {
  /** Rows with both values, or with the value of the line. */
  cases: Integer;
  /** Candidate less baseline, or the target less the mean of the others; positive is better. */
  difference: number;
  /** Two-sided, of no difference, of targets of the same one in all other rows; adjusted for all cells. Null: too few rows to test. */
  p: number | null;
  /** Surely worse or better, by that p; null: it may be chance. */
  mark: "worse" | "better" | null;
  /** Rows that got worse. Left out: columns are targets. */
  worse?: Integer;
  /** Rows that got better. Left out: columns are targets. */
  better?: Integer;
  /** Mean of the target, or its pass rate. Left out: columns are values of a tag. */
  mean?: number;
}

/** The adjusted p up to which a slice is surely worse or better. */
const markLevel = 0.05;

export function markOf(difference: number | null, p: number | null): SliceCell["mark"] {
  if (p === null || p > markLevel || difference === null || difference === 0) return null;
  return difference < 0 ? "worse" : "better";
}

const mostLines = 20;
const mostColumns = 10;
/** A tag with one value says nothing of where. */
const leastValues = 2;

/**
 * The main metric by the two tags that say most: those of the pair of values that differs most, where one surely does, else those
 * with the least adjusted p among their values; of equal ones those that the suite names first. Null where fewer than two tags
 * have two values.
 */
export function sliceTable(judged: readonly JudgedSlice[], metric: ComparedMetric | undefined): SliceTable | null {
  // Its cells are means.
  if (metric === undefined || metric.of === "median") return null;
  const own = judged.filter(({ compared }) => compared === metric);
  const byTag = Map.groupBy(
    own.filter(({ slice }) => slice.and === null),
    ({ slice }) => slice.tag,
  );
  const together = pairThatDiffers(own);
  const [first, second] = Array.from(byTag, ([tag, values]) => ({ tag, values, p: surestOf(own, tag) }))
    .filter(({ values }) => values.length >= leastValues)
    .toSorted(
      (one, other) => Number(together.includes(other.tag)) - Number(together.includes(one.tag)) || one.p - other.p,
    )
    .slice(0, 2)
    // The longer list reads better from top to bottom.
    .toSorted((one, other) => other.values.length - one.values.length);
  if (first === undefined || second === undefined) return null;
  const [lines, columns] = [largest(first.values, mostLines), largest(second.values, mostColumns)];
  const both = (line: JudgedSlice, column: JudgedSlice): SliceCell | null => {
    const name = { ...line.slice, and: column.slice };
    const pair = own.find(({ slice }) => isSameSlice(slice, name));
    return cellAt({ ...line, adjusted: pair?.adjusted ?? null }, line.slice.places.filter(column.slice.has));
  };
  return {
    across: second.tag,
    columns: [...columns.map(({ slice }) => slice.value), null],
    lines: [
      ...lines.map((line) => ({
        slice: { tag: line.slice.tag, value: line.slice.value },
        cells: [...columns.map((column) => both(line, column)), cellAt(line)],
      })),
      { slice: null, cells: [...columns.map((column) => cellAt(column)), null] },
    ],
    left: first.values.length - lines.length + second.values.length - columns.length,
  };
}

const surestOf = (judged: readonly JudgedSlice[], tag: string): number =>
  judged
    .filter(({ slice }) => valuesOf(slice).some((each) => each.tag === tag))
    .reduce((least, { adjusted }) => Math.min(least, adjusted ?? 2), 2);

const largest = (judged: readonly JudgedSlice[], count: number): JudgedSlice[] =>
  judged.toSorted((one, other) => other.slice.places.length - one.slice.places.length).slice(0, count);

/** The tags of the pair of values that differs most among those that are sure; empty: none is. */
function pairThatDiffers(judged: readonly JudgedSlice[]): string[] {
  const sure = judged.flatMap((each) => {
    const cell = each.slice.and === null || (each.adjusted ?? 1) > markLevel ? null : cellAt(each);
    return cell === null ? [] : [{ slice: each.slice, size: Math.abs(cell.difference) }];
  });
  const [most] = sure.toSorted((one, other) => other.size - one.size);
  return most === undefined ? [] : valuesOf(most.slice).map(({ tag }) => tag);
}

/** Null where none of the cases has the metric on both sides. */
function cellAt({ numbers, slice, adjusted }: JudgedSlice, places = slice.places): SliceCell | null {
  const { sum, ...turns } = turnsAt(numbers.differences, places);
  if (turns.cases === 0) return null;
  const difference = sum / turns.cases;
  return { ...turns, difference, p: adjusted, mark: markOf(difference, adjusted) };
}
