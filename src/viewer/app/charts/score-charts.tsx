import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import type { ReportScores, ScoredPair } from "../../../report/shape/scores.ts";
import type { SetAddress } from "../data/address.ts";
import { ScoreHistogram } from "./score-histogram.tsx";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { binWords } from "../../../report/model/score-bins.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import { CasesLink } from "./cases-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { showRows } from "../parts/show-rows.ts";
import { reportLooks, type TargetLook } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";

/** The scores of metrics that do more than pass or fail: of both sides of what is compared, or of a target by itself. */
export function ScoreCharts(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  return knownScores(summary).map(({ metric, scores }) =>
    summary.candidates.length === 0 ? (
      <section class="chart" key={metric.name}>
        <ScoreHistogram summary={summary} metric={metric} scores={scores} setAddress={setAddress} />
      </section>
    ) : (
      <ScoreScatter
        key={metric.name}
        summary={summary}
        metric={metric}
        scores={scores}
        candidate={candidate}
        setAddress={setAddress}
      />
    ),
  );
}

/** Metrics of which scores are counted, with what was counted. */
export function knownScores({ metrics, scores }: ReportSummary): { metric: ReportMetric; scores: ReportScores }[] {
  return metrics.flatMap((metric) => {
    const own = scores.find((each) => each.metric === metric.name);
    return own === undefined ? [] : [{ metric, scores: own }];
  });
}

/** Number of lines of the table; the other cells are drawn. */
const most = 40;

type Cell = ScoredPair["cells"][number];

/**
 * Scores of the baseline (to the right) and of the candidate (upwards): on the diagonal both are alike. A circle counts the
 * cases that have the same two, and leads to their rows; the same stands in a table.
 */
function ScoreScatter(props: {
  summary: ReportSummary;
  metric: ReportMetric;
  scores: ReportScores;
  candidate: number;
  setAddress: SetAddress;
}) {
  const { summary, metric, scores, candidate, setAddress } = props;
  const pair = scores.pairs[candidate];
  if (pair === undefined || pair.cells.length === 0) return null;
  const lookOf = reportLooks(summary);
  const binAt = (place: number): number => scores.bins[place]?.bin ?? 0;
  const show = (cell: Cell): void => {
    const sides = [
      rowGroup.score(pair.baseline, binAt(cell.baseline), metric),
      rowGroup.score(pair.candidate, binAt(cell.candidate), metric),
    ] as const;
    showRows(setAddress, { target: pair.candidate, group: rowGroup.scores(...sides), sort: "rank" });
  };
  const words = (place: number): string => binWords(binAt(place), metric);
  const cases = pair.cells.reduce((sum, cell) => sum + cell.cases, 0);
  return (
    <section class="chart">
      <h2>
        <bdi>{metric.name}</bdi>, case by case
      </h2>
      <p class="quiet">
        {counted(cases, "case")} with a score on both sides; a circle counts those with the same two scores. On the line
        both score alike; above it <TargetName name={pair.candidate} /> scores higher
        {metric.lowerIsBetter ? ", which is worse" : ""}.
        {(metric.min === null || metric.max === null) && " The scale is logarithmic."}
      </p>
      <Cells
        {...{ pair, metric, scores, show, words }}
        look={lookOf(pair.candidate)}
        lookOfBaseline={lookOf(pair.baseline)}
      />
      <details>
        <summary>The figures</summary>
        <Figures {...{ pair, show, words }} />
      </details>
    </section>
  );
}

interface CellsProps {
  pair: ScoredPair;
  metric: ReportMetric;
  scores: ReportScores;
  look: TargetLook;
  lookOfBaseline: TargetLook;
  show: (cell: Cell) => void;
  words: (place: number) => string;
}

function Cells({ pair, metric, scores, look, lookOfBaseline, show, words }: CellsProps) {
  const size = scores.bins.length;
  const highest = Math.max(...pair.cells.map(({ cases }) => cases));
  const [low, high] = [scores.bins[0]?.from ?? null, scores.bins.at(-1)?.to ?? null].map((end) =>
    scoreFigure(end, metric),
  );
  return (
    <div class="scatter">
      <div class="upwards" aria-hidden="true">
        <span>{high}</span>
        <span class="name">
          <TargetMark look={look} />
          <TargetName name={pair.candidate} />
        </span>
        <span>{low}</span>
      </div>
      <svg viewBox={`0 0 ${size} ${size}`} class={look.colour} aria-hidden="true">
        <rect class="frame" x="0" y="0" width={size} height={size} />
        <line class="zero" x1="0" y1={size} x2={size} y2="0" />
        {pair.cells.map((cell) => {
          const [x, y] = [cell.baseline, size - 1 - cell.candidate];
          return (
            <g key={`${x} ${y}`} class="leads" onClick={() => show(cell)}>
              <rect class="ground" x={x} y={y} width="1" height="1" />
              <circle cx={x + 0.5} cy={y + 0.5} r={0.1 + 0.4 * Math.sqrt(cell.cases / highest)} />
              <title>
                {`${counted(cell.cases, "case")}: ${pair.baseline} ${words(cell.baseline)}, ${pair.candidate} ${words(cell.candidate)}`}
              </title>
            </g>
          );
        })}
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{low}</span>
        <span class="name">
          <TargetMark look={lookOfBaseline} />
          <TargetName name={pair.baseline} />, <bdi>{metric.name}</bdi>
        </span>
        <span>{high}</span>
      </div>
      <p class="quiet" aria-hidden="true">
        The largest circle is {counted(highest, "case")}.
      </p>
    </div>
  );
}

const apart = ({ baseline, candidate }: Cell): number => Math.abs(candidate - baseline);

/** The cells as lines, those farthest from the diagonal first. */
function Figures({ pair, show, words }: Pick<CellsProps, "pair" | "show" | "words">) {
  const cells = pair.cells.toSorted((a, b) => apart(b) - apart(a) || b.cases - a.cases);
  return (
    <>
      <ScrollTable name="Scores of both sides">
        <thead>
          <tr>
            <th scope="col" class="number">
              <TargetName name={pair.baseline} />
            </th>
            <th scope="col" class="number">
              <TargetName name={pair.candidate} />
            </th>
            <th scope="col" class="number">
              Cases
            </th>
          </tr>
        </thead>
        <tbody>
          {cells.slice(0, most).map((cell) => (
            <tr key={`${cell.baseline} ${cell.candidate}`}>
              <td class="number">{words(cell.baseline)}</td>
              <td class="number">{words(cell.candidate)}</td>
              <td class="number">
                <CasesLink cases={cell.cases} show={() => show(cell)} />
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {cells.length > most && (
        <p class="quiet more">and {number(cells.length - most)} more, whose scores are closer.</p>
      )}
    </>
  );
}
