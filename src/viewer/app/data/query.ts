import type { ReportFrame } from "../../../report/shape/reporter.ts";
import type { ReportRow } from "../../../report/shape/row.ts";
import { countedScore, type CountingRule, meansOf } from "../../../report/model/counted-score.ts";
import { rankOfRow } from "../../../report/model/row-figures.ts";
import {
  isShown,
  lowestScore,
  type RowFilter,
  rowFilters,
  slowestOf,
  timeOfSlow,
} from "../../../report/model/row-filters.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { changeOrder, greatestFirst } from "../../../report/model/row-loss.ts";
import { type AddressSort, type ChangeSort, isChangeSort } from "./address.ts";
import type { ListQuery, RowList } from "./source.ts";
import { type Query, type QueryFault, readQuery } from "../../../report/query/query-text.ts";
import {
  filtersApart,
  queryFrame,
  type RowCondition,
  rowVocabulary,
  sidesOfPair,
} from "../../../report/query/row-conditions.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { finds, type QueriedRow } from "./row-query.ts";

/** A row as it is held in the page, with its line of the list. */
export interface HeldRow extends QueriedRow {
  head: RowHead;
}

/** A query that was read, and what is known of the report that it is about. */
export interface AskedQuery {
  asked: Query<RowCondition>;
  frame: ReportFrame;
  /** The rows that count for the mean of each target; left out: no mean is asked for. */
  counting?: readonly CountingRule[] | null;
}

/** The reason why a query cannot be read for a report; null: it can. */
export function faultOfQuery(text: string, summary: ReportSummary, candidate: number): QueryFault | null {
  return readQuery(text, rowVocabulary(queryFrame(summary), candidate)).fault;
}

/** The list of a query that cannot be read. */
export const noRows: RowList = {
  matched: 0,
  counts: null,
  means: null,
  failure: null,
  head: () => null,
  indexOf: () => null,
};

/** The rows that a query finds, in its order, and how many each filter finds within its other conditions. */
export function findRows(
  rows: readonly HeldRow[],
  query: ListQuery,
  { asked, frame, counting = null }: AskedQuery,
): { found: RowHead[]; counts: Record<string, number>; means: RowList["means"] } {
  const { candidate: pair } = query;
  const { filters, rest } = filtersApart(asked);
  const about = { frame, pair, slowFrom: timeOfSlow(Float32Array.from(rows, ({ row }) => slowestOf(row))) };
  const met = rows.filter((each) => finds(rest, each, about));
  const shownBy = (filter: RowFilter) => met.filter(({ row }) => isShown(row, filter, about));
  const counts = rowFilters.map((filter) => [filter, shownBy(filter).length]);
  const shown = met.filter(({ row }) => filters.every((filter) => isShown(row, filter, about)));
  return {
    found: sorted(shown, query, frame).map(({ head }) => head),
    counts: Object.fromEntries([["all", met.length], ...counts]),
    means:
      counting === null
        ? null
        : meansOf(
            shown.map(({ row }) => counting.map((rule, side) => countedScore(row, side, rule))),
            counting.length,
          ),
  };
}

function sorted(rows: HeldRow[], { sort, candidate }: ListQuery, frame: ReportFrame): HeldRow[] {
  const order = isChangeSort(sort) ? changeIn(sort, frame, candidate) : orders[sort];
  if (order === null) return rows;
  const keys = new Map(rows.map((each) => [each, order(each.row, candidate)]));
  const keyOf = (each: HeldRow): number => keys.get(each) ?? 0;
  return rows.toSorted((a, b) => greatestFirst(keyOf(a), keyOf(b)) || a.row.place - b.row.place);
}

/** Sorts by the change of a metric; rows that cannot be compared by it come last. By a metric that is not here all are alike. */
function changeIn(sort: ChangeSort, frame: ReportFrame, pair: number): (row: ReportRow) => number {
  const order = changeOrder(sort, frame.metrics);
  if (order === null) return () => 0;
  const { metric, key } = order;
  const { baseline = -1, candidate = -1 } = sidesOfPair(frame, pair) ?? {};
  const scoreOf = ({ sides }: ReportRow, side: number): number | null => sides[side]?.scores[metric]?.value ?? null;
  return (row) => key({ baseline: scoreOf(row, baseline), candidate: scoreOf(row, candidate) });
}

/** Number that a row is sorted by, the highest first; null: the order of the dataset. */
const orders: Record<Exclude<AddressSort, ChangeSort>, ((row: ReportRow, candidate: number) => number) | null> = {
  place: null,
  rank: rankOfRow,
  distance: (row, candidate) => row.changes[candidate]?.distance ?? -1,
  // Rows without a score come last.
  score: (row) => -lowestScore(row),
  slow: slowestOf,
  // The database alone knows the nights before.
  since: null,
  flips: null,
};
