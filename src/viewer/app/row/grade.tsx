import { scoreFigure } from "../../../report/say/figures.ts";
import type { ReportMetric, ReportRun, RunScore } from "../../../report/shape/model.ts";

/** Metrics with a grade in one of the runs; a scorer that is compared in two ways has one grade. */
export function gradedMetrics(
  metrics: readonly ReportMetric[],
  runs: readonly (ReportRun | undefined)[],
): { metric: ReportMetric; index: number }[] {
  return metrics
    .map((metric, index) => ({ metric, index }))
    .filter(
      ({ metric, index }) =>
        metrics.findIndex(({ scorer }) => scorer === metric.scorer) === index &&
        runs.some((run) => run?.scores[index] !== undefined && run.scores[index] !== null),
    );
}

/** Pass or fail, or a value, in sign and word. */
export function GradeView({ graded, metric }: { graded: RunScore | null; metric: ReportMetric }) {
  if (graded === null) return <>–</>;
  if (graded.value === null) return <b class="unscored">unscored</b>;
  if (graded.pass === null) return <b>{scoreFigure(graded.value, { ...metric, passes: false })}</b>;
  return <b class={graded.pass ? "passed" : "missed"}>{graded.pass ? "✓ pass" : "✗ fail"}</b>;
}
