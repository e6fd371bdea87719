import { byGravity, type VerdictWord, wordFacts } from "../../compare/verdict-word.ts";
import type { ReportChoice } from "../shape/choice.ts";
import type { DocCell, DocTable, Medium } from "../shape/doc.ts";
import type { CountingRule } from "../model/counted-score.ts";
import { rowGroup } from "../model/row-groups.ts";
import { decidedByPeople } from "../say/people.ts";
import { choiceTable } from "./choice-table.ts";
import { rowsOfGate } from "./gate-table.ts";
import type { ReportGate, ReportMetric, ReportSummary, ReportTarget } from "../shape/model.ts";
import {
  changeFigure,
  changeRange,
  columnFigure,
  levelWords,
  limitFigure,
  scoreRange,
  sidesFigures,
} from "../say/figures.ts";
import { number } from "../say/quantity.ts";
import { targetNamer } from "../say/names.ts";
import { type ColumnOf, tableOf } from "./table.ts";

/**
 * The figures below a headline: a line a metric or gate; with several candidates, and where one is chosen, a line each. Null: there
 * are none.
 */
export function resultTable(summary: ReportSummary): DocTable | null {
  if (!hasFigures(summary)) return null;
  const { pairs } = summary;
  const choice = shownChoice(summary);
  if (choice !== null) return choiceTable(summary, "head");
  if (pairs.length === 0) return scoresOf(summary);
  return pairs.length === 1 ? metricResult(summary) : candidateResult(summary);
}

function hasFigures({ findings, metrics, targets, verdict }: ReportSummary): boolean {
  const isWhole = findings.headline.kind !== "interrupted" && verdict.state !== "invalid";
  return isWhole && metrics.length > 0 && targets.length > 0;
}

/** The choice that the figures are of; null: they are of each candidate against its baseline, or of targets alone. */
function shownChoice({ choice, pairs, findings }: ReportSummary): ReportChoice | null {
  const isShown = pairs.every(({ word }) => word === null) || findings.headline.kind === "choice";
  return choice !== undefined && isShown ? choice : null;
}

/** A target among the sides of a row, and the pair that is looked at. */
interface TargetInPair {
  target: number;
  pair: number;
}

/** The figure of a target by the primary metric, as the table has it; null: it has none. */
export function targetFigure(summary: ReportSummary, of: TargetInPair): string | null {
  const [metric] = summary.metrics;
  if (metric === undefined || !hasFigures(summary)) return null;
  const name = summary.targets[of.target]?.name ?? "";
  const choice = shownChoice(summary);
  if (choice !== null) {
    const about = summary.metrics.find((each) => each.name === choice.metric);
    const own = choice.intervals.find(({ target }) => target === name);
    return about === undefined || own === undefined ? null : columnFigure(own.mean, about);
  }
  if (summary.pairs.length === 0) return columnFigure(scoreOf(summary.targets[of.target], 0)?.value ?? null, metric);
  const { gate, side } = gateOfTarget(summary, of);
  return gate === undefined ? null : sideOf(gate, metric, side);
}

/** The same over some of the rows, whose mean is known. */
export const figureOfMean = ({ metrics: [metric] }: ReportSummary, mean: number | null): string | null =>
  metric === undefined ? null : columnFigure(mean, metric);

/**
 * The rows that the figure of each target counts, so that it can be told of some of them; null: it is no mean of the
 * scores of rows.
 */
export function countingRules(summary: ReportSummary, pair: number): CountingRule[] | null {
  const { targets, pairs, metrics } = summary;
  const [metric] = metrics;
  if (metric === undefined || metric.relative || metric.isMedian === true || !hasFigures(summary)) return null;
  const choice = shownChoice(summary);
  // In a race each was asked other rows.
  if (choice !== null)
    return targets.map((_, at) => ({
      pair: null,
      sides: choice.race === undefined ? targets.map((__, all) => all) : [at],
    }));
  if (pairs.length === 0) return targets.map((_, at) => ({ pair: null, sides: [at] }));
  const names = targets.map(({ name }) => name);
  return targets.map((_, target): CountingRule => {
    const { gate, place } = gateOfTarget(summary, { target, pair });
    const own = pairs[place];
    if (own === undefined || gate === undefined || decidedByPeople(gate) !== null) return null;
    return { pair: place, sides: [names.indexOf(own.baseline), names.indexOf(own.candidate)] };
  });
}

/** The gate that tells of a target by the primary metric: of the pair that is looked at, or else of its own. */
function gateOfTarget({ pairs, gates, targets, metrics }: ReportSummary, { target, pair }: TargetInPair) {
  const name = targets[target]?.name;
  const isBaseline = pairs[pair]?.baseline === name;
  const place = isBaseline ? pair : pairs.findIndex(({ candidate }) => candidate === name);
  const gate = gates.find(
    (each) => each.candidate === pairs[place]?.candidate && each.metric === metrics[0]?.name && each.slice === null,
  );
  return { place, gate, side: isBaseline ? (0 as const) : (1 as const) };
}

interface Line {
  gate: ReportGate;
  metric: ReportMetric;
}

/** A line with the unit of its change, where that is not understood from the line above. */
interface ChangeLine extends Line {
  saysUnit: boolean;
}

const withUnits = (lines: readonly Line[]): ChangeLine[] =>
  lines.map((line, place) => ({ ...line, saysUnit: !line.metric.passes || lines[place - 1]?.metric.passes !== true }));

/** Media without pictures and links. */
const plainMedia: readonly Medium[] = ["terminal", "markdown"];

/** The range of a line as a picture, on one scale with the others of its metric. */
const drawnColumn = <Shown extends Line & { isBaseline?: boolean }>(gates: readonly ReportGate[]): ColumnOf<Shown> => ({
  title: "drawn",
  kind: "chart",
  not: plainMedia,
  cell: ({ gate, metric, isBaseline = false }) =>
    isBaseline || gate.interval === null
      ? ""
      : { drawn: gate, metric, among: gates.filter((each) => each.metric === gate.metric) },
});

/** The title of ranges, with their level. */
const rangeTitle = (gates: readonly ReportGate[]): { title: string; short: string } => {
  const shown = gates.filter(({ interval }) => interval !== null);
  const short = levelWords(shown, "+");
  // Three words say as much as four where a terminal is narrow.
  const isByEnd = shown.some(({ sides }) => sides === 1);
  return { title: `likely range (${levelWords(shown)})`, short: isByEnd ? short : `range (${short})` };
};

/** The rows of a line that turned, in the page a way to them. */
const turnedColumn = <Shown extends Line & { isBaseline?: boolean }>(trend: "worse" | "better"): ColumnOf<Shown> => ({
  title: trend,
  kind: "number",
  isTold: true,
  cell: ({ gate, metric, isBaseline = false }) => {
    if (isBaseline) return "";
    // The rows that people call worse are known by their labels alone.
    const people = decidedByPeople(gate);
    const count = (people ?? gate)[trend];
    const text = number(count);
    if (count === 0 || people !== null) return text;
    return {
      text,
      long: { link: text, to: { ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, trend) } },
    };
  },
});

/** The lines of one candidate: its gates, then metrics without one. */
function metricResult(summary: ReportSummary): DocTable {
  const { gates, metrics, pairs } = summary;
  const [pair] = pairs;
  const all = gates.flatMap((gate): Line[] => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    return metric === undefined || gate.now === null || gate.baseline === null ? [] : [{ gate, metric }];
  });
  // A metric without a gate that may differ by chance alone says nothing; it stands among all metrics.
  const told = all.filter(({ gate: { state, sure } }) => state !== null || sure !== undefined);
  const { lines, rest } = withoutQuiet(told.length === 0 ? all : told);
  const hasWords = lines.length + rest > 1;
  const columns: ColumnOf<ChangeLine>[] = [
    {
      title: "metric",
      kind: "name",
      cell: ({ gate, metric }) => {
        const name = { name: nameOf(gate) };
        const note = metric.lowerIsBetter ? [{ note: "lower is better" }] : [];
        return { text: name, long: [{ link: name, to: rowsOfGate(gate, metric) }, ...note] };
      },
    },
    {
      title: { name: targetNamer(summary)(pair?.baseline ?? "") },
      drop: 3,
      isTold: true,
      cell: ({ gate, metric }) => sideOf(gate, metric, 0),
    },
    {
      title: { name: targetNamer(summary)(pair?.candidate ?? "") },
      drop: 2,
      isTold: true,
      cell: ({ gate, metric }) => sideOf(gate, metric, 1),
    },
    { title: "change", isTold: true, cell: changeOf },
    drawnColumn(gates),
    ...(lines.every(({ gate }) => isCounted(gate))
      ? []
      : [
          {
            ...rangeTitle(lines.map(({ gate }) => gate)),
            drop: 1,
            isTold: true,
            cell: ({ gate, metric }: Line) => rangeOf(gate, metric),
          },
        ]),
    { title: "limit", drop: 4, isTold: true, cell: ({ gate, metric }) => limitOf(gate, metric) },
    { ...turnedColumn<Line>("worse"), not: plainMedia },
    { ...turnedColumn<Line>("better"), not: plainMedia },
    ...(hasWords ? [{ title: "", cell: ({ gate }: Line) => wordCell(gate.word, gate) }] : []),
  ];
  const table = tableOf({ name: "Result", noun: "metric" }, columns, numbered(lines));
  if (rest === 0) return table;
  const cells = table.columns.map((_, at): DocCell => {
    if (at === 0) return { text: rest === 1 ? "1 other value" : `${number(rest)} other values` };
    return at === table.columns.length - 1 ? { text: wordFacts("pass").shown, long: { word: "pass" } } : { text: "" };
  });
  return { ...table, rows: [...table.rows, { key: "rest", cells, state: "pass" }] };
}

/** The most values of a tag with a gate each that stand in lines of their own, if the others pass. */
const mostSlices = 4;

/** The values of a tag with the gravest first; passes beyond the first few are `rest`. */
function withoutQuiet(all: readonly Line[]): { lines: Line[]; rest: number } {
  const sliced = all
    .filter(({ gate }) => gate.slice !== null)
    .toSorted((one, other) => byGravity(one.gate.word ?? "pass", other.gate.word ?? "pass") || rank(one) - rank(other));
  const shown = sliced.filter(({ gate }, at) => at < mostSlices || gate.word !== "pass");
  return { lines: [...all.filter(({ gate }) => gate.slice === null), ...shown], rest: sliced.length - shown.length };
}

const numbered = (lines: readonly Line[]) =>
  withUnits(lines).map((of) => ({ key: `${of.gate.candidate} ${of.gate.name}`, state: of.gate.state, of }));

const rank = ({ gate }: Line): number => gate.difference ?? 0;

/** Several candidates by the metric that the suite names first, the worst first; other gates of theirs that say something. */
function candidateResult(summary: ReportSummary): DocTable {
  const { gates, metrics, baseline } = summary;
  const [primary] = metrics;
  const all = gates.flatMap((gate): Line[] => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    return metric === undefined ? [] : [{ gate, metric }];
  });
  const own = all.filter(({ gate }) => gate.metric === primary?.name && gate.slice === null);
  const others = all.filter(
    ({ gate }) =>
      !own.some((line) => line.gate === gate) && gate.word !== null && wordFacts(gate.word).state !== "pass",
  );
  const wordOfLine = ({ gate }: Line): DocCell => {
    const word = summary.pairs.find(({ candidate }) => candidate === gate.candidate)?.word ?? null;
    const isBetter = gate.metric === primary?.name && gate.slice === null && word === "better";
    return wordCell(isBetter ? "better" : gate.word, gate);
  };
  const sorted = own.toSorted((one, other) => {
    const [a, b] = [one, other].map(
      ({ gate }) => summary.pairs.find(({ candidate }) => candidate === gate.candidate)?.word ?? "pass",
    );
    return byGravity(a ?? "pass", b ?? "pass") || rank(one) - rank(other);
  });
  const limits = new Set(sorted.map(({ gate, metric }) => limitOf(gate, metric)));
  const [limit] = limits;
  const limitTitle = limits.size === 1 && limit !== undefined && limit !== "none" ? `limit ${limit}` : "";
  const first = sorted[0];
  const base = first === undefined || baseline === null ? [] : [{ ...first, isBaseline: true, saysUnit: false }];
  const lines = [...base, ...withUnits([...sorted, ...others]).map((line) => ({ ...line, isBaseline: false }))];
  type Cell = (typeof lines)[number];
  const columns: ColumnOf<Cell>[] = [
    {
      title: "target",
      kind: "name",
      cell: ({ gate, isBaseline }) => {
        const target = isBaseline ? (baseline ?? "") : gate.candidate;
        const of = others.some((line) => line.gate === gate) && !isBaseline ? `, ${nameOf(gate)}` : "";
        return { text: { name: `${targetNamer(summary)(target)}${of}` }, long: [{ target }, of] };
      },
    },
    {
      title: { name: primary?.name ?? "" },
      cell: ({ gate, metric, isBaseline }) => sideOf(gate, metric, isBaseline ? 0 : 1),
    },
    {
      title: "change",
      cell: (line) => (line.isBaseline ? "" : changeOf(line)),
    },
    drawnColumn(gates),
    {
      ...rangeTitle([...sorted, ...others].map(({ gate }) => gate)),
      isTold: true,
      cell: ({ gate, metric, isBaseline }) => (isBaseline ? "" : rangeOf(gate, metric)),
    },
    turnedColumn("worse"),
    turnedColumn("better"),
    { title: limitTitle, cell: (line) => (line.isBaseline ? "" : wordOfLine(line)) },
  ];
  return tableOf(
    { name: "Result", noun: "target" },
    columns,
    lines.map((of, place) => ({ key: String(place), state: of.isBaseline ? null : of.gate.state, of })),
  );
}

const scoreOf = (target: ReportTarget | undefined, place: number) => target?.scores[place] ?? null;

/** The scores of targets that are not compared. */
function scoresOf({ targets, metrics }: ReportSummary): DocTable | null {
  const isOne = targets.length === 1;
  const lines = metrics.flatMap((metric, place) =>
    targets.some(({ scores }) => (scores[place]?.value ?? null) !== null)
      ? [{ key: metric.name, of: { metric, place } }]
      : [],
  );
  if (lines.length === 0) return null;
  const shown = targets.slice(0, 4);
  const columns: ColumnOf<(typeof lines)[number]["of"]>[] = [
    { title: "metric", kind: "name", cell: ({ metric }) => ({ name: metric.name }) },
    ...shown.map((target): ColumnOf<(typeof lines)[number]["of"]> => ({
      title: { name: target.name },
      cell: ({ metric, place }) => columnFigure(scoreOf(target, place)?.value ?? null, metric),
    })),
    ...(isOne
      ? [
          {
            ...rangeTitle([]),
            cell: ({ metric, place }: { metric: ReportMetric; place: number }) => {
              const interval = shown[0] === undefined ? null : (scoreOf(shown[0], place)?.interval ?? null);
              return interval === null ? "–" : scoreRange(interval, metric);
            },
          },
          {
            title: "rows",
            kind: "number" as const,
            cell: ({ place }: { metric: ReportMetric; place: number }) =>
              number(shown[0] === undefined ? 0 : (scoreOf(shown[0], place)?.scored ?? 0)),
          },
        ]
      : []),
  ];
  return tableOf({ name: "Result", noun: "metric" }, columns, lines);
}

const nameOf = ({ metric, slice }: ReportGate): string => (slice === null ? metric : `${metric}, ${slice.value}`);

const changeOf = ({ gate: { difference, margin }, metric, saysUnit }: ChangeLine): string =>
  changeFigure(difference, metric, { unit: saysUnit, limit: margin });

const rangeOf = (gate: ReportGate, metric: ReportMetric): string => {
  if (isCounted(gate)) return "counted";
  return gate.interval === null ? "–" : changeRange(gate.interval, metric, gate.margin);
};

/** Rows are counted, and tell of themselves alone. */
const isCounted = ({ losses, tries }: ReportGate): boolean => losses !== null || tries !== undefined;

function limitOf({ margin, losses, tries, state }: ReportGate, metric: ReportMetric): string {
  if (losses !== null) return losses.allowed === 1 ? "1 row" : `${number(losses.allowed)} rows`;
  if (tries !== undefined) return `${tries.pass} of ${tries.of} tries`;
  return state === null || margin === null ? "none" : limitFigure(margin, metric);
}

/** The word of a line; of a metric without a gate, that it is surely worse or better. */
const wordCell = (word: VerdictWord | null, { sure }: ReportGate): DocCell =>
  word === null ? { text: sure ?? "" } : { text: wordFacts(word).shown, long: { word } };

/** One side of a gate. */
const sideOf = (gate: ReportGate, metric: ReportMetric, side: 0 | 1): string =>
  metric.passes ? columnFigure(side === 0 ? gate.baseline : gate.now, metric) : sidesFigures(gate, metric)[side];
