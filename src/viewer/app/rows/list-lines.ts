import type { RowsOfValue } from "../../../report/query/value-groups.ts";

/** A line of the list: the head of a group, or a row by its number in the list. */
type ListLine = { group: RowsOfValue } | { row: number };

/** The lines of a list that is in groups, of which some are folded. */
export interface ListLines {
  count: number;
  at: (line: number) => ListLine;
  /** The line of a row; that of its group's head where it is folded. */
  ofRow: (row: number) => number;
  groupOf: (row: number) => RowsOfValue | null;
}

/** The key by which a group is folded. */
export const groupKey = ({ value }: RowsOfValue): string => JSON.stringify(value);

/** Lays the rows of a list out in lines; without groups a row is a line. */
export function listLines(rows: number, groups: readonly RowsOfValue[], folded: ReadonlySet<string>): ListLines {
  if (groups.length === 0) {
    return { count: rows, at: (line) => ({ row: line }), ofRow: (row) => row, groupOf: () => null };
  }
  let [line, row] = [0, 0];
  const laid = groups.map((group) => {
    const isFolded = folded.has(groupKey(group));
    const begin = { group, isFolded, line, row };
    line += 1 + (isFolded ? 0 : group.rows);
    row += group.rows;
    return begin;
  });
  const last = (isBehind: (begin: (typeof laid)[number]) => boolean) =>
    laid.findLast((begin) => !isBehind(begin)) ?? laid[0];
  return {
    count: line,
    at(wanted) {
      const begin = last((each) => each.line > wanted);
      if (begin === undefined) return { row: wanted };
      return wanted === begin.line ? { group: begin.group } : { row: begin.row + wanted - begin.line - 1 };
    },
    ofRow(wanted) {
      const begin = last((each) => each.row > wanted);
      if (begin === undefined) return wanted;
      return begin.isFolded ? begin.line : begin.line + 1 + wanted - begin.row;
    },
    groupOf: (wanted) => last((each) => each.row > wanted)?.group ?? null,
  };
}
