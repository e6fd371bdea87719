import { endOf } from "../../api/outcomes.ts";
import type { JobResult } from "../../store/results/case-result.ts";
import { type ComparedMetric, comparedValue, worstOf } from "../comparison-plan.ts";

/** Score of one side in a case: its runs are averaged before anything is compared. */
export interface SideValue {
  /** Mean over the runs, a missing answer counted as the worst; null when nothing can be said. */
  mean: number | null;
  /** Mean over the runs that have a score. */
  answered: number | null;
  /** Runs with a score. */
  runs: number;
  /** Runs that ended without an answer. */
  missing: number;
  /** Runs that were answered and could not be graded. */
  unscored: number;
  /** The case lacks what the scorer compares with: no run of it says anything. */
  isBeside: boolean;
  /** Sum of squares around `answered`. */
  squares: number;
  /** Runs whose value lies beyond the ends that it is compared between. */
  cut: number;
  /** Runs that pass; null where the metric knows no pass. */
  passes: number | null;
}

/** Reads the scores of a side's runs of one case; the logarithm of the value for a ratio. */
export function sideValue(jobs: readonly JobResult[], compared: ComparedMetric): SideValue {
  const value = nothingSaid();
  let sum = 0;
  for (const job of jobs) {
    if (job.scores[placeOf(job, compared)]?.lack === "row") return { ...nothingSaid(), isBeside: true };
    const score = scoreOf(job, compared);
    if (score === undefined) value.missing += isMissing(job) ? 1 : 0;
    else if (score === null) value.unscored += 1;
    else {
      value.runs += 1;
      if (isCut(job, compared)) value.cut += 1;
      const step = score - sum / Math.max(1, value.runs - 1);
      if (value.runs > 1) value.squares += (step * step * (value.runs - 1)) / value.runs;
      sum += score;
    }
    if (job.scores[placeOf(job, compared)]?.pass === true) value.passes = (value.passes ?? 0) + 1;
  }
  if (compared.metric.passes) value.passes ??= 0;
  if (value.runs > 0) value.answered = sum / value.runs;
  value.mean = withMissing(value, sum, worstOf(compared));
  return value;
}

/** The value of a side of which nothing was scored. */
export function nothingSaid(): SideValue {
  return {
    mean: null,
    answered: null,
    runs: 0,
    missing: 0,
    unscored: 0,
    isBeside: false,
    squares: 0,
    cut: 0,
    passes: null,
  };
}

function withMissing({ runs, missing }: SideValue, sum: number, worst: number | null): number | null {
  if (missing === 0) return runs === 0 ? null : sum / runs;
  return worst === null ? (runs === 0 ? null : sum / runs) : (sum + missing * worst) / (runs + missing);
}

/** Undefined: no score; null: unscored. */
function scoreOf(job: JobResult, compared: ComparedMetric): number | null | undefined {
  const score = job.scores[placeOf(job, compared)];
  if (score === undefined) return undefined;
  if (compared.of === "pass") return score.value === null || score.pass === null ? null : score.pass ? 1 : 0;
  if (score.value === null) return null;
  if (compared.of !== "ratio") return comparedValue(score.value, compared);
  // A ratio with nothing is not a number.
  return score.value > 0 ? Math.log(score.value) : null;
}

function isCut(job: JobResult, compared: ComparedMetric): boolean {
  const value = job.scores[placeOf(job, compared)]?.value ?? null;
  return value !== null && compared.of !== "pass" && comparedValue(value, compared) !== value;
}

/** Share of the runs that were answered and could not be graded. */
export const ungradedShare = ({ runs, unscored }: Pick<SideValue, "runs" | "unscored">): number =>
  unscored / Math.max(1, unscored + runs);

/** True where a run passes, and false for one without an answer; null where the metric says nothing of it. */
export function passOf(job: JobResult, compared: ComparedMetric): boolean | null {
  const score = job.scores[placeOf(job, compared)];
  if (score === undefined) return isMissing(job) ? false : null;
  return score.value === null ? null : score.pass;
}

function placeOf({ targetId }: JobResult, { places }: ComparedMetric): number {
  return places.get(targetId) ?? -1;
}

/**
 * True for a run that was asked and ended without an answer. A run that says nothing of a metric although it was answered,
 * such as a case without checks, is not missing; nor is one that is not finished: nobody knows yet what it says.
 */
function isMissing({ outcome }: JobResult): boolean {
  return outcome !== "ok" && outcome !== null && endOf(outcome).asked;
}
