import type { ReportRun, RunExtras } from "../../../report/shape/model.ts";
import { type AnswerRow, AnswerTextView } from "./answer-text.tsx";
import type { Stretch } from "./expected-text.ts";
import type { Form } from "./forms.ts";
import { durationShown, words } from "../parts/format.ts";
import { GradeChips } from "./grade-chips.tsx";
import { Link } from "../parts/link.tsx";
import { LongText } from "../parts/long-text.tsx";
import { TargetMark } from "../parts/target-mark.tsx";
import { Markdown } from "./markdown.tsx";
import type { AnswerSide } from "./shown-answers.ts";
import { useReport } from "../parts/report.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { secondLabel, momentLabel } from "../../../report/say/night-names.ts";
import { counted } from "../../../report/say/quantity.ts";
import type { RunLabel } from "../../../report/shape/row.ts";

interface Props {
  side: AnswerSide;
  /** Nothing tells which side it is. */
  isBlind: boolean;
  /** It stands beside no other. */
  isAlone: boolean;
  /** Null: there is no answer. */
  rows: readonly AnswerRow[] | null;
  found: readonly Stretch[];
  form: Form;
  /** The run that it is compared with. */
  baseline: ReportRun | undefined;
  /** Number of the run, if a side was asked more than once. */
  number: number | undefined;
  showWhole: () => void;
}

/** The answer of one target: the text with the words that differ, its source, and the extras of its record. */
export function AnswerView(props: Props) {
  const { side, isBlind, isAlone, rows, found, form, baseline, number, showWhole } = props;
  const { name, look, letter, role, run } = side;
  const { nameOf, summary } = useReport();
  return (
    <section
      class={isBlind ? "side" : `side ${role ?? ""}`}
      aria-label={role === null || isBlind ? nameOf(name) : `${nameOf(name)}, ${role}`}
    >
      <h3>
        {letter !== null && <span class="letter">{letter}</span>}
        {look !== null && <TargetMark look={look} />}
        <TargetName name={name} />
        {role !== null && !isBlind && <span class="note">{role}</span>}
        {number !== undefined && <span class="note">run {number}</span>}
      </h3>
      <div class="side-top">
        {run === undefined && <p class="nothing">Not asked.</p>}
        {run !== undefined && !isBlind && (
          <>
            <Facts run={run} />
            <GradeChips metrics={summary.metrics} {...{ run, baseline }} />
          </>
        )}
      </div>
      {run !== undefined &&
        (run.answer !== null && rows !== null ? (
          form === "rendered" ? (
            <Markdown text={run.answer} />
          ) : (
            <AnswerTextView
              rows={rows}
              role={form === "expected" ? "candidate" : role}
              found={found}
              isRaw={form === "raw" || form === "json"}
              isNamed={!isBlind}
              showWhole={showWhole}
            />
          )
        ) : (
          <p class="nothing said">{run.failed ? "No answer." : "It said nothing."}</p>
        ))}
      {run !== undefined && <AnswerEnd {...{ run, isBlind, isAlone }} />}
    </section>
  );
}

/** Everything below the text of an answer. */
function AnswerEnd({ run, isBlind, isAlone }: Pick<Props, "isBlind" | "isAlone"> & { run: ReportRun }) {
  const extras = run.extras === null ? null : extrasShown(run.extras, { isAlone, isBlind });
  return (
    <div class="side-end">
      {run.error !== null && (
        <p class="error text" dir="auto">
          <LongText text={run.error} />
        </p>
      )}
      {!isBlind && <AttemptList run={run} />}
      {run.labels !== undefined && !isBlind && <SaidOfAnswer labels={run.labels} />}
      {extras !== null && <Extras extras={extras} />}
    </div>
  );
}

/** The extras that stand below an answer: where several are side by side, references have a table; in blind judging what may name who gave it is left out. */
function extrasShown(
  { references, ...extras }: RunExtras,
  props: { isAlone: boolean; isBlind: boolean },
): RunExtras | null {
  const { audio, video, documents, buttons } = extras;
  const own = props.isBlind ? { audio, video, documents, buttons } : extras;
  const shown = Object.entries(props.isAlone ? { references, ...own } : own).filter(([, each]) => each !== undefined);
  return shown.length === 0 ? null : Object.fromEntries(shown);
}

/** An end that is not the usual one. */
function Facts({ run }: { run: ReportRun }) {
  return (
    <p class="facts">
      {run.outcome !== "answered" && <span class={run.failed ? "outcome bad" : "outcome"}>{words(run.outcome)}</span>}
      {run.status !== null && run.status !== 200 && <span>status {run.status}</span>}
      {run.possiblyPaid && <span>{run.attempts > 1 ? "possibly paid twice" : "possibly paid without a record"}</span>}
    </p>
  );
}

/** More fold away. */
const mostInSight = 4;

/** Every attempt at an answer that took more than one: when, how long, and what became of it. */
function AttemptList({ run }: { run: ReportRun }) {
  const { tries, attempts } = run;
  if (attempts < 2) return null;
  if (tries === undefined) return <p class="quiet">{counted(attempts, "attempt")}</p>;
  return (
    <details class="attempts" open={tries.length <= mostInSight}>
      <summary>{counted(tries.length, "attempt")}</summary>
      <ol>
        {tries.map(({ number, outcome, status, error, possiblyPaid, at, tookMs }) => (
          <li key={number} value={number}>
            <b>{words(outcome)}</b>
            {status !== null && status !== 200 && `, status ${status}`}
            {possiblyPaid && ", possibly paid"}{" "}
            <span class="quiet">
              {secondLabel(at)}, {tookMs === null ? "no reply" : `took ${durationShown(tookMs)}`}
            </span>
            {error !== null && (
              <p class="text quiet" dir="auto">
                <LongText text={error} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Labels that people gave an answer, as they stood when the report was written. */
function SaidOfAnswer({ labels }: { labels: readonly RunLabel[] }) {
  return (
    <ul class="said-of" aria-label="What people said of this answer">
      {labels.map(({ scorer, label, note, author, at }) => (
        <li key={`${scorer} ${author}`}>
          <b>
            {label === "good" ? "✓ " : label === "bad" ? "✗ " : ""}
            {label}
          </b>{" "}
          {scorer !== "" && (
            <span class="quiet">
              about <bdi>{scorer}</bdi>{" "}
            </span>
          )}
          <span dir="auto">{note}</span>{" "}
          <span class="quiet">
            <bdi>{author === "" ? "somebody" : author}</bdi>, {momentLabel(at)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Parts of a record beside the answer. */
function Extras({ extras }: { extras: RunExtras }) {
  const { references, audio, video, documents, buttons, logs, finishReason, searchQuery, functionError } = extras;
  return (
    <div class="extras">
      {functionError !== undefined && (
        <p class="error text" dir="auto">
          <LongText text={functionError} />
        </p>
      )}
      {references !== undefined && (
        <details open={references.length <= 3}>
          <summary>References ({references.length})</summary>
          <ol class="references">
            {references.map((reference, index) => (
              <li key={index}>
                <Link url={reference.url} text={reference.title ?? reference.url} />
                {reference.snippet !== null && (
                  <p class="quiet" dir="auto">
                    <LongText text={reference.snippet} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        </details>
      )}
      <Links name="Audio" urls={audio} />
      <Links name="Video" urls={video} />
      <Links name="Documents" urls={documents} />
      {buttons !== undefined && (
        <p class="quiet" dir="auto">
          Buttons: {buttons.join(" · ")}
        </p>
      )}
      {logs !== undefined && (
        <details>
          <summary>Log ({logs.length})</summary>
          <ol class="logs">
            {logs.map(({ level, message }, index) => (
              <li key={index} dir="auto">
                <b>{level}</b> <LongText text={message} />
              </li>
            ))}
          </ol>
        </details>
      )}
      <p class="facts">
        {searchQuery !== undefined && (
          <span dir="auto">
            searched for <q>{searchQuery}</q>
          </span>
        )}
        {finishReason !== undefined && finishReason !== "stop" && <span>finish reason: {finishReason}</span>}
        {extras.leftOut !== undefined && <span>{extras.leftOut} more are left out here</span>}
      </p>
    </div>
  );
}

function Links({ name, urls }: { name: string; urls: string[] | undefined }) {
  if (urls === undefined) return null;
  return (
    <p class="facts">
      <span>{name}</span>
      {urls.map((url, index) => (
        <Link key={index} url={url} text={fileName(url)} />
      ))}
    </p>
  );
}

function fileName(url: string): string {
  return /([^/?#]+)(?:[?#].*)?$/.exec(url)?.[1] ?? url;
}
