import type { ComparedMetric } from "../comparison-plan.ts";
import { latencyOf, type ReadSide, type Run } from "./case-side.ts";
import { type SideValue, sideValue } from "./side-value.ts";

/** The runs of a case by which two sides are compared in time. */
export interface RunPairs {
  baseline: readonly Run[];
  candidate: readonly Run[];
}

/**
 * Runs of two sides that were sent next to each other: those of the same pass, where the sides went side by side. A
 * service gets slower and faster while a batch runs, so a time is only compared with one of the same moment. Sides of
 * different batches have no such moment: all of their runs are given.
 */
export function runsOfSameTime(base: ReadSide, other: ReadSide, counts: (run: Run) => boolean = () => true): RunPairs {
  const all = { baseline: base.runs, candidate: other.runs };
  if (base.runs.length < 2 && other.runs.length < 2) return all;
  if (!base.compared.batchIds.some((id) => other.compared.batchIds.includes(id))) return all;
  const isTimed = (run: Run): boolean => run.job.sentAt !== null && counts(run);
  const left = { baseline: base.runs.filter(isTimed), candidate: other.runs.filter(isTimed) };
  const found: { baseline: Run[]; candidate: Run[] } = { baseline: [], candidate: [] };
  for (let pair = nearest(left); pair !== null; pair = nearest(left)) {
    found.baseline.push(...left.baseline.splice(pair.baseline, 1));
    found.candidate.push(...left.candidate.splice(pair.candidate, 1));
  }
  return found.baseline.length === 0 ? all : found;
}

/** Places of the two runs with the least time between them; null when a side has none left. */
function nearest({ baseline, candidate }: RunPairs): { baseline: number; candidate: number } | null {
  let best: { baseline: number; candidate: number; gap: number } | null = null;
  for (const [place, from] of baseline.entries()) {
    for (const [other, to] of candidate.entries()) {
      const gap = Math.abs((to.job.sentAt ?? 0) - (from.job.sentAt ?? 0));
      if (best === null || gap < best.gap) best = { baseline: place, candidate: other, gap };
    }
  }
  return best;
}

/**
 * The score of each side by the runs that were sent next to each other; null where all runs count: of a metric that is not
 * about time, and of sides with one run each.
 */
export function valuesOfSameTime(
  compared: ComparedMetric,
  base: ReadSide,
  other: ReadSide,
): { baseline: SideValue; candidate: SideValue } | null {
  if (compared.metric.type !== "latency" || (base.runs.length < 2 && other.runs.length < 2)) return null;
  // For a pass a run that brought nothing is a fail, and has its place; no time can be told of it.
  const { baseline, candidate } = runsOfSameTime(base, other, compared.of === "pass" ? () => true : hasTime);
  const value = (runs: readonly Run[]): SideValue =>
    sideValue(
      runs.map(({ job }) => job),
      compared,
    );
  return { baseline: value(baseline), candidate: value(candidate) };
}

/** It brought a run record, and how long that took is known. */
export function hasTime({ job }: Run): boolean {
  return job.outcome === "ok" && latencyOf(job) !== null;
}
