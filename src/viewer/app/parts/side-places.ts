import type { ReportSummary } from "../../../report/shape/model.ts";

/** Places of the two sides that are shown beside each other, the baseline first; or of the first targets when nothing is compared. */
export function sidePlaces(summary: ReportSummary, candidate: number): { places: number[]; compared: boolean } {
  const pair = summary.pairs[candidate];
  const places = [pair?.baseline, pair?.candidate].map((name) =>
    summary.targets.findIndex((target) => target.name === name),
  );
  if (!places.includes(-1)) return { places, compared: true };
  return { places: summary.targets.map((_, index) => index).slice(0, 2), compared: false };
}
