import type { ReportFrame } from "../../../report/shape/reporter.ts";
import type { ReportRow } from "../../../report/shape/row.ts";
import { rankOfRow } from "../../../report/model/row-figures.ts";
import { isShown, rowFilters, slowestOf, timeOfSlow } from "../../../report/model/row-filters.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { changeOrder, greatestFirst } from "../../../report/model/row-loss.ts";
import { type AddressSort, type ChangeSort, isChangeSort } from "./address.ts";
import type { ListQuery, RowList } from "./source.ts";
import { type Query, type QueryFault, readQuery } from "../../../report/query/query-text.ts";
import { queryFrame, type RowCondition, rowVocabulary } from "../../../report/query/row-conditions.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { filtersApart, finds, type QueriedRow, sidesOfPair } from "../../../report/query/row-query.ts";
import type { LabelChoice } from "../../../report/query/row-terms.ts";

/** A row as it is held in the page; `words` is what a search looks at. */
export interface HeldRow {
  row: ReportRow;
  head: RowHead;
  words: string;
  /** Words for the labels of its answers. */
  said: ReadonlySet<LabelChoice>;
}

/** A query that was read, and what is known of the report that it is about. */
export interface AskedQuery {
  asked: Query<RowCondition>;
  frame: ReportFrame;
}

/** The reason why a query cannot be read for a report; null: it can. */
export function faultOfQuery(text: string, summary: ReportSummary, candidate: number): QueryFault | null {
  return readQuery(text, rowVocabulary(queryFrame(summary), candidate)).fault;
}

/** The list of a query that cannot be read. */
export const noRows: RowList = {
  matched: 0,
  counts: null,
  failure: null,
  head: () => null,
  indexOf: () => null,
};

/** The rows that a query finds, in its order, and how many each filter finds within its other conditions. */
export function findRows(
  rows: readonly HeldRow[],
  query: ListQuery,
  { asked, frame }: AskedQuery,
): { found: RowHead[]; counts: Record<string, number> } {
  const { candidate: pair } = query;
  const { filters, rest } = filtersApart(asked);
  const given = { pair, slowFrom: timeOfSlow(Float32Array.from(rows, ({ head }) => slowestOf(head))) };
  const about = { ...given, sides: sidesOfPair(frame, pair), frame };
  const heads = rows.flatMap((row) => (finds(rest, queried(row), about) ? [row.head] : []));
  const counts = rowFilters.map((filter) => [filter, heads.filter((head) => isShown(head, filter, given)).length]);
  const met = heads.filter((head) => filters.every((filter) => isShown(head, filter, given)));
  const found = sorted(met, query, frame);
  return { found, counts: Object.fromEntries([["all", heads.length], ...counts]) };
}

const queried = ({ row, head, words, said }: HeldRow): QueriedRow => ({
  row,
  figures: head,
  words: () => words,
  said: () => said,
});

function sorted(rows: RowHead[], { sort, candidate }: ListQuery, frame: ReportFrame): RowHead[] {
  const order = isChangeSort(sort) ? changeIn(sort, frame, candidate) : orders[sort];
  if (order === null) return rows;
  const keys = new Map(rows.map((row) => [row, order(row, candidate)]));
  const keyOf = (row: RowHead): number => keys.get(row) ?? 0;
  return rows.toSorted((a, b) => greatestFirst(keyOf(a), keyOf(b)) || a.place - b.place);
}

/** Sorts by the change of a metric; rows that cannot be compared by it come last. By a metric that is not here all are alike. */
function changeIn(sort: ChangeSort, { metrics, pairs, targets }: ReportFrame, pair: number): (head: RowHead) => number {
  const order = changeOrder(sort, metrics);
  const [before, now] = [pairs[pair]?.baseline ?? "", pairs[pair]?.candidate ?? ""].map((name) =>
    targets.indexOf(name),
  );
  if (order === null) return () => 0;
  const { metric, key } = order;
  return ({ sides }) =>
    key({
      baseline: sides[before ?? -1]?.scores[metric] ?? null,
      candidate: sides[now ?? -1]?.scores[metric] ?? null,
    });
}

/** Number that a row is sorted by, the highest first; null: the order of the dataset. */
const orders: Record<Exclude<AddressSort, ChangeSort>, ((head: RowHead, candidate: number) => number) | null> = {
  place: null,
  rank: rankOfRow,
  distance: (head, candidate) => head.changes[candidate]?.distance ?? -1,
  // Rows without a score come last.
  score: (head) => -Math.min(...head.sides.map(({ scores }) => scores[0] ?? Infinity)),
  slow: slowestOf,
  // The database alone knows the nights before.
  since: null,
  flips: null,
};
