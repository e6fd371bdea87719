import { useState } from "preact/hooks";
import type { ReportRow } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { RowAnswers } from "./row-answers.tsx";
import { Asked } from "./asked.tsx";
import { Columns } from "../parts/columns.tsx";
import { EarlierTurns } from "./earlier.tsx";
import { RowOutputFields } from "./row-output-fields.tsx";
import { RunChoice, SideChoice } from "./run-choice.tsx";
import { Scores } from "./scores.tsx";
import type { AnswerSide } from "./shown-answers.ts";
import { sidePlaces } from "../parts/side-places.ts";
import type { Source } from "../data/source.ts";

/** The question, the answers with the words that differ, their grades, and the extras that came with them. */
export function RowBody(given: { source: Source; row: ReportRow; candidate: number; setAddress: SetAddress }) {
  const { source, row, candidate, setAddress } = given;
  const { summary } = source;
  const [repeat, setRepeat] = useState(0);
  const [isAll, setAll] = useState(false);
  const change = row.changes[candidate];
  const sides = sidesOf(source, row, { candidate, repeat, isAll });
  const runs = sides.map(({ run }) => run);
  const places = sides.map(({ place }) => place);
  return (
    <div class="detail-body">
      <EarlierTurns source={source} row={row} sides={sides} setAddress={setAddress} />
      <Asked row={row} sides={sides} setAddress={setAddress} />
      <RunChoice row={row} sides={sides} repeat={repeat} choose={setRepeat} />
      <SideChoice summary={summary} candidate={candidate} isAll={isAll} choose={setAll} />
      <RowAnswers source={source} row={row} sides={sides} change={change} />
      <Scores source={source} runs={runs} places={places} compared={change !== undefined && !isAll} />
      {change !== undefined && change.members.length > 0 && (
        <RowOutputFields change={change} baseline={summary.pairs[candidate]?.baseline ?? ""} />
      )}
      <Columns row={row} />
    </div>
  );
}

/** The two that are compared, or all. A side that was not asked so often is shown as it answered last. */
function sidesOf(
  { summary }: Source,
  row: ReportRow,
  { candidate, repeat, isAll }: { candidate: number; repeat: number; isAll: boolean },
): AnswerSide[] {
  const { places, compared } = sidePlaces(summary, candidate);
  const shown = isAll ? summary.targets.map((_, place) => place) : places;
  const isCompared = compared && row.changes[candidate] !== undefined;
  return shown.map((place) => ({
    place,
    name: summary.targets[place]?.name ?? "",
    role: !isCompared ? null : place === places[0] ? "baseline" : "candidate",
    run: row.sides[place]?.runs[repeat] ?? row.sides[place]?.runs.at(-1),
  }));
}
