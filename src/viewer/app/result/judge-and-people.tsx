import { tableOf } from "../../../report/doc/table.ts";
import { changeRange, confidenceMark, sizeOfChange } from "../../../report/say/figures.ts";
import { counted } from "../../../report/say/quantity.ts";
import type { DocTable } from "../../../report/shape/doc.ts";
import type { ReportGate, ReportMetric } from "../../../report/shape/model.ts";
import { DocTableView } from "../parts/doc.tsx";
import { useReport } from "../parts/report.tsx";

/** A judge, people, and the judge as people correct it, each with its range, on one axis; for every gate that labels decide. */
export function JudgeAndPeople() {
  const { gates, metrics, candidates } = useReport().summary;
  const decided = gates.filter(({ state, slice, people }) => state !== null && slice === null && people !== undefined);
  return decided.map((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const who = [...(candidates.length > 1 ? [gate.candidate] : []), ...(decided.length > 1 ? [gate.name] : [])];
    const table = metric === undefined ? null : peopleTable(gate, metric, who.join(", "));
    if (table === null || metric === undefined) return null;
    return (
      <div key={`${gate.candidate} ${gate.name}`}>
        <DocTableView table={table} kind="by-people" />
        {gate.sides === 1 && gate.interval !== null && (
          <p class="quiet">
            The verdict goes by {changeRange(gate.interval, metric, gate.margin)} ({confidenceMark(gate)})
          </p>
        )}
      </div>
    );
  });
}

/** Null: no label decides. */
function peopleTable(gate: ReportGate, metric: ReportMetric, of: string): DocTable | null {
  const { people, difference } = gate;
  if (people === undefined || people.refused !== null) return null;
  const { judge, alone, labels, cases, interval } = people;
  const isWhole = labels === cases;
  const lines = [
    { by: "judge alone", difference: judge.difference, interval: judge.interval },
    ...(alone === null ? [] : [{ by: `people alone, ${counted(labels, "row")}`, ...alone }]),
    { by: isWhole ? `people, all ${counted(cases, "row")}` : "judge corrected by people", difference, interval },
  ].map((line) => ({ ...line, drawn: { ...gate, difference: line.difference, interval: line.interval } }));
  const among = lines.map(({ drawn }) => drawn);
  return tableOf<(typeof lines)[number]>(
    { name: of === "" ? "Judge and people" : `${of}: judge and people`, noun: "line" },
    [
      { title: "by", kind: "name", cell: ({ by }) => by },
      { title: "drawn", kind: "chart", cell: ({ drawn }) => ({ drawn, metric, among }) },
      {
        title: "difference",
        cell: (line) => (line.difference === null ? "not known" : sizeOfChange(line.difference, metric)),
      },
      {
        title: "95 % range",
        kind: "range",
        cell: (line) => (line.interval === null ? "–" : changeRange(line.interval, metric)),
      },
    ],
    lines.map((of_) => ({ key: of_.by, of: of_ })),
  );
}
