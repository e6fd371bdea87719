import type { RowGroup } from "../../../report/shape/row-group.ts";
import { rowFilters } from "../../../report/model/row-filters.ts";
import { type Labelled, labelledChoices } from "../../api.ts";
import { readTags, type TagValue, writeTags } from "../../tags.ts";

/** The view that is shown, as it stands behind the # of the address: a link brings somebody else to the same place. */
export interface Address {
  view: View;
  /** Key of the row that is open; null: none. */
  row: string | null;
  /** The candidate that is compared; null: the first. */
  target: string | null;
  show: Show;
  /** Rows have one value of each tag that is named. */
  tags: TagValue[];
  text: string;
  /** Rows that have one thing in common; empty: all. */
  group: RowGroup;
  labelled: Labelled;
  sort: AddressSort;
  /** Columns of the list beside those that it always has: figures by their names, columns of the sheet with `column:`. */
  columns: string[];
  /** The batch that is open, or the sides that are compared; only in the viewer. */
  batch: string | null;
  sides: string[];
  /** The batch that this one is compared with; null: the comparison it was run with. Only in the viewer. */
  against: string | null;
  /** The suite whose batches are shown over time; only in the viewer. */
  suite: string | null;
  /** The batch whose drawn cases are labelled; only in the viewer. */
  draw: string | null;
}

/** Goes to another place; `newEntry`: a step back for the browser leads away from it. */
export type SetAddress = (change: Partial<Address>, newEntry?: boolean) => void;

export const views = ["rows", "charts", "about"] as const;
export type View = (typeof views)[number];

const shows = ["all", ...rowFilters] as const;
export type Show = (typeof shows)[number];

export const sorts = ["rank", "place", "distance", "score", "slow"] as const;
/** By the change of a metric, what lost most first, is `change:METRIC`. */
export type AddressSort = (typeof sorts)[number] | `change:${string}`;

/** Columns that a list has room for. */
export const mostListColumns = 12;

export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    view: oneOf(views, given.get("view")),
    row: given.get("row"),
    target: given.get("target"),
    show: oneOf(shows, given.get("show")),
    tags: readTags(given.getAll("tag")),
    text: given.get("q") ?? "",
    group: given.getAll("group"),
    labelled: oneOf(labelledChoices, given.get("labelled")),
    sort: sortOf(given.get("sort")),
    columns: given.getAll("column").slice(0, mostListColumns),
    batch: given.get("batch"),
    sides: given.getAll("side"),
    against: given.get("against"),
    suite: given.get("suite"),
    draw: given.get("draw"),
  };
}

/** The address as it stands behind the #; what is as usual is left out. */
export function writeAddress(address: Address): string {
  const { view, row, target, show, tags, text, group, labelled, sort, columns, batch, sides, against, suite, draw } =
    address;
  const given = new URLSearchParams();
  if (batch !== null) given.set("batch", batch);
  for (const side of sides) given.append("side", side);
  if (against !== null) given.set("against", against);
  if (suite !== null) given.set("suite", suite);
  if (draw !== null) given.set("draw", draw);
  if (row !== null) given.set("row", row);
  if (target !== null) given.set("target", target);
  if (view !== "rows") given.set("view", view);
  if (show !== "all") given.set("show", show);
  writeTags(given, tags);
  if (text !== "") given.set("q", text);
  for (const part of group) given.append("group", part);
  if (labelled !== "any") given.set("labelled", labelled);
  if (sort !== "rank") given.set("sort", sort);
  for (const column of columns) given.append("column", column);
  return `#${given.toString()}`;
}

function sortOf(given: string | null): AddressSort {
  return given !== null && isChangeSort(given) ? given : oneOf(sorts, given);
}

export const isChangeSort = (sort: string): sort is `change:${string}` => sort.startsWith("change:");

/** The part of an address that is a view of rows, whatever batch it is of. */
export function viewOfRows({ target, show, tags, text, group, labelled, sort, columns }: Address): string {
  return writeAddress({ ...readAddress(""), target, show, tags, text, group, labelled, sort, columns });
}

/** An address with the view of rows that another one has. */
export function withView(address: Address, view: string): Address {
  const { target, show, tags, text, group, labelled, sort, columns } = readAddress(view);
  return { ...address, view: "rows", row: null, target, show, tags, text, group, labelled, sort, columns };
}

/** The first is meant where nothing, or nothing known, is given. */
function oneOf<Known extends string>(known: readonly [Known, ...Known[]], given: string | null): Known {
  return known.find((each) => each === given) ?? known[0];
}
