import type { ReportFrame } from "../../report/shape/reporter.ts";
import { reportMetrics } from "../../report/model/model-gates.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";

/** The facts that are known about a comparison before its first row is read. */
export function reportFrame({ sides, pairs, metrics }: PlannedComparison["settings"]): ReportFrame {
  const nameOf = (place: number): string => sides[place]?.target ?? "";
  return {
    targets: sides.map(({ target }) => target),
    pairs: pairs.map(({ baseline, candidate }) => ({ baseline: nameOf(baseline), candidate: nameOf(candidate) })),
    metrics: reportMetrics(metrics),
  };
}
