import type { ReportSummary } from "../../../report/shape/model.ts";
import { changeOrder } from "../../../report/model/row-loss.ts";
import { type AddressSort, isChangeSort, sorts } from "../data/address.ts";
import type { Source } from "../data/source.ts";

const sortNames: Record<(typeof sorts)[number], string> = {
  rank: "Most telling first",
  place: "As in the dataset",
  distance: "Most different first",
  score: "Lowest score first",
  slow: "Slowest first",
  since: "Newest change first",
  flips: "Most changes first",
};

/** An order in words. */
export function sortName(sort: AddressSort): string {
  if (!isChangeSort(sort)) return sortNames[sort];
  const [, turn, metric] = /^(change|gain):(.*)$/su.exec(sort) ?? [];
  return `${turn === "gain" ? "Gained" : "Lost"} most by ${metric} first`;
}

const ofNights: ReadonlySet<AddressSort> = new Set(["since", "flips"]);

/** Orders of the list; by the change of each metric where something is compared. */
export function sortsOf({ summary, actions }: Source, candidate: number): AddressSort[] {
  const { metrics, pairs } = summary;
  const changed = pairs[candidate] === undefined ? [] : metrics;
  return [
    // A file knows of no other night.
    ...sorts.filter((sort) => actions !== null || !ofNights.has(sort)),
    ...changed.flatMap(({ name }): AddressSort[] => [`change:${name}`, `gain:${name}`]),
  ];
}

/** Orders that clicks on a column head lead to, one after the other; after the last the list is as it was at first. */
export interface HeadSorts {
  row: readonly AddressSort[];
  /** Those of the answers, where one target stands alone. */
  answer: readonly AddressSort[];
  change: readonly AddressSort[];
}

export function headSorts(
  { metrics, targets }: Pick<ReportSummary, "metrics" | "targets">,
  now: AddressSort,
): HeadSorts {
  // Whoever sorts by the change of another metric stays with it.
  const name = metrics[changeOrder(now, metrics)?.metric ?? 0]?.name;
  return {
    row: ["place"],
    answer: targets.length > 1 ? [] : [metrics.length > 0 ? "score" : "slow"],
    change: name === undefined ? ["distance"] : [`change:${name}`, `gain:${name}`],
  };
}

/** The order after a click on a head with these orders. */
export function nextSort(orders: readonly AddressSort[], now: AddressSort): AddressSort {
  return orders[orders.indexOf(now) + 1] ?? "rank";
}

/** The direction of an order in its column: a change goes up from what lost most. */
export function directionOf(sort: AddressSort): "ascending" | "descending" {
  const isUp = sort === "place" || sort === "score" || sort.startsWith("change:");
  return isUp ? "ascending" : "descending";
}
