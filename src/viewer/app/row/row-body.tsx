import { useMemo, useState } from "preact/hooks";
import type { ReportRow } from "../../../report/shape/model.ts";
import type { NewVote } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import { Asked } from "./asked.tsx";
import { Columns } from "../parts/columns.tsx";
import { EarlierTurns } from "./earlier.tsx";
import { JudgeBar } from "../edit/judge-bar.tsx";
import { useLabels } from "../edit/labels.tsx";
import { RowAnswers } from "./row-answers.tsx";
import { RowOutputFields } from "./row-output-fields.tsx";
import { RunChoice, SideChoice } from "./run-choice.tsx";
import { Scores } from "./scores.tsx";
import type { AnswerSide } from "./shown-answers.ts";
import { sidePlaces } from "../parts/side-places.ts";
import type { ListQuery, Source } from "../data/source.ts";

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
  const { source, row, query, candidate, setBlind, setAddress } = given;
  const { summary, actions } = source;
  const [repeat, setRepeat] = useState(0);
  const [isAll, setAll] = useState(false);
  const [labels, readLabels] = useLabels(actions, row.key);
  const change = row.changes[candidate];
  const named = sidesOf(source, row, { candidate, repeat, isAll });
  const canVote =
    actions !== null && named.length === 2 && named.every(({ role, run }) => role !== null && run?.answer);
  const blind = useBlind(named, { isBlind: given.isBlind && canVote, rowKey: row.key });
  const { sides, isHidden } = blind;
  return (
    <div class="detail-body">
      <EarlierTurns source={source} row={row} sides={sides} setAddress={setAddress} />
      <Asked row={row} sides={sides} setAddress={setAddress} />
      {!isHidden && (
        <>
          <RunChoice row={row} sides={sides} repeat={repeat} choose={setRepeat} />
          <SideChoice summary={summary} candidate={candidate} isAll={isAll} choose={setAll} />
        </>
      )}
      <RowAnswers {...{ source, row, sides, change, labels, readLabels }} isBlind={isHidden} />
      {!isHidden && (
        <>
          <Scores
            source={source}
            runs={named.map(({ run }) => run)}
            places={named.map(({ place }) => place)}
            compared={change !== undefined && !isAll}
          />
          {change !== undefined && change.members.length > 0 && (
            <RowOutputFields change={change} baseline={summary.pairs[candidate]?.baseline ?? ""} />
          )}
          <Columns row={row} />
        </>
      )}
      {actions !== null && (
        <JudgeBar
          actions={actions}
          query={query}
          rowKey={row.key}
          sides={named.flatMap(({ name, run }) => (run === undefined ? [] : [{ name, jobId: run.jobId }]))}
          labels={labels}
          blind={given.isBlind && canVote ? blind : null}
          setBlind={canVote ? setBlind : null}
          onVote={blind.reveal}
          onChange={readLabels}
          setAddress={setAddress}
        />
      )}
    </div>
  );
}

type Choice = "A" | "B" | "neither";

/** Answers as A and B in an order by chance, until somebody has chosen. */
function useBlind(named: readonly AnswerSide[], { isBlind, rowKey }: { isBlind: boolean; rowKey: string }) {
  const [chosen, reveal] = useState<Choice | null>(null);
  const isTurned = useMemo(() => Math.random() < 0.5, [rowKey]);
  const ordered = isBlind && isTurned ? named.toReversed() : named;
  const isHidden = isBlind && chosen === null;
  const sides = ordered.map((side, index) => (isHidden ? { ...side, name: index === 0 ? "A" : "B" } : side));
  const [first, second] = ordered;
  const better = (choice: Choice): NewVote["better"] =>
    (choice === "neither" ? null : (choice === "A" ? first : second)?.role) ?? "neither";
  const jobOf = (role: AnswerSide["role"]): number => named.find((side) => side.role === role)?.run?.jobId ?? 0;
  return {
    sides,
    isHidden,
    reveal,
    told: chosen === null ? null : `A was ${first?.name ?? ""}, B was ${second?.name ?? ""}. You chose ${chosen}.`,
    vote: (choice: Choice) => ({
      baselineJob: jobOf("baseline"),
      candidateJob: jobOf("candidate"),
      better: better(choice),
      blind: isHidden,
    }),
  };
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
