import type { ComponentChildren } from "preact";
import type { ReportMetric, ReportRun } from "../../../report/shape/model.ts";
import { AnswerTextView } from "./answer-text.tsx";
import type { Piece } from "./diff.ts";
import { Extras } from "./extras.tsx";
import { durationShown, words } from "../parts/format.ts";
import { GradeView, gradedMetrics } from "./grade.tsx";
import { Link } from "../parts/link.tsx";
import { LongText } from "../parts/long-text.tsx";
import { SaidOfAnswer } from "./said-of-answer.tsx";

/** The answer of one target: the text with the words that differ, its source, and the extras of its record. */
export function AnswerView(given: {
  name: string;
  role: "baseline" | "candidate" | null;
  run: ReportRun | undefined;
  pieces: Piece[] | null;
  metrics: readonly ReportMetric[];
  /** Number of the run, if a side was asked more than once. */
  number: number | undefined;
  /** Long stretches are shown whole, also where both sides are alike. */
  isWhole: boolean;
  showWhole: () => void;
  /** Audio may be loaded: where the page is served. */
  playable: boolean;
  children?: ComponentChildren;
}) {
  const { name, role, run, pieces, metrics, number, isWhole, showWhole, playable, children } = given;
  return (
    <section class={`side ${role ?? ""}`} aria-label={role === null ? name : `${name}, ${role}`}>
      <h3>
        <bdi>{name}</bdi>
        {role !== null && <span class="note">{role}</span>}
        {number !== undefined && <span class="note">run {number}</span>}
      </h3>
      {run === undefined ? (
        <p class="nothing">Not asked.</p>
      ) : (
        <>
          <p class="facts">
            {run.outcome !== "answered" && (
              <span class={run.failed ? "outcome bad" : "outcome"}>{words(run.outcome)}</span>
            )}
            {gradedMetrics(metrics, [run]).map(({ metric, index }) => (
              <span key={metric.name}>
                <GradeView graded={run.scores[index] ?? null} metric={metric} /> {metric.scorer}
              </span>
            ))}
            {run.latencyMs !== null && <span>{durationShown(run.latencyMs)}</span>}
            {run.attempts > 1 && <span>{run.attempts} attempts</span>}
            {run.status !== null && run.status !== 200 && <span>status {run.status}</span>}
            {run.possiblyPaid && <span>possibly paid twice</span>}
            {run.url !== null && <Link url={run.url} text="Run page" />}
          </p>
          {run.answer !== null ? (
            <AnswerTextView text={run.answer} pieces={pieces} role={role} isWhole={isWhole} showWhole={showWhole} />
          ) : (
            <p class="nothing">{run.failed ? "No answer." : "It said nothing."}</p>
          )}
          {run.error !== null && (
            <p class="error text" dir="auto">
              <LongText text={run.error} />
            </p>
          )}
          {run.labels !== undefined && <SaidOfAnswer labels={run.labels} />}
          {run.extras !== null && <Extras extras={run.extras} playable={playable} />}
          {children}
        </>
      )}
    </section>
  );
}
