import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { scoreFigure, sidesFigures } from "../words/figures.ts";
import { counted } from "../words/quantity.ts";

type Reported = Pick<ReportSummary, "metrics" | "targets" | "pairs" | "gates" | "cases">;

/**
 * `the result compares the runs sent side by side: 0.110 s → 0.101 s`: beside the scores of the targets, over all that they
 * answered, where those that were compared are shown as others; null where they are the same.
 */
export function scoreBasis(metric: ReportMetric, { metrics, targets, pairs, gates, cases }: Reported): string | null {
  const place = metrics.indexOf(metric);
  const isOther = (name: string | undefined, compared: number | null): boolean => {
    const own = targets.find((target) => target.name === name)?.scores[place]?.value ?? null;
    return own !== null && compared !== null && scoreFigure(own, metric) !== scoreFigure(compared, metric);
  };
  const gate = gates.find(
    ({ slice: segment, candidate, baseline, now, ...each }) =>
      segment === null &&
      each.metric === metric.name &&
      (isOther(candidate, now) || isOther(pairs.find((pair) => pair.candidate === candidate)?.baseline, baseline)),
  );
  if (gate === undefined) return null;
  const isTimed = metric.type === "latency" && !metric.passes && targets.some(({ jobs }) => jobs > cases);
  const basis = isTimed
    ? `the ${metric.isMedian === true ? "medians of " : ""}runs sent side by side`
    : metric.isMedian === true
      ? "medians"
      : `the ${counted(gate.cases, "case")} in which both have a score`;
  return `the result compares ${basis}: ${sidesFigures(gate, metric).join(" → ")}`;
}
