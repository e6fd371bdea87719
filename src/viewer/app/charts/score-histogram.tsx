import { rowGroup } from "../../../report/model/row-groups.ts";
import { binWords } from "../../../report/model/score-bins.ts";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import type { ReportScores } from "../../../report/shape/scores.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import { counted } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { CasesLink } from "./cases-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { showRows } from "../parts/show-rows.ts";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";

interface Props {
  summary: ReportSummary;
  metric: ReportMetric;
  scores: ReportScores;
  setAddress: SetAddress;
}

/** Shows the rows of a target in a bin. */
type Show = (target: string, bin: number) => void;

/** Cases by their score of a metric, for each target: a bar leads to its rows, and the same stands in a table. */
export function ScoreHistogram({ summary, metric, scores, setAddress }: Props) {
  const lookOf = reportLooks(summary);
  const highest = Math.max(1, ...scores.targets.flatMap(({ counts }) => counts));
  const [first, last] = [scores.bins[0], scores.bins.at(-1)];
  const show: Show = (target, bin) =>
    showRows(setAddress, { group: rowGroup.score(target, bin, metric), sort: "score" });
  return (
    <>
      <h2>
        Scores of <bdi>{metric.name}</bdi>
      </h2>
      {scores.targets.map(({ target, counts }) => (
        <div key={target} class="histogram">
          {scores.targets.length > 1 && (
            <p>
              <TargetMark look={lookOf(target)} />
              <TargetName name={target} />
            </p>
          )}
          <Bars
            {...{ metric, bins: scores.bins, counts, highest }}
            colour={lookOf(target).colour}
            show={(bin) => show(target, bin)}
          />
        </div>
      ))}
      <div class="ends" aria-hidden="true">
        <span>{scoreFigure(first?.from ?? null, metric)}</span>
        <span>{counted(highest, "case")} at the highest</span>
        <span>{scoreFigure(last?.to ?? null, metric)}</span>
      </div>
      <details>
        <summary>The figures</summary>
        <BinTable metric={metric} scores={scores} show={show} />
      </details>
    </>
  );
}

interface BarsProps {
  metric: ReportMetric;
  bins: ReportScores["bins"];
  /** Cases of each bin, and the most of any bin of any target. */
  counts: readonly number[];
  highest: number;
  colour: string;
  show: (bin: number) => void;
}

function Bars({ metric, bins, counts, highest, colour, show }: BarsProps) {
  return (
    <svg class={colour} viewBox={`0 0 ${counts.length} 10`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((cases, place) => {
        const bin = bins[place]?.bin ?? 0;
        const height = (cases / highest) * 10;
        return (
          <g key={bin} class={cases > 0 ? "leads" : ""} onClick={() => cases > 0 && show(bin)}>
            <rect class="ground" x={place} y="0" width="1" height="10" />
            <rect x={place + 0.04} y={10 - height} width="0.92" height={height} />
            <title>{`${binWords(bin, metric)}: ${counted(cases, "case")}`}</title>
          </g>
        );
      })}
    </svg>
  );
}

function BinTable({ metric, scores, show }: Omit<Props, "summary" | "setAddress"> & { show: Show }) {
  return (
    <ScrollTable name={`Scores of ${metric.name}`}>
      <thead>
        <tr>
          <th scope="col">Score</th>
          {scores.targets.map(({ target }) => (
            <th scope="col" class="number" key={target}>
              <TargetName name={target} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {scores.bins.map(({ bin }, place) => (
          <tr key={bin}>
            <th scope="row">{binWords(bin, metric)}</th>
            {scores.targets.map(({ target, counts }) => (
              <td class="number" key={target}>
                {counts[place] === 0 ? "0" : <CasesLink cases={counts[place] ?? 0} show={() => show(target, bin)} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
