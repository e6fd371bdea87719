import type { RowFigures } from "../shape/row-head.ts";

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
  row: RowFigures,
  filter: RowFilter,
  { pair, slowFrom }: { pair: number; slowFrom: number },
): boolean {
  const change = row.changes[pair];
  switch (filter) {
    case "worse":
      return change?.trend === "worse";
    case "better":
      return change?.trend === "better";
    case "failed":
      return row.graded === "missed";
    case "passed":
      return row.graded === "passed";
    case "errors":
      return row.failed;
    case "slow":
      return slowestOf(row) >= slowFrom;
    case "different":
      return change !== undefined && change.kind !== "same" && change.kind !== "not-compared";
    case "changed":
      return change?.kind === "changed";
    case "flaky":
      return row.flaky;
    case "members":
      return (change?.members ?? 0) > 0;
    case "split":
      return isSplit(row);
  }
}

/** True where the targets that have a score by the primary metric do not all have the same. */
function isSplit({ sides }: RowFigures): boolean {
  const [first, ...others] = sides.flatMap(({ scores: [score] }) => (typeof score === "number" ? [score] : []));
  return others.some((score) => score !== first);
}

/** The longest time of a row's answers in milliseconds; -1 where none is known. */
export function slowestOf({ sides }: Pick<RowFigures, "sides">): number {
  return Math.max(-1, ...sides.map(({ latencyMs }) => latencyMs ?? -1));
}

/** The share of rows that count as slow. */
const slowShare = 0.05;

/** The time from which a row is one of the slowest twentieth; of so few rows that this is none, the slowest one's. */
export function timeOfSlow(times: Float32Array): number {
  const known = times.filter((time) => time >= 0).toSorted();
  return known.at(-Math.max(1, Math.floor(known.length * slowShare))) ?? Number.POSITIVE_INFINITY;
}
