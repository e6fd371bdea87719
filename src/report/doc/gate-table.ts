import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import type { Medium, DocRows, DocTable } from "../shape/doc.ts";
import { rowGroup } from "../model/row-groups.ts";
import { speedBasis } from "../model/speed-basis.ts";
import { changeFigure, pNames, pValue, rangesOf, sidesFigures } from "../say/figures.ts";
import { gateLimit } from "../say/gates.ts";
import { decidedByPeople } from "../say/people.ts";
import { number } from "../say/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

interface GateLine {
  gate: ReportGate;
  metric: ReportMetric;
}

/**
 * Gates, or metrics without one, a line each: their ranges and their p values answer other questions, so that they never
 * share a table. `several`: the name of each candidate stands beside its metrics.
 */
export function gateTable(
  gates: readonly ReportGate[],
  summary: ReportSummary,
  { name, several }: { name: string; several: boolean },
): DocTable {
  const lines = gates.flatMap((gate) => {
    const metric = summary.metrics.find((each) => each.name === gate.metric);
    const { candidate, name: own, state } = gate;
    return metric === undefined ? [] : [{ key: `${candidate} ${own}`, state, of: { gate, metric } }];
  });
  return tableOf({ name, noun: "metric" }, gateColumns(gates, summary, several), lines);
}

const flat: readonly Medium[] = ["terminal", "markdown"];
const page: readonly Medium[] = ["page"];

function gateColumns(
  gates: readonly ReportGate[],
  { baseline, candidates, gates: all, verdict, pairs, ...summary }: ReportSummary,
  several: boolean,
): ColumnOf<GateLine>[] {
  const ranges = rangesOf(gates);
  const isDeciding = gates.some(({ state }) => state !== null);
  const isInvalid = verdict.state === "invalid";
  // Nothing is found where nothing is decided.
  const shown = (text: string) => (isInvalid ? { quiet: text } : { strong: text });
  return [
    {
      title: "result",
      short: "",
      not: isDeciding ? page : ["terminal", "page"],
      cell: ({ gate, metric }) => {
        if (gate.word === null) return "";
        return { word: isBetterBy({ gate, metric }, { metrics: summary.metrics, pairs }) ? "better" : gate.word };
      },
    },
    ...(several
      ? [{ title: "candidate", kind: "name" as const, cell: ({ gate }: GateLine) => ({ target: gate.candidate }) }]
      : []),
    { title: "metric", kind: "name", cell: (line) => nameCell(line, { ...summary, pairs }) },
    {
      title: "baseline",
      short: { name: baseline ?? "baseline" },
      kind: "number",
      not: page,
      cell: ({ gate, metric }) => ({
        text: sidesFigures(gate, metric)[0],
        figure: { value: gate.baseline, as: metric.passes ? "share" : "figure" },
      }),
    },
    {
      title: "now",
      short: { name: several ? "now" : (candidates[0] ?? "now") },
      kind: "number",
      not: page,
      cell: ({ gate, metric }) => ({
        text: sidesFigures(gate, metric)[1],
        figure: { value: gate.now, as: metric.passes ? "share" : "figure" },
      }),
    },
    {
      title: "baseline → candidate",
      kind: "range",
      not: flat,
      cell: ({ gate, metric }) => sidesFigures(gate, metric).join(" → "),
    },
    {
      title: "difference",
      kind: "number",
      cell({ gate, metric }) {
        return {
          text: shown(changeFigure(gate.difference, metric, { limit: gate.margin })),
          // A figure that does not count would be read as a finding.
          ...(isInvalid && { long: "–" }),
          // Others have units, or are ratios.
          ...(!metric.lowerIsBetter &&
            !metric.relative &&
            metric.unit === null && {
              figure: { value: gate.difference, as: metric.passes ? "points" : "figure" },
            }),
        };
      },
    },
    {
      title: "drawn",
      kind: "chart",
      not: flat,
      cell: ({ gate, metric }) =>
        isInvalid || gate.word === "cannot-tell"
          ? ""
          : { drawn: gate, metric, among: all.filter((each) => each.metric === gate.metric) },
    },
    {
      title: ranges.name,
      kind: "range",
      isTold: true,
      cell: ({ gate, metric }) =>
        gate.interval === null ? "–" : ranges.text(gate, gate.interval, metric, gate.margin),
    },
    {
      // Beside the bounds it says nothing new: it goes first where the screen is narrow.
      title: isDeciding ? pNames.gate : pNames.metric,
      kind: "number",
      ...(isDeciding && { drop: 3 }),
      isTold: true,
      cell({ gate: { state, p, pLoss } }) {
        const value = state === null ? p : pLoss;
        return { text: pValue(value), figure: { value, as: "chance" } };
      },
    },
    ...(["worse", "better"] as const).map((trend): ColumnOf<GateLine> => ({
      title: trend,
      kind: "number",
      drop: 1,
      isTold: true,
      cell: ({ gate, metric }) => ({
        text: number(countsOf(gate)[trend]),
        figure: { value: countsOf(gate)[trend], as: "count" },
        // The rows are known by the judge alone.
        long: isInvalid
          ? "–"
          : gate[trend] === 0 || decidedByPeople(gate) !== null
            ? number(countsOf(gate)[trend])
            : {
                link: number(gate[trend]),
                to: { ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, trend) },
              },
      }),
    })),
    {
      title: "rows",
      kind: "number",
      drop: 2,
      not: page,
      cell(line) {
        const { cases, clusters, groups } = line.gate;
        const people = decidedByPeople(line.gate);
        if (people !== null)
          return { text: `${number(people.labels)} labelled of ${number(cases)}`, short: number(people.labels) };
        return {
          text: `${number(cases)}${groups === null ? "" : ` in ${groups}`}`,
          short: clusters === null || clusters === cases ? number(cases) : `${number(cases)} in ${number(clusters)}`,
          ...(groups === null && { figure: { value: cases, as: "count" as const } }),
        };
      },
    },
  ];
}

/** Cases that got worse and better: by people's labels where these decide. */
const countsOf = (gate: ReportGate): Pick<ReportGate, "worse" | "better"> => decidedByPeople(gate) ?? gate;

/** The candidate is called better, by the metric of this gate. */
function isBetterBy({ gate, metric }: GateLine, { metrics, pairs }: Pick<ReportSummary, "metrics" | "pairs">): boolean {
  const isPrimary = gate.slice === null && metric.name === metrics[0]?.name && gate.word === "pass";
  return isPrimary && pairs.some(({ candidate, word }) => candidate === gate.candidate && word === "better");
}

function nameCell({ gate, metric }: GateLine, summary: Pick<ReportSummary, "metrics" | "targets" | "pairs" | "cases">) {
  const name = { name: gate.name };
  const speed = speedBasis(gate, metric, summary);
  const direction = metric.lowerIsBetter ? [{ note: "lower is better" }] : [];
  return {
    short: name,
    text: [name, gate.state === null ? "" : gateLimit(gate, metric), ...direction],
    long: [{ link: name, to: rowsOfGate(gate, metric) }, ...direction, ...(speed === null ? [] : [{ note: speed }])],
  };
}

/** The rows that a gate is about: those that its metric compares. */
export function rowsOfGate({ candidate, slice }: ReportGate, { name }: Pick<ReportMetric, "name">): DocRows {
  return { target: candidate, tags: slice === null ? [] : [slice], group: rowGroup.paired(name), sort: "rank" };
}
