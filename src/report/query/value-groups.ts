/** The rows of a list with one value of the tag that it is grouped by. */
export interface RowsOfValue {
  /** Empty: rows without the tag; null: the values beyond those that stand by themselves. */
  value: string | null;
  rows: number;
}

/** Values that stand by themselves, the most frequent ones. */
const mostValues = 200;

/**
 * Puts the rows of a list in groups by their value of a tag: the value with most rows first, rows without one last. Within a
 * group they keep their order.
 */
export function byValue<Row>(
  rows: Iterable<Row>,
  valueOf: (row: Row) => string,
): { rows: Row[]; groups: RowsOfValue[] } {
  const known = new Map<string, Row[]>();
  for (const row of rows) {
    const value = valueOf(row);
    const own = known.get(value);
    if (own === undefined) known.set(value, [row]);
    else own.push(row);
  }
  const without = known.get("") ?? [];
  known.delete("");
  const ordered = Array.from(known).toSorted(
    ([one, its], [other, others]) => others.length - its.length || (one < other ? -1 : 1),
  );
  const [shown, left] = [ordered.slice(0, mostValues), ordered.slice(mostValues).flatMap(([, own]) => own)];
  const groups: [value: string | null, rows: Row[]][] = [...shown, [null, left], ["", without]];
  const filled = groups.filter(([, own]) => own.length > 0);
  return {
    rows: filled.flatMap(([, own]) => own),
    groups: filled.map(([value, own]) => ({ value, rows: own.length })),
  };
}
