import type { ReportMetric } from "../shape/model.ts";

/** The scores of a row by a metric; null: there is none. */
interface ScoredSides {
  baseline: number | null;
  candidate: number | null;
}

/**
 * The loss of a row by a metric: above 0 the candidate is worse, by the difference of the values, or where differences are
 * shares by the share. Null where it cannot be compared.
 */
function rowLoss(metric: ReportMetric, { baseline, candidate }: ScoredSides): number | null {
  if (baseline === null || candidate === null) return null;
  const difference =
    metric.relative && baseline !== 0 ? (candidate - baseline) / Math.abs(baseline) : candidate - baseline;
  // As an index keeps it: what differs by less is the same.
  return Math.fround(metric.lowerIsBetter ? difference : 0 - difference);
}

/** Key of a row that cannot be compared: it comes last, whatever comes first. */
const last = Number.NEGATIVE_INFINITY;

/**
 * The order by the change of a metric that an address names: `change:METRIC` has what lost most first, `gain:METRIC` what gained
 * most. `metric` is its place, `key` the number of a row, the greatest first. Null: it is no such order, or of no metric that is here.
 */
export function changeOrder(
  sort: string,
  metrics: readonly ReportMetric[],
): { metric: number; key: (sides: ScoredSides) => number } | null {
  for (const [place, metric] of metrics.entries()) {
    if (sort === `change:${metric.name}`) return { metric: place, key: (sides) => rowLoss(metric, sides) ?? last };
    if (sort === `gain:${metric.name}`) return { metric: place, key: (sides) => 0 - (rowLoss(metric, sides) ?? -last) };
  }
  return null;
}

/** Order of two keys, the greatest first; also of infinite ones. */
export const greatestFirst = (one: number, other: number): number => (one === other ? 0 : other > one ? 1 : -1);
