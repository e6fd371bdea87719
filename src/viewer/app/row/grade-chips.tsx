import { scoreBeside } from "../../../report/say/beside.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import type { ReportMetric, ReportRun, RunScore } from "../../../report/shape/model.ts";
import { LongText } from "../parts/long-text.tsx";

/** The grade of each scorer; its reason is in sight where the answer did not pass or a person changed it, else a click away. */
export function GradeChips(props: {
  run: ReportRun;
  metrics: readonly ReportMetric[];
  /** The run that it is compared with. */
  baseline: ReportRun | undefined;
}) {
  const { run, metrics, baseline } = props;
  const graded = metrics.flatMap((metric, index) => {
    const score = run.scores[index] ?? null;
    // A scorer that is compared in two ways has one grade.
    const isFirst = metrics.findIndex(({ scorer }) => scorer === metric.scorer) === index;
    return score === null || !isFirst ? [] : [{ metric, score, before: baseline?.scores[index] ?? null }];
  });
  if (graded.length === 0) return null;
  return (
    <ul class="grades" aria-label="Scores">
      {graded.map(({ metric, score, before }) => (
        <li key={metric.name}>
          <GradeChip
            metric={metric}
            score={score}
            beside={before === null ? null : scoreBeside(before, score, metric)}
          />
        </li>
      ))}
    </ul>
  );
}

function GradeChip({ metric, score, beside }: { metric: ReportMetric; score: RunScore; beside: string | null }) {
  const { reason, edited } = score;
  const chip = (
    <>
      <GradeView graded={score} metric={metric} /> <bdi>{metric.scorer}</bdi>{" "}
      {beside !== null && <b class="note">{beside} </b>}
      {edited !== undefined && <Edited edited={edited} metric={metric} />}
    </>
  );
  if (reason === null || reason === "") return <span class="chip">{chip}</span>;
  return (
    <details open={score.pass === false || score.value === null || edited !== undefined}>
      <summary class="chip">{chip}</summary>
      <p class="quiet" dir="auto">
        <LongText text={reason} />
      </p>
    </details>
  );
}

/** Pass or fail, or a value, in sign and word. */
function GradeView({ graded, metric }: { graded: RunScore; metric: ReportMetric }) {
  if (graded.value === null) return <b class="unscored">unscored</b>;
  if (graded.pass === null) return <b>{scoreFigure(graded.value, { ...metric, passes: false })}</b>;
  return <b class={graded.pass ? "passed" : "missed"}>{graded.pass ? "✓ pass" : "✗ fail"}</b>;
}

/** A note that a person changed this grade, or one that it is made of, with the grade before. */
function Edited({ edited, metric }: { edited: NonNullable<RunScore["edited"]>; metric: ReportMetric }) {
  const { author, at, was, from } = edited;
  return (
    <span class="edited" title={was.reason ?? undefined}>
      {from !== undefined && (
        <>
          follows from <bdi>{from.join(", ")}</bdi>,{" "}
        </>
      )}
      edited by <bdi>{author === "" ? "somebody" : author}</bdi>, {momentLabel(at)} (was{" "}
      <GradeView graded={was} metric={metric} />){" "}
    </span>
  );
}
