import type { ReportRun } from "../../../report/shape/model.ts";
import { costBeside, countBeside, timeBeside } from "../../../report/say/beside.ts";
import { number, price, priceUnit } from "../../../report/say/quantity.ts";
import { durationShown } from "../parts/format.ts";
import { Link } from "../parts/link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { SideHeads } from "./row-answers.tsx";
import type { AnswerSide } from "./shown-answers.ts";

/** A figure of a run: its name, how it is shown, and how the candidate's is told beside the baseline's. */
interface Figure {
  name: string;
  of: (run: ReportRun) => number | null;
  shown: (value: number) => string;
  beside: (baseline: number | null, candidate: number | null) => string | null;
  /** A value that says nothing where every side has it. */
  usual?: number;
}

const figures: readonly Figure[] = [
  { name: "Time", of: ({ latencyMs }) => latencyMs, shown: durationShown, beside: timeBeside },
  { name: "Time to the first words", of: ({ firstMs }) => firstMs ?? null, shown: durationShown, beside: timeBeside },
  { name: `Cost, ${priceUnit}`, of: ({ cost }) => cost ?? null, shown: price, beside: costBeside },
  { name: "Tokens read", of: ({ usage }) => usage?.input ?? null, shown: number, beside: countBeside },
  { name: "Tokens written", of: ({ usage }) => usage?.output ?? null, shown: number, beside: countBeside },
  { name: "Size in bytes", of: ({ answer }) => bytesOf(answer), shown: number, beside: countBeside },
  { name: "Attempts", of: ({ attempts }) => attempts, shown: number, beside: countBeside, usual: 1 },
];

const encoder = new TextEncoder();

function bytesOf(answer: string | null): number | null {
  return answer === null ? null : encoder.encode(answer).length;
}

/** Time, cost, tokens and size of the answers side by side, each with its unit and what differs in words, and where the run is. */
export function RunFigures({ sides }: { sides: readonly AnswerSide[] }) {
  const baseline = sides.find(({ role }) => role === "baseline")?.run;
  const known = figures.filter(({ of, usual }) =>
    sides.some(({ run }) => run !== undefined && of(run) !== null && of(run) !== usual),
  );
  const isLinked = sides.some(({ run }) => run !== undefined && run.url !== null);
  if (known.length === 0 && !isLinked) return null;
  return (
    <details>
      <summary>Time, cost and size</summary>
      <ScrollTable name="Time, cost and size">
        <SideHeads first="Figure" sides={sides} />
        <tbody>
          {known.map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{figure.name}</th>
              {sides.map((side) => (
                <FigureCell key={side.place} figure={figure} side={side} baseline={baseline} />
              ))}
            </tr>
          ))}
          {isLinked && (
            <tr>
              <th scope="row">Run</th>
              {sides.map(({ place, run }) => (
                <td key={place}>
                  {run === undefined || run.url === null ? "–" : <Link url={run.url} text="Run page" />}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </ScrollTable>
    </details>
  );
}

function FigureCell(props: { figure: Figure; side: AnswerSide; baseline: ReportRun | undefined }) {
  const { figure, side, baseline } = props;
  const value = side.run === undefined ? null : figure.of(side.run);
  const from = baseline === undefined || side.role !== "candidate" ? null : figure.of(baseline);
  const reported = figure.beside(from, value);
  return (
    <td>
      {value === null ? "–" : figure.shown(value)}
      {reported !== null && <b class="note">{reported}</b>}
    </td>
  );
}
