import type { ReportRow } from "../shape/row.ts";

/** Rows that count for a target: those that a pair compares, where there is one, and in which all these sides have a score. Null: none. */
export type CountingRule = { pair: number | null; sides: readonly number[] } | null;

/** The score of a side of a row by the primary metric, as the figures of the result count it; null: they leave the row out. */
export function countedScore(row: ReportRow, side: number, rule: CountingRule): number | null {
  if (rule === null || (rule.pair !== null && !isComparedIn(row, rule.pair))) return null;
  return rule.sides.some((each) => scoreAsCounted(row, each) === null) ? null : scoreAsCounted(row, side);
}

/** True where a pair compares a row by the primary metric. */
export const isComparedIn = ({ changes }: ReportRow, pair: number): boolean =>
  (changes[pair]?.turns?.[0] ?? null) !== null;

export function scoreAsCounted({ sides }: ReportRow, side: number): number | null {
  const own = sides[side];
  return own?.counted ?? own?.scores[0]?.value ?? null;
}

/** The mean of each target over rows that give its score, or null; null where none does. */
export function meansOf(rows: Iterable<readonly (number | null)[]>, targets: number): (number | null)[] {
  const sums = Array.from({ length: targets }, () => ({ sum: 0, rows: 0 }));
  for (const scores of rows) {
    for (const [side, score] of scores.entries()) {
      const own = sums[side];
      if (own === undefined || score === null) continue;
      own.sum += score;
      own.rows += 1;
    }
  }
  return sums.map(({ sum, rows: count }) => (count === 0 ? null : sum / count));
}
