import type { Night, NightTarget } from "../shape/history.ts";
import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import { scoreFigure } from "../say/figures.ts";
import { duration } from "../say/quantity.ts";

type Reported = Pick<ReportSummary, "metrics" | "targets" | "pairs" | "cases">;

/**
 * True where a speed is compared by the runs that were sent next to each other alone: its figures are then others than those
 * of all runs of the same cases.
 */
function isSideBySide(gate: ReportGate, metric: ReportMetric, { metrics, targets, pairs, cases }: Reported): boolean {
  if (gate.slice !== null) return false;
  const place = metrics.indexOf(metric);
  const pair = pairs.find(({ candidate }) => candidate === gate.candidate);
  const isPart = (name: string | undefined, shown: number | null): boolean => {
    const target = targets.find((each) => each.name === name);
    const own = target?.scores[place] ?? null;
    if (target === undefined || own === null || own.value === null || shown === null) return false;
    return target.jobs > cases && own.scored === gate.cases && Math.abs(own.value - shown) > 1e-9;
  };
  return isPart(pair?.baseline, gate.baseline) || isPart(pair?.candidate, gate.now);
}

/** `mean of runs sent side by side`, `median of all runs`: the figures of a speed; null for what is no speed, or says pass or fail. */
export function speedBasis(gate: ReportGate, metric: ReportMetric, reported: Reported): string | null {
  if (metric.type !== "latency" || metric.passes) return null;
  return `${measureName(metric)} of ${isSideBySide(gate, metric, reported) ? "runs sent side by side" : "all runs"}`;
}

/** `seconds (mean) is compared by the runs sent side by side; times of targets are of all runs`: a line for each speed with figures of some runs. */
export function speedNotes(gates: readonly ReportGate[], reported: Reported): string[] {
  const names = gates.flatMap((gate) => {
    const metric = reported.metrics.find(({ name }) => name === gate.metric);
    if (metric === undefined || speedBasis(gate, metric, reported) === null) return [];
    return isSideBySide(gate, metric, reported) ? [`${metric.name} (${measureName(metric)})`] : [];
  });
  return Array.from(
    new Set(names),
    (name) => `${name} is compared by the runs sent side by side; the times of targets are of all runs`,
  );
}

/** `mean`, `median`: the measure by which a metric is compared. */
const measureName = ({ isMedian = false }: Pick<ReportMetric, "isMedian">): "mean" | "median" =>
  isMedian ? "median" : "mean";

/** The speed of targets in a night, with its name. */
export interface NightSpeed {
  /** `mean time` */
  name: string;
  figure: (target: NightTarget, night: Pick<Night, "scores">) => string;
}

/** The speed by the metric that compares it, as reports show it first; where there is none, the median of all runs. */
export function nightSpeed(metrics: readonly ReportMetric[]): NightSpeed {
  const metric = metrics.find(({ type, passes }) => type === "latency" && !passes);
  if (metric === undefined)
    return {
      name: "median time",
      figure: ({ latencyMs }) => (latencyMs === null ? "–" : duration(latencyMs)),
    };
  return {
    name: `${measureName(metric)} time`,
    figure: ({ target }, { scores }) => scoreFigure(scores[target]?.[metric.name]?.value ?? null, metric),
  };
}
