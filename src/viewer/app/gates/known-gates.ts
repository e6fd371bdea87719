import type { ReportGate, ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { speedBasis } from "../../../report/model/speed-basis.ts";
import { type Reach, reachOfIntervals } from "../parts/interval.tsx";
import { byGravity } from "../parts/standing.ts";

/** A gate with what is needed to show it. */
export interface KnownGate {
  gate: ReportGate;
  metric: ReportMetric;
  baseline: string;
  /** Drawn on one scale: every gate of a metric. */
  reach: Reach;
  /** The runs that the figures of a speed are of; null for what is no speed. */
  speed: string | null;
}

/** Every gate with its metric, the gravest first. */
export function knownGates(summary: ReportSummary): KnownGate[] {
  const { gates, metrics, pairs } = summary;
  return byGravity(gates).flatMap((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const baseline = pairs.find((pair) => pair.candidate === gate.candidate)?.baseline ?? "";
    if (metric === undefined) return [];
    const reach = reachOfIntervals(
      gates.filter((each) => each.metric === gate.metric),
      metric,
    );
    return [{ gate, metric, baseline, reach, speed: speedBasis(gate, metric, summary) }];
  });
}
