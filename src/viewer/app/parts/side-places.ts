import type { ReportSummary } from "../../../report/shape/model.ts";

/**
 * Places of the two sides that are shown beside each other, the baseline first; or of the first targets when nothing is compared.
 * With `isAll` those of all targets, in their own order.
 */
export function sidePlaces(
  { pairs, targets }: ReportSummary,
  candidate: number,
  isAll = false,
): { places: number[]; compared: boolean } {
  const pair = pairs[candidate];
  const places = [pair?.baseline, pair?.candidate].map((name) => targets.findIndex((target) => target.name === name));
  const compared = !places.includes(-1);
  const all = targets.map((_, index) => index);
  return { places: isAll ? all : compared ? places : all.slice(0, 2), compared };
}
