import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ReportChange, ReportRow, ReportRun } from "../../report/model.ts";
import { ChangeMark } from "./change-mark.tsx";
import { Answer } from "./answer.tsx";
import { textDiff } from "./diff.ts";
import { decimal, score } from "../../report/figures.ts";
import { duration } from "./format.ts";
import { CopyCurl, LabelForm, useLabels } from "./labels.tsx";
import type { Source } from "./source.ts";

interface Given {
  source: Source;
  rowKey: string;
  candidate: number;
  /** Rows that are read so far: the wanted one may come yet. */
  ready: number;
  onClose: () => void;
  onStep: (by: 1 | -1) => void;
}

/** One row in full, beside the list. */
export function Detail(given: Given) {
  const { source, rowKey, candidate, ready, onClose, onStep } = given;
  const [row, setRow] = useState<ReportRow | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    let wanted = true;
    if (row === null) void source.row(rowKey).then((found) => wanted && setRow(found));
    return () => {
      wanted = false;
    };
  }, [source, rowKey, ready, row]);
  useFocus(title);
  return (
    <aside class="detail" aria-labelledby="row-title">
      <header>
        <h2 id="row-title" tabIndex={-1} ref={title}>
          <bdi>{rowKey}</bdi>
        </h2>
        {row?.changes[candidate] !== undefined && <ChangeMark {...row.changes[candidate]} />}
        <div class="tools">
          <button
            type="button"
            class="plain"
            onClick={() => onStep(-1)}
            aria-label="Previous row"
            title="Previous row (k)"
          >
            ↑
          </button>
          <button type="button" class="plain" onClick={() => onStep(1)} aria-label="Next row" title="Next row (j)">
            ↓
          </button>
          <CopyLink />
          <button type="button" class="plain" onClick={onClose} aria-label="Close" title="Close (Esc)">
            ✕
          </button>
        </div>
      </header>
      {row === null ? (
        <p class="nothing" role="status">
          {ready < source.total ? "Reading ..." : "There is no row with this key in the report."}
        </p>
      ) : (
        <Body source={source} row={row} candidate={candidate} />
      )}
    </aside>
  );
}

/** The focus goes to the row that opens, and back to where it was when it closes. */
function useFocus(title: { current: HTMLElement | null }): void {
  useEffect(() => {
    const before = document.activeElement;
    title.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [title]);
}

function CopyLink() {
  const [said, say] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("Copied");
    } catch {
      // Without permission the address bar still holds it.
      say("Copy it from the address bar");
    }
    setTimeout(() => say(""), 2500);
  };
  return (
    <button type="button" class="plain" onClick={() => void copy()} title="Copy a link to this row">
      <span aria-live="polite">{said === "" ? "Link" : said}</span>
    </button>
  );
}

function Body({ source, row, candidate }: { source: Source; row: ReportRow; candidate: number }) {
  const { summary, actions } = source;
  const [labels, readLabels] = useLabels(actions, row.key);
  const [repeat, setRepeat] = useState(0);
  const places = sidePlaces(source, candidate);
  const runs = places.map((place) => row.sides[place]?.runs[repeat]);
  const mostRuns = Math.max(...row.sides.map((side) => side.runs.length), 1);
  const change = row.changes[candidate];
  const [left, right] = [runs[0]?.answer ?? null, runs[1]?.answer ?? null];
  const compared = change !== undefined && places.length === 2;
  const diff = useMemo(
    () => (compared && left !== null && right !== null ? textDiff(left, right) : null),
    [compared, left, right],
  );
  return (
    <div class="detail-body">
      <Asked row={row} />
      {mostRuns > 1 && (
        <div class="filters" role="group" aria-label="Which run">
          {Array.from({ length: mostRuns }, (_, index) => (
            <button key={index} type="button" aria-pressed={index === repeat} onClick={() => setRepeat(index)}>
              Run {index + 1}
            </button>
          ))}
        </div>
      )}
      {diff !== null && <Distance change={change} same={left === right} gaveUp={diff.gaveUp} />}
      <div class={`sides sides-${places.length}`}>
        {places.map((place, index) => (
          <Answer
            key={place}
            name={summary.targets[place]?.name ?? ""}
            role={change === undefined ? null : index === 0 ? "baseline" : "candidate"}
            run={runs[index]}
            pieces={diff === null ? null : index === 0 ? diff.baseline : diff.candidate}
            playable={actions !== null}
          >
            {actions !== null && runs[index] !== undefined && (
              <div class="acts">
                <CopyCurl run={runs[index]} actions={actions} />
                <LabelForm
                  name={summary.targets[place]?.name ?? ""}
                  run={runs[index]}
                  labels={labels[String(runs[index].jobId)] ?? []}
                  metrics={summary.metrics}
                  actions={actions}
                  onChange={readLabels}
                />
              </div>
            )}
          </Answer>
        ))}
      </div>
      <Scores source={source} runs={runs} places={places} />
      {change !== undefined && change.members.length > 0 && (
        <Members change={change} baseline={summary.pairs[candidate]?.baseline ?? ""} />
      )}
      <Columns row={row} />
    </div>
  );
}

/** Baseline and candidate, or the first targets when nothing is compared. */
function sidePlaces({ summary }: Source, candidate: number): number[] {
  const pair = summary.pairs[candidate];
  const names = [pair?.baseline, pair?.candidate];
  const places = names.map((name) => summary.targets.findIndex((target) => target.name === name));
  return places.includes(-1) ? summary.targets.map((_, index) => index).slice(0, 2) : places;
}

/** Short fields beside the prompt are shown like tags, and once where a tag says the same. */
function isShort({ text }: { text: string }, index: number): boolean {
  return index > 0 && text.length < 60;
}

function Asked({ row }: { row: ReportRow }) {
  const { input, expected, tags, cluster, turn } = row;
  const long = input.filter((field, index) => !isShort(field, index));
  const short = input.filter((field, index) => isShort(field, index) && !Object.values(tags).includes(field.text));
  return (
    <section class="asked">
      {long.map(({ field, text }, index) => (
        <div key={field}>
          <h3 class={index === 0 ? "unseen" : ""}>{field}</h3>
          <p class={index === 0 ? "prompt text" : "text"} dir="auto">
            {text}
          </p>
        </div>
      ))}
      {expected !== null && (
        <div class="expected">
          <h3>Expected</h3>
          <p class="text" dir="auto">
            {expected}
          </p>
        </div>
      )}
      <p class="tags">
        {Object.entries(tags).map(([name, value]) => (
          <span key={name} class="tag">
            {name} <b dir="auto">{value}</b>
          </span>
        ))}
        {short.map(({ field, text }) => (
          <span key={field} class="tag">
            {field} <b dir="auto">{text}</b>
          </span>
        ))}
        {cluster !== null && (
          <span class="tag">
            conversation <b dir="auto">{cluster}</b>, turn {turn}
          </span>
        )}
      </p>
    </section>
  );
}

function Distance({ change, same, gaveUp }: { change: ReportChange | undefined; same: boolean; gaveUp: boolean }) {
  if (same) return <p class="quiet">Both answers are the same, letter by letter.</p>;
  return (
    <p class="quiet">
      {change?.distance !== undefined && change.distance !== null && `Distance ${decimal(change.distance, 2)}`}
      {change?.noise !== undefined && change.noise !== null && `, the baseline's own noise ${decimal(change.noise, 2)}`}
      {change?.gapMs !== undefined && change.gapMs !== null && `; asked ${duration(change.gapMs)} apart`}
      {gaveUp && "; too long or too different to mark the words that differ"}
    </p>
  );
}

function Scores(given: { source: Source; runs: (ReportRun | undefined)[]; places: number[] }) {
  const { source, runs, places } = given;
  const { metrics, targets } = source.summary;
  // A scorer that is compared in two ways has one grade.
  const isFirst = (place: number): boolean =>
    metrics.findIndex(({ scorer }) => scorer === metrics[place]?.scorer) === place;
  const known = metrics
    .map((metric, index) => ({ metric, index }))
    .filter(
      ({ index }) =>
        isFirst(index) && runs.some((run) => run?.scores[index] !== undefined && run.scores[index] !== null),
    );
  if (known.length === 0) return null;
  return (
    <section>
      <h3>Scores</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Scores">
        <table class="small scores">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {places.map((place) => (
                <th scope="col" key={place}>
                  <bdi>{targets[place]?.name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {known.map(({ metric, index }) => (
              <tr key={metric.name}>
                <th scope="row">
                  <bdi>{metric.scorer}</bdi> <span class="quiet">{metric.type}</span>
                </th>
                {runs.map((run, at) => {
                  const graded = run?.scores[index];
                  return (
                    <td key={places[at]}>
                      {graded === undefined || graded === null ? (
                        "–"
                      ) : (
                        <>
                          <b class={graded.pass === null ? "" : graded.pass ? "passed" : "missed"}>
                            {graded.value === null
                              ? "unscored"
                              : graded.pass === null
                                ? score(graded.value, { ...metric, passes: false })
                                : graded.pass
                                  ? "✓ pass"
                                  : "✗ fail"}
                          </b>{" "}
                          <span class="quiet" dir="auto">
                            {graded.reason}
                          </span>
                        </>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Members({ change, baseline }: { change: ReportChange; baseline: string }) {
  return (
    <section>
      <h3>Members that differ</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Members that differ">
        <table class="small">
          <thead>
            <tr>
              <th scope="col">Member of output</th>
              <th scope="col">
                <bdi>{baseline}</bdi>
              </th>
              <th scope="col">
                <bdi>{change.candidate}</bdi>
              </th>
            </tr>
          </thead>
          <tbody>
            {change.members.map((member) => (
              <tr key={member.path}>
                <th scope="row">
                  <code>{member.path}</code>
                </th>
                <td dir="auto">{member.baseline}</td>
                <td dir="auto">{member.candidate}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Columns({ row }: { row: ReportRow }) {
  const cells = Object.entries(row.columns).filter(([, cell]) => cell !== "");
  if (cells.length === 0) return null;
  return (
    <section>
      <h3>Other columns of the row</h3>
      <dl class="facts-list">
        {cells.map(([name, cell]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd class="text" dir="auto">
              {cell}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
