import type { ReportMetric } from "../shape/model.ts";

/**
 * The loss of a row by a metric, by which rows are sorted: above 0 the candidate is worse, by the difference of the values, or
 * where differences are shares by the share. -Infinity where it cannot be compared.
 */
export function rowLoss(
  metric: ReportMetric | undefined,
  { baseline, candidate }: { baseline: number | null; candidate: number | null },
): number {
  if (metric === undefined || baseline === null || candidate === null) return Number.NEGATIVE_INFINITY;
  const difference =
    metric.relative && baseline !== 0 ? (candidate - baseline) / Math.abs(baseline) : candidate - baseline;
  // As an index keeps it: what differs by less is the same.
  return Math.fround(metric.lowerIsBetter ? difference : 0 - difference);
}

/** Order of two keys, the greatest first; also of infinite ones. */
export const greatestFirst = (one: number, other: number): number => (one === other ? 0 : other > one ? 1 : -1);
