import type { ReportFrame } from "../../../report/shape/reporter.ts";
import type { ReportRow } from "../../../report/shape/row.ts";
import { isInGroup } from "../../../report/model/row-groups.ts";
import { rankOfRow } from "../../../report/model/row-figures.ts";
import { isShown, rowFilters, slowestOf, timeOfSlow } from "../../../report/model/row-filters.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { valuesByTag } from "../../tags.ts";
import type { AddressSort } from "./address.ts";
import type { ListQuery } from "./source.ts";
import { folded } from "../../../text/search-fold.ts";

/** A row as it is held in the page; `words` is what a search looks at. */
export interface HeldRow {
  row: ReportRow;
  head: RowHead;
  words: string;
  /** Somebody labelled one of its answers. */
  labelled: boolean;
}

/** The rows that a query finds, in its order, and how many each filter finds within its other conditions. */
export function findRows(
  rows: readonly HeldRow[],
  query: ListQuery,
  frame: ReportFrame,
): { found: RowHead[]; counts: Record<string, number> } {
  const { show, candidate: pair, labelled, group = [] } = query;
  const tags = Array.from(valuesByTag(query.tags));
  const terms = folded(query.text).split(/\s+/u).filter(Boolean);
  const within = rows.filter(
    (row) =>
      (labelled === "any" || row.labelled === (labelled === "yes")) &&
      tags.every(([name, values]) => values.includes(row.head.tags[name] ?? "")) &&
      terms.every((term) => row.words.includes(term)) &&
      (group.length === 0 || isInGroup(row.row, group, { frame, pair })),
  );
  const given = { pair, slowFrom: timeOfSlow(Float32Array.from(rows, ({ head }) => slowestOf(head))) };
  const heads = within.map(({ head }) => head);
  const counts = rowFilters.map((filter) => [filter, heads.filter((head) => isShown(head, filter, given)).length]);
  const found = show === "all" ? heads : heads.filter((head) => isShown(head, show, given));
  return { found: sorted(found, query), counts: Object.fromEntries([["all", heads.length], ...counts]) };
}

function sorted(rows: RowHead[], { sort, candidate }: ListQuery): RowHead[] {
  const order = orders[sort];
  return order === null
    ? rows
    : rows.toSorted((a, b) => order(b, candidate) - order(a, candidate) || a.place - b.place);
}

/** Number that a row is sorted by, the highest first; null: the order of the dataset. */
const orders: Record<AddressSort, ((head: RowHead, candidate: number) => number) | null> = {
  place: null,
  rank: rankOfRow,
  distance: (head, candidate) => head.changes[candidate]?.distance ?? -1,
  // Rows without a score come last.
  score: (head) => -Math.min(...head.sides.map(({ scores }) => scores[0] ?? Infinity)),
  slow: slowestOf,
};
