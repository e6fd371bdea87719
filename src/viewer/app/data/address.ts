/** The view that is shown, as it stands behind the # of the address: a link brings somebody else to the same place. */
export interface Address {
  view: View;
  /** Key of the row that is open; null: none. */
  row: string | null;
  /** The candidate that is compared; null: the first. */
  target: string | null;
  /** The query of the rows that are listed: every button and link that narrows them down writes into it. */
  text: string;
  /** The list shows the answers of all targets, not of the two alone that are compared. */
  isAll: boolean;
  sort: AddressSort;
  /** Columns of the list beside those that it always has: figures by their names, of the sheet with `column:`, of JSON answers with `field:`. */
  columns: string[];
  /** The batch that is open, or the sides that are compared; only in the viewer. */
  batch: string | null;
  sides: string[];
  /** The batch that this one is compared with; null: the comparison it was run with. Only in the viewer. */
  against: string | null;
  /** The suite whose batches are shown over time; only in the viewer. */
  suite: string | null;
}

/** Goes to another place; `newEntry`: a step back for the browser leads away from it. */
export type SetAddress = (change: Partial<Address>, newEntry?: boolean) => void;

export const views = ["rows", "about"] as const;
export type View = (typeof views)[number];

export const sorts = ["rank", "place", "distance", "score", "slow", "since", "flips"] as const;
/** By the change of a metric: what lost most first is `change:METRIC`, what gained most `gain:METRIC`. */
export type ChangeSort = `change:${string}` | `gain:${string}`;
export type AddressSort = (typeof sorts)[number] | ChangeSort;

/** Columns that a list has room for. */
export const mostListColumns = 12;

export function readAddress(hash: string): Address {
  const given = parametersOf(hash.replace(/^#/, ""));
  return {
    view: oneOf(views, given.get("view")),
    row: given.get("row"),
    target: given.get("target"),
    text: given.get("q") ?? "",
    isAll: given.get("targets") === "all",
    sort: sortOf(given.get("sort")),
    columns: given.getAll("column").slice(0, mostListColumns),
    batch: given.get("batch"),
    sides: given.getAll("side"),
    against: given.get("against"),
    suite: given.get("suite"),
  };
}

/** The parameters of an address; of a short one, `BATCH` or `BATCH/ROW`, those of the run and its row. */
function parametersOf(text: string): URLSearchParams {
  if (text === "" || /[=&]/.test(text)) return new URLSearchParams(text);
  const [batch = "", ...row] = text.split("/");
  return new URLSearchParams({
    batch: decoded(batch),
    ...(row.length > 0 && { row: decoded(row.join("/")) }),
  });
}

/** A part of an address that somebody may have typed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a run or one of its rows that stays as it is for as long as the run is there, as short as it can be. */
export function shortAddress(batch: string, row: string | null): string {
  return `#${[batch, ...(row === null ? [] : [row])].map(encodeURIComponent).join("/")}`;
}

/** The address as it stands behind the #; what is as usual is left out. */
export function writeAddress(address: Address): string {
  const { view, row, target, text, isAll, sort, columns, batch, sides, against, suite } = address;
  const given = new URLSearchParams();
  if (batch !== null) given.set("batch", batch);
  for (const side of sides) given.append("side", side);
  if (against !== null) given.set("against", against);
  if (suite !== null) given.set("suite", suite);
  if (row !== null) given.set("row", row);
  if (target !== null) given.set("target", target);
  if (view !== "rows") given.set("view", view);
  if (text !== "") given.set("q", text);
  if (isAll) given.set("targets", "all");
  if (sort !== "rank") given.set("sort", sort);
  for (const column of columns) given.append("column", column);
  return `#${given.toString()}`;
}

function sortOf(given: string | null): AddressSort {
  return given !== null && isChangeSort(given) ? given : oneOf(sorts, given);
}

export const isChangeSort = (sort: string): sort is ChangeSort => /^(?:change|gain):/.test(sort);

/** The first is meant where nothing, or nothing known, is given. */
function oneOf<Known extends string>(known: readonly [Known, ...Known[]], given: string | null): Known {
  return known.find((each) => each === given) ?? known[0];
}
