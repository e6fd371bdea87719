import type { ReportRow } from "../shape/row.ts";
import { gradedOf, hasFailed } from "./row-figures.ts";
import { runFigure } from "./run-figures.ts";

/** Filters of the rows, which pages and agents name alike. */
export const rowFilters = [
  "worse",
  "better",
  "failed",
  "passed",
  "errors",
  "slow",
  "different",
  "changed",
  "flaky",
  "members",
  "split",
] as const;
export type RowFilter = (typeof rowFilters)[number];

/** True for a row that a filter finds; `slowFrom`: time in milliseconds from which an answer is slow. */
export function isShown(
  row: ReportRow,
  filter: RowFilter,
  { pair, slowFrom }: { pair: number; slowFrom: number },
): boolean {
  const change = row.changes[pair];
  switch (filter) {
    case "worse":
    case "better":
      return change?.trend === filter;
    case "failed":
      return gradedOf(row) === "missed";
    case "passed":
      return gradedOf(row) === "passed";
    case "errors":
      return hasFailed(row);
    case "slow":
      return slowestOf(row) >= slowFrom;
    case "different":
      return change !== undefined && change.kind !== "same" && change.kind !== "not-compared";
    case "changed":
      return change?.kind === "changed";
    case "flaky":
      return row.sides.some(({ flaky }) => flaky === true);
    case "members":
      return (change?.members.length ?? 0) > 0;
    case "split":
      return new Set(primaryScores(row)).size > 1;
  }
}

/** The scores of the targets by the primary metric, where they have one. */
const primaryScores = ({ sides }: Pick<ReportRow, "sides">): number[] =>
  sides.flatMap(({ scores: [score] }) => score?.value ?? []);

/** The lowest of them; infinite where none is known. */
export const lowestScore = (row: Pick<ReportRow, "sides">): number => Math.min(...primaryScores(row));

/** The longest time of a row's answers in milliseconds; -1 where none is known. */
export function slowestOf({ sides }: Pick<ReportRow, "sides">): number {
  return Math.max(-1, ...sides.map(({ runs: [first] }) => runFigure(first, "time") ?? -1));
}

/** The share of rows that count as slow. */
const slowShare = 0.05;

/** The time from which a row is one of the slowest twentieth; of so few rows that this is none, the slowest one's. */
export function timeOfSlow(times: Float32Array): number {
  const known = times.filter((time) => time >= 0).toSorted();
  return known.at(-Math.max(1, Math.floor(known.length * slowShare))) ?? Number.POSITIVE_INFINITY;
}
