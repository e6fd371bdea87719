import { useState } from "preact/hooks";
import type { ReportRow } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { Asked } from "./asked.tsx";
import { useBlind } from "./blind.ts";
import { Columns } from "../parts/columns.tsx";
import { EarlierTurns } from "./earlier.tsx";
import { JudgeBar } from "../edit/judge-bar.tsx";
import { useRowJudged } from "../edit/judged.ts";
import type { BlindPair } from "../edit/judging.ts";
import { Votes } from "../edit/votes.tsx";
import { RowAnswers } from "./row-answers.tsx";
import { RowOutputFields } from "./row-output-fields.tsx";
import { RunFigures } from "./run-figures.tsx";
import { RunChoice, SideChoice } from "./run-choice.tsx";
import { Scores } from "./scores.tsx";
import { useTargetNames } from "../parts/target-name.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import type { AnswerSide } from "./shown-answers.ts";
import { tellingRun } from "../../../report/model/shown-runs.ts";
import { sidePlaces } from "../parts/side-places.ts";
import type { JudgedRow, ListQuery, Source } from "../data/source.ts";

interface Given {
  source: Source;
  row: ReportRow;
  query: ListQuery;
  candidate: number;
  /** Answers are judged without names. */
  isBlind: boolean;
  setBlind: (isBlind: boolean) => void;
  setAddress: SetAddress;
}

/** The question, the answers with the words that differ, their grades, and the extras that came with them. */
export function RowBody(given: Given) {
  const { source, row, candidate, isBlind, setAddress } = given;
  const { summary, actions } = source;
  const [chosen, setRepeat] = useState<number | null>(null);
  const [isAll, setAll] = useState(false);
  const [judged, readJudged] = useRowJudged(actions, row.key);
  const change = row.changes[candidate];
  const repeat = chosen ?? (isBlind || change === undefined ? 0 : firstShown(source, row, candidate));
  const named = sidesOf(source, row, { candidate, repeat, isAll: isAll && !isBlind });
  const canVote =
    actions !== null && named.length === 2 && named.every(({ role, run }) => role !== null && run?.answer);
  const blind = useBlind(named, { isBlind: isBlind && canVote, votes: judged?.votes ?? null });
  const { sides, isHidden } = blind;
  return (
    <div class="detail-body">
      <EarlierTurns source={source} row={row} sides={sides} setAddress={setAddress} />
      <Asked row={row} sides={sides} setAddress={setAddress} />
      {!isHidden && <RunChoice row={row} sides={sides} repeat={repeat} choose={setRepeat} />}
      {!isBlind && <SideChoice summary={summary} candidate={candidate} isAll={isAll} choose={setAll} />}
      <RowAnswers
        {...{ source, row, sides, change }}
        labels={judged?.labels ?? {}}
        readLabels={readJudged}
        isBlind={isHidden}
      />
      {!isHidden && (
        <>
          <Scores source={source} sides={named} />
          <RunFigures sides={named} />
          {change !== undefined && change.members.length > 0 && (
            <RowOutputFields change={change} baseline={summary.pairs[candidate]?.baseline ?? ""} />
          )}
          {judged !== null && <RowVotes {...{ source, row, judged, readJudged }} />}
          <Columns row={row} />
        </>
      )}
      <Judging {...given} {...{ named, canVote, blind, judged }} />
    </div>
  );
}

/** The run that tells what became of the row, so that two runs that are alike do not stand below "worse". */
function firstShown({ summary }: Source, row: ReportRow, pair: number): number {
  const { targets, pairs, metrics } = summary;
  const change = row.changes[pair];
  const frame = { targets: targets.map(({ name }) => name), pairs, metrics };
  return change === undefined ? 0 : tellingRun({ row, change, pair }, frame);
}

function RowVotes(given: { source: Source; row: ReportRow; judged: JudgedRow; readJudged: () => void }) {
  const { source, row, judged, readJudged } = given;
  const nameOf = useTargetNames();
  if (source.actions === null) return null;
  return (
    <Votes
      votes={judged.votes}
      nameOf={(jobId) => nameOf(nameOfJob(source, row, jobId))}
      rowKey={row.key}
      actions={source.actions}
      onChange={readJudged}
    />
  );
}

/** The bar that judges the row, where labels can be kept. */
function Judging(
  given: Given & { named: readonly AnswerSide[]; canVote: boolean; blind: BlindPair; judged: JudgedRow | null },
) {
  const { source, row, query, candidate, isBlind, setBlind, setAddress, named, canVote, blind, judged } = given;
  const nameOf = useTargetNames();
  if (source.actions === null) return null;
  const mode = sidePlaces(source.summary, candidate).compared ? "named" : "single";
  return (
    <JudgeBar
      actions={source.actions}
      query={query}
      rowKey={row.key}
      answers={row.sides.flatMap(({ runs }) => runs.map(({ jobId }) => jobId)).join(" ")}
      sides={named.flatMap(({ name, run }) => (run === undefined ? [] : [{ name: nameOf(name), jobId: run.jobId }]))}
      blind={isBlind && canVote ? blind : null}
      mode={!isBlind ? mode : canVote ? "blind" : "nothing to compare"}
      setBlind={setBlind}
      judged={judged}
      setAddress={setAddress}
    />
  );
}

function nameOfJob({ summary }: Source, row: ReportRow, jobId: number): string {
  const place = row.sides.findIndex(({ runs }) => runs.some((run) => run.jobId === jobId));
  return summary.targets[place]?.name ?? "another answer";
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
  const lookOf = reportLooks(summary);
  return shown.map((place) => ({
    place,
    name: summary.targets[place]?.name ?? "",
    look: lookOf(summary.targets[place]?.name ?? ""),
    letter: null,
    role: !isCompared ? null : place === places[0] ? "baseline" : "candidate",
    run: row.sides[place]?.runs[repeat] ?? row.sides[place]?.runs.at(-1),
  }));
}
