import { distanceWords } from "../../../report/say/beside.ts";
import { decimal, scoreFigure } from "../../../report/say/figures.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import type { RowHead, RowJudgement, RowNights } from "../../../report/shape/row-head.ts";
import { writeAddress } from "../data/address.ts";
import { useJudgement } from "../edit/judged.ts";
import { ChangeMark } from "../parts/change-mark.tsx";
import { durationShown, words } from "../parts/format.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import { counted } from "../../../report/say/quantity.ts";
import { keyWords, rowWords } from "../../../report/say/names.ts";
import { figureIn } from "../data/columns.ts";
import { useReport } from "../parts/report.tsx";
import { TargetName } from "../parts/target-name.tsx";

interface Props {
  head: RowHead;
  /** Its number in the list, from 0. */
  index: number;
  /** Places of the sides that are shown. */
  places: number[];
  compared: boolean;
  style: Record<string, string>;
  isOpen: boolean;
}

/** A row as the list shows it: its number in the sheet, the question and the key, how each side answered, and what changed. */
export function RowLine(props: Props) {
  const { head, index, places, compared, style, isOpen } = props;
  const { source, summary, address, candidate, setAddress } = useReport();
  const metric = summary.metrics[0];
  const judged = useJudgement(source.actions, head.key, head.judged);
  const { question } = head;
  const [place, key] = [rowWords(head), keyWords(head)];
  return (
    <div
      class={`row ${isOpen ? "open" : ""}`}
      role="row"
      aria-rowindex={index + 2}
      style={style}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest("a") !== null) return;
        if (getSelection()?.isCollapsed === false) return;
        setAddress({ row: head.key }, true);
      }}
    >
      <div role="cell" class="question">
        <p>
          <a
            href={writeAddress({ ...address, row: head.key })}
            data-row={index}
            aria-current={isOpen ? "true" : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              setAddress({ row: head.key }, true);
            }}
          >
            {place !== "" ? <bdi>{place}</bdi> : question !== "" ? <bdi>{question}</bdi> : <bdi class="key">{key}</bdi>}
          </a>
          {place !== "" && (
            <>
              {" "}
              <bdi>{question}</bdi>
            </>
          )}
        </p>
        <div class="named">
          {(place !== "" || question !== "") && <bdi class="key">{key}</bdi>}
          {judged !== null && <SaidInList {...judged} />}
        </div>
        {head.nights !== undefined && <Nights {...head.nights} />}
        <Cells cells={head.cells} />
      </div>
      {places.map((at) => {
        const side = head.sides[at];
        return (
          <div role="cell" class={`answer ${side?.failed === true ? "failed" : ""}`} key={at}>
            <p class="side-head">
              <span class="only-narrow">
                <TargetName name={summary.targets[at]?.name ?? ""} />
              </span>
              {metric !== undefined && side?.failed !== true && (
                <Verdict value={side?.scores[0] ?? null} metric={metric} />
              )}
              {address.sort === "slow" && !address.columns.includes("time") && (
                <span class="quiet">{durationShown(side?.latencyMs ?? null)}</span>
              )}
              {side !== undefined && side.outcome !== "answered" && <span class="outcome">{words(side.outcome)}</span>}
            </p>
            <Figures columns={address.columns} side={side} metrics={summary.metrics} />
            <p dir="auto">{side?.excerpt}</p>
          </div>
        );
      })}
      {compared && <Change change={head.changes[candidate]} counts={summary.verdict.state !== "invalid"} />}
    </div>
  );
}

/** The past of a row, by which the list is sorted. */
function Nights({ since, changes }: RowNights) {
  return (
    <div class="cells">
      <span>
        {since === null ? "the same in every night" : `so since ${momentLabel(since)}, ${counted(changes, "change")}`}
      </span>
    </div>
  );
}

/** Cells of the sheet that were chosen as columns. */
function Cells({ cells }: { cells: RowHead["cells"] }) {
  if (cells === undefined) return null;
  return (
    <div class="cells">
      {Object.entries(cells).map(([name, cell]) => (
        <span key={name} title={`${name}: ${cell}`}>
          <bdi>{name}</bdi>{" "}
          <b>
            <bdi>{cell === "" ? "–" : cell}</bdi>
          </b>
        </span>
      ))}
    </div>
  );
}

/** Figures of an answer that were chosen as columns. */
function Figures(props: {
  columns: readonly string[];
  side: RowHead["sides"][number] | undefined;
  metrics: readonly ReportMetric[];
}) {
  const { columns, side, metrics } = props;
  const figures = side === undefined ? [] : columns.flatMap((column) => figureIn(column, side, metrics) ?? []);
  if (figures.length === 0) return null;
  return (
    <div class="cells">
      {figures.map((figure) => (
        <span key={figure}>
          <bdi>{figure}</bdi>
        </span>
      ))}
    </div>
  );
}

/** The words of people on a row. */
function SaidInList({ labels, commented }: RowJudgement) {
  const said = [...worded("labelled", labels), ...(commented === true ? ["with a comment"] : [])].join(", ");
  return (
    <span class="judged" title={said}>
      <bdi>{said}</bdi>
    </span>
  );
}

const worded = (verb: string, said: readonly string[]): string[] =>
  said.length === 0 ? [] : [`${verb} ${said.join(", ")}`];

function Change({ change, counts }: { change: RowHead["changes"][number] | undefined; counts: boolean }) {
  return (
    <div role="cell" class="change">
      {change !== undefined && <ChangeMark kind={change.kind} trend={change.trend} counts={counts} isShort />}
      {change?.distance !== undefined && change.distance !== null && (
        <span class="distance" title={`${distanceWords(change.distance)} (0: the same words)`}>
          <i aria-hidden="true">
            <i style={{ width: `${change.distance * 100}%` }} />
          </i>
          <span class="unseen">worded differently by </span>
          {decimal(change.distance, 2)}
        </span>
      )}
    </div>
  );
}

function Verdict({ value, metric }: { value: number | null; metric: ReportMetric }) {
  if (!metric.passes) return value === null ? null : <span class="score">{scoreFigure(value, metric)}</span>;
  if (value === null) return <span class="score unscored">unscored</span>;
  return value === 1 ? (
    <span class="score passed">
      <span aria-hidden="true">✓</span> pass
    </span>
  ) : value === 0 ? (
    <span class="score missed">
      <span aria-hidden="true">✗</span> fail
    </span>
  ) : (
    <span class="score mixed">
      <span aria-hidden="true">~</span> {scoreFigure(value, metric)}
    </span>
  );
}
