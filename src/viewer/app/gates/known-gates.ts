import type { ReportGate, ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { type Reach, reachOfIntervals } from "../parts/interval.tsx";
import { byGravity } from "../parts/standing.ts";

/** A gate with what is needed to show it. */
export interface KnownGate {
  gate: ReportGate;
  metric: ReportMetric;
  baseline: string;
  /** Drawn on one scale: every gate of a metric. */
  reach: Reach;
}

/** Every gate with its metric, the gravest first. */
export function knownGates({ gates, metrics, pairs }: ReportSummary): KnownGate[] {
  return byGravity(gates).flatMap((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const baseline = pairs.find((pair) => pair.candidate === gate.candidate)?.baseline ?? "";
    if (metric === undefined) return [];
    const reach = reachOfIntervals(
      gates.filter((each) => each.metric === gate.metric),
      metric,
    );
    return [{ gate, metric, baseline, reach }];
  });
}
