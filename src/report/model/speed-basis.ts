import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";

type Told = Pick<ReportSummary, "metrics" | "targets" | "pairs" | "cases">;

/**
 * True where a speed is compared by the runs that were sent next to each other alone: its figures are then others than those
 * of all runs of the same cases.
 */
function isSideBySide(gate: ReportGate, metric: ReportMetric, { metrics, targets, pairs, cases }: Told): boolean {
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

/** `runs sent side by side`, `all runs`: the runs that the figures of a speed are of; null for what is no speed, or says pass or fail. */
export function speedBasis(gate: ReportGate, metric: ReportMetric, told: Told): string | null {
  if (metric.type !== "latency" || metric.passes) return null;
  return isSideBySide(gate, metric, told) ? "runs sent side by side" : "all runs";
}

/** `seconds (value) is compared by the runs sent side by side; times of targets are of all runs`: a line for each speed with figures of some runs. */
export function speedNotes(gates: readonly ReportGate[], told: Told): string[] {
  const names = gates.flatMap((gate) => {
    const metric = told.metrics.find(({ name }) => name === gate.metric);
    return metric !== undefined && speedBasis(gate, metric, told) === "runs sent side by side" ? [metric.name] : [];
  });
  return Array.from(
    new Set(names),
    (name) => `${name} is compared by the runs sent side by side; the times of targets are of all runs`,
  );
}
