import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";

type Told = Pick<ReportSummary, "metrics" | "targets" | "pairs" | "cases">;

/**
 * True where a speed is compared by the runs that were sent next to each other alone: its figures are then others than those
 * of all runs of the same cases.
 */
export function isSideBySide(
  gate: ReportGate,
  metric: ReportMetric,
  { metrics, targets, pairs, cases }: Told,
): boolean {
  if (metric.type !== "latency" || gate.slice !== null) return false;
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
