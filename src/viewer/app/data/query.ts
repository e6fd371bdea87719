import { folded } from "../../../report/model/row-figures.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { valuesByTag } from "../../tags.ts";
import type { Show, AddressSort } from "./address.ts";
import type { ListQuery } from "./source.ts";

/** A row as it is held in the page; `words` is what a search looks at. */
export interface HeldRow {
  head: RowHead;
  words: string;
}

/** The rows that a query finds, in its order. */
export function findRows(rows: readonly HeldRow[], query: ListQuery): RowHead[] {
  const { show, candidate } = query;
  const tags = Array.from(valuesByTag(query.tags));
  const terms = folded(query.text).split(/\s+/u).filter(Boolean);
  const found: RowHead[] = [];
  for (const { head, words } of rows) {
    if (!isShown(head, show, candidate)) continue;
    if (!tags.every(([name, values]) => values.includes(head.tags[name] ?? ""))) continue;
    if (terms.every((term) => words.includes(term))) found.push(head);
  }
  const order = orders[query.sort];
  return order === null
    ? found
    : found.toSorted((a, b) => order(b, candidate) - order(a, candidate) || a.place - b.place);
}

export function isShown(head: RowHead, show: Show, candidate: number): boolean {
  const change = head.changes[candidate];
  switch (show) {
    case "all":
      return true;
    case "changed":
      return change?.kind === "changed";
    case "different":
      return change !== undefined && change.kind !== "same" && change.kind !== "not-compared";
    case "worse":
      return change?.trend === "worse";
    case "better":
      return change?.trend === "better";
    case "errors":
      return head.failed;
    case "flaky":
      return head.flaky;
    case "members":
      return (change?.members ?? 0) > 0;
  }
}

/** Number that a row is sorted by, the highest first; null: the order of the dataset. */
const orders: Record<AddressSort, ((head: RowHead, candidate: number) => number) | null> = {
  place: null,
  rank: (head, candidate) => head.changes[candidate]?.rank ?? (head.failed ? 1 : 0),
  distance: (head, candidate) => head.changes[candidate]?.distance ?? -1,
  // Rows without a score come last.
  score: (head) => -Math.min(...head.sides.map(({ scores }) => scores[0] ?? Infinity)),
  slow: (head) => Math.max(...head.sides.map(({ latencyMs }) => latencyMs ?? -1)),
};
