import { otherCells } from "../../../report/model/row-figures.ts";
import { useState } from "preact/hooks";
import type { ReportRow, ReportChange, ReportRun } from "../../../report/shape/model.ts";
import { Asked } from "./asked.tsx";
import { useBlind } from "./blind.ts";
import { type NightAnswer, NightsStrip } from "./nights-strip.tsx";
import { EarlierTurns } from "./earlier.tsx";
import { JudgeBar } from "../edit/judge-bar.tsx";
import { useRowJudged } from "../edit/judged.ts";
import type { BlindAnswers } from "../edit/judging.ts";
import { RowAnswers } from "./row-answers.tsx";
import { RunFigures } from "./run-figures.tsx";
import { type Report, useReport } from "../parts/report.tsx";
import { TargetName } from "../parts/target-name.tsx";
import type { AnswerSide } from "./shown-answers.ts";
import { tellingRun } from "../../../report/model/shown-runs.ts";
import { sidePlaces } from "../parts/side-places.ts";
import type { JudgedRow, ListQuery } from "../data/source.ts";
import { Facts } from "../parts/facts.tsx";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";

interface Props {
  row: ReportRow;
  query: ListQuery;
  /** Answers are judged without names. */
  isBlind: boolean;
  setBlind: (isBlind: boolean) => void;
}

/** The question, the answers with the words that differ and their grades, and the extras that came with them. */
export function RowBody(props: Props) {
  const { row, isBlind } = props;
  const report = useReport();
  const { source, summary, candidate, address } = report;
  const { actions } = source;
  const [chosen, setRepeat] = useState<number | null>(null);
  // As in the list that it was opened from.
  const [isAll, setAll] = useState(address.isAll);
  const [night, showNight] = useState<NightAnswer | null>(null);
  const judged = useRowJudged(actions, row.key);
  const change = row.changes[candidate];
  const repeat = chosen ?? (isBlind || change === undefined ? 0 : firstShown(report, row));
  const named = sidesOf(report, row, { repeat, isAll: isAll && !isBlind });
  const isNameless = isBlind && actions !== null && sidePlaces(summary, candidate).compared;
  const blind = useBlind(named, { isBlind: isNameless, labels: judged?.labels ?? null });
  const { sides, isHidden } = blind;
  return (
    <div class="detail-body">
      <EarlierTurns row={row} sides={sides} />
      <Asked row={row} sides={sides} isBlind={isHidden} />
      {!isBlind && actions !== null && (
        <NightsStrip
          actions={actions}
          rowKey={row.key}
          target={named.at(-1)?.name ?? ""}
          metric={summary.metrics[0]}
          shown={night}
          show={showNight}
        />
      )}
      <RowAnswers
        {...{ row, change }}
        sides={night === null || isBlind ? sides : [...sides, sideOfNight(night)]}
        isBlind={isHidden}
      >
        {!isHidden && <RunChoice row={row} sides={sides} repeat={repeat} choose={setRepeat} />}
        {!isBlind && <SideChoice isAll={isAll} choose={setAll} />}
      </RowAnswers>
      {!isHidden && (
        <>
          {change !== undefined && change.members.length > 0 && (
            <RowOutputFields change={change} baseline={summary.pairs[candidate]?.baseline ?? ""} />
          )}
          <Columns row={row} />
          <RunFigures sides={named} />
        </>
      )}
      <Judging {...props} {...{ sides, judged }} blind={isNameless ? blind : null} />
    </div>
  );
}

/** The run that tells what became of the row, so that two runs that are alike do not stand below "worse". */
function firstShown({ summary, candidate: pair }: Report, row: ReportRow): number {
  const { targets, pairs, metrics } = summary;
  const change = row.changes[pair];
  const frame = { targets: targets.map(({ name }) => name), pairs, metrics };
  return change === undefined ? 0 : tellingRun({ row, change, pair }, frame);
}

/** The bar that judges the row, where labels can be kept. */
function Judging(
  props: Props & { sides: readonly AnswerSide[]; blind: BlindAnswers | null; judged: JudgedRow | null },
) {
  const { row, query, setBlind, sides, blind, judged } = props;
  const { source, summary, candidate, setAddress, nameOf } = useReport();
  if (source.actions === null) return null;
  const shown = (name: string): string => (blind?.isHidden === true ? name : nameOf(name));
  return (
    <JudgeBar
      actions={source.actions}
      query={query}
      rowKey={row.key}
      answers={row.sides.flatMap(({ runs }) => runs.map(({ jobId }) => jobId)).join(" ")}
      sides={sides.flatMap(({ name, run }) => (run === undefined ? [] : [{ name: shown(name), jobId: run.jobId }]))}
      blind={blind}
      canHide={sidePlaces(summary, candidate).compared}
      setBlind={setBlind}
      judged={judged}
      setAddress={setAddress}
    />
  );
}

/** The answer of another night as a side of its own. */
const sideOfNight = ({ name, run }: NightAnswer): AnswerSide => ({
  place: -1,
  name,
  look: null,
  letter: null,
  role: null,
  run,
});

/** The two that are compared, or all. A side that was not asked so often is shown as it answered last. */
function sidesOf(
  { summary, candidate, lookOf }: Report,
  row: ReportRow,
  { repeat, isAll }: { repeat: number; isAll: boolean },
): AnswerSide[] {
  const { places, compared } = sidePlaces(summary, candidate);
  const shown = isAll ? summary.targets.map((_, place) => place) : places;
  const isCompared = compared && row.changes[candidate] !== undefined;
  return shown.map((place) => ({
    place,
    name: summary.targets[place]?.name ?? "",
    look: lookOf(summary.targets[place]?.name ?? ""),
    letter: null,
    role: !isCompared ? null : place === places[0] ? "baseline" : "candidate",
    run: row.sides[place]?.runs[repeat] ?? row.sides[place]?.runs.at(-1),
  }));
}

/** Cells of the dataset that were not asked. */
function Columns({ row }: { row: ReportRow }) {
  const cells = otherCells(row);
  if (cells.length === 0) return null;
  return (
    <section>
      <h3>Other columns of the row</h3>
      <Facts facts={cells} />
    </section>
  );
}

/** Members of the output that the two sides do not have alike. */
function RowOutputFields({ change, baseline }: { change: ReportChange; baseline: string }) {
  return (
    <section>
      <h3>Output fields that changed</h3>
      <ScrollTable name="Output fields that changed">
        <thead>
          <tr>
            <th scope="col">Output field</th>
            <th scope="col">
              <TargetName name={baseline} />
            </th>
            <th scope="col">
              <TargetName name={change.candidate} />
            </th>
          </tr>
        </thead>
        <tbody>
          {change.members.map((member) => (
            <tr key={member.path}>
              <th scope="row">
                <code>{member.path}</code>
              </th>
              <td dir="auto">
                <LongText text={member.baseline} />
              </td>
              <td dir="auto">
                <LongText text={member.candidate} />
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

/** Which of several runs is shown, each with what became of it on every side. */
function RunChoice(props: {
  row: ReportRow;
  sides: readonly AnswerSide[];
  repeat: number;
  choose: (repeat: number) => void;
}) {
  const { row, sides, repeat, choose } = props;
  const most = Math.max(...row.sides.map((side) => side.runs.length), 1);
  if (most === 1) return null;
  return (
    <div class="filters" role="group" aria-label="Which run">
      {Array.from({ length: most }, (_, index) => (
        <button key={index} type="button" aria-pressed={index === repeat} onClick={() => choose(index)}>
          Run {index + 1}{" "}
          <span class="count">{sides.map(({ place }) => cameOut(row.sides[place]?.runs[index])).join(" · ")}</span>
        </button>
      ))}
    </div>
  );
}

function cameOut(run: ReportRun | undefined): string {
  if (run === undefined) return "–";
  if (run.failed) return "error";
  const pass = run.scores[0]?.pass ?? null;
  return pass === null ? "answered" : pass ? "✓ pass" : "✗ fail";
}

/** Two targets, or all of them beside each other. */
function SideChoice({ isAll, choose }: { isAll: boolean; choose: (isAll: boolean) => void }) {
  const { summary, candidate } = useReport();
  const { length } = summary.targets;
  const name = summary.candidates[candidate];
  if (length < 3) return null;
  return (
    <div class="filters" role="group" aria-label="Which targets">
      <button type="button" aria-pressed={!isAll} onClick={() => choose(false)}>
        {name === undefined ? "Two of them" : <TargetName name={name} />}
      </button>
      <button type="button" aria-pressed={isAll} onClick={() => choose(true)}>
        All {length} targets
      </button>
    </div>
  );
}
