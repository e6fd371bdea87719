import { useMemo, useState } from "preact/hooks";
import type { ReportChange, ReportRow } from "../../../report/shape/model.ts";
import { decimal } from "../../../report/words/figures.ts";
import { AnswerView } from "./answer.tsx";
import type { SetAddress } from "../data/address.ts";
import { Asked } from "./asked.tsx";
import { Columns } from "../parts/columns.tsx";
import { textDiff } from "./diff.ts";
import { durationShown } from "../parts/format.ts";
import { CopyCurl, LabelForm, useLabels } from "../edit/labels.tsx";
import { RowOutputFields } from "./row-output-fields.tsx";
import { Scores } from "./scores.tsx";
import { sidePlaces } from "../parts/side-places.ts";
import type { Source } from "../data/source.ts";

/** The question, both answers with the words that differ, their grades, and the extras that came with them. */
export function RowBody(given: { source: Source; row: ReportRow; candidate: number; setAddress: SetAddress }) {
  const { source, row, candidate, setAddress } = given;
  const { summary, actions } = source;
  const [labels, readLabels] = useLabels(actions, row.key);
  const [repeat, setRepeat] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const { places } = sidePlaces(summary, candidate);
  // A side that was not asked so often is shown as it answered last.
  const runs = places.map((place) => row.sides[place]?.runs[repeat] ?? row.sides[place]?.runs.at(-1));
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
      <Asked row={row} setAddress={setAddress} />
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
          <AnswerView
            key={place}
            name={summary.targets[place]?.name ?? ""}
            role={change === undefined ? null : index === 0 ? "baseline" : "candidate"}
            run={runs[index]}
            pieces={diff === null ? null : index === 0 ? diff.baseline : diff.candidate}
            metrics={summary.metrics}
            number={mostRuns > 1 ? runs[index]?.repeat : undefined}
            isWhole={isWhole}
            showWhole={() => setWhole(true)}
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
          </AnswerView>
        ))}
      </div>
      <Scores source={source} runs={runs} places={places} />
      {change !== undefined && change.members.length > 0 && (
        <RowOutputFields change={change} baseline={summary.pairs[candidate]?.baseline ?? ""} />
      )}
      <Columns row={row} />
    </div>
  );
}

function Distance({ change, same, gaveUp }: { change: ReportChange | undefined; same: boolean; gaveUp: boolean }) {
  if (same) return <p class="quiet">Both answers are the same, letter by letter.</p>;
  return (
    <p class="quiet">
      {change?.distance !== undefined && change.distance !== null && `Distance ${decimal(change.distance, 2)}`}
      {change?.noise !== undefined && change.noise !== null && `, the baseline's own noise ${decimal(change.noise, 2)}`}
      {change?.gapMs !== undefined && change.gapMs !== null && `; asked ${durationShown(change.gapMs)} apart`}
      {gaveUp && "; too long or too different to compare every word"}
    </p>
  );
}
