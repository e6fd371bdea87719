import type { ReportGate, ReportMetric, ReportSummary, ShownInterval } from "../../../report/shape/model.ts";
import { confidenceMark, range, sizeOfChange } from "../../../report/say/figures.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { CopiedCode } from "../parts/copied-code.tsx";
import { IntervalPicture, reachOfIntervals } from "../parts/interval.tsx";

/** A difference by the judge, by people, or by both. */
interface Said {
  by: string;
  difference: number | null;
  interval: ShownInterval | null;
}

/** A judge, people, and the judge as people correct it, each with its range, on one axis; for every gate that labels decide. */
export function JudgeAndPeople({ summary }: { summary: ReportSummary }) {
  const { gates, metrics, candidates } = summary;
  const decided = gates.filter(({ state, slice, people }) => state !== null && slice === null && people !== undefined);
  return decided.map((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const who = [...(candidates.length > 1 ? [gate.candidate] : []), ...(decided.length > 1 ? [gate.name] : [])];
    return metric === undefined ? null : (
      <Picture key={`${gate.candidate} ${gate.name}`} of={who.join(", ")} gate={gate} metric={metric} />
    );
  });
}

/** The command that writes the sheet of the drawn cases which lack a label; only in the viewer. */
export function DrawnCases({ summary }: { summary: ReportSummary }) {
  const first = summary.gates.find(({ slice, people }) => slice === null && (people?.unlabelled ?? 0) > 0);
  if (first?.people === undefined) return null;
  const { labels, unlabelled } = first.people;
  return (
    <p>
      {number(labels)} of {number(labels + unlabelled)} drawn cases labelled. The sheet for the others:{" "}
      <CopiedCode
        text={`tandem label export ${summary.batch} --draw --candidate ${shellWord(first.candidate)} --open -o labels.csv`}
      />
    </p>
  );
}

function Picture({ of, gate, metric }: { of: string; gate: ReportGate; metric: ReportMetric }) {
  const { people, difference, margin } = gate;
  if (people === undefined || people.refused !== null) return null;
  const { judge, alone, labels, cases, interval } = people;
  const isWhole = labels === cases;
  const lines: Said[] = [
    { by: "judge alone", difference: judge.difference, interval: judge.interval },
    ...(alone === null ? [] : [{ by: `people alone, ${counted(labels, "row")}`, ...alone }]),
    { by: isWhole ? `people, all ${counted(cases, "row")}` : "judge corrected by people", difference, interval },
  ];
  const drawn = lines.map((line) => ({ ...line, margin }));
  const reach = reachOfIntervals(drawn, metric);
  return (
    <table class="by-people">
      <caption>
        {of === "" ? "Judge and people" : `${of}: judge and people`}, the difference with its 95 % range
        {gate.sides === 1 && gate.interval !== null && (
          <>
            . The verdict goes by {range(gate.interval, metric)} ({confidenceMark(gate)})
          </>
        )}
      </caption>
      <tbody>
        {drawn.map((line, place) => (
          <tr key={line.by} class={place === drawn.length - 1 ? "decides" : ""}>
            <th scope="row">{line.by}</th>
            <td class="drawn">
              <IntervalPicture gate={line} metric={metric} reach={reach} isSmall />
            </td>
            <td>
              <span class="whole">
                {line.difference === null ? "not known" : sizeOfChange(line.difference, metric)}
              </span>{" "}
              {line.interval !== null && <span class="quiet whole">({range(line.interval, metric)})</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
