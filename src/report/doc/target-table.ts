import { endOf, outcomeEntries } from "../../api/outcomes.ts";
import { isSound } from "../../compare/cases/side-outcome.ts";
import type { Medium, Phrase, DocTable } from "../shape/doc.ts";
import type { ReportMetric, ReportSummary, ReportTarget } from "../shape/model.ts";
import { rowGroup } from "../model/row-groups.ts";
import { rangesOf, scoreFigure, scoreRange, shareFigure } from "../say/figures.ts";
import { duration, number, price, priceUnit, timeHeads } from "../say/quantity.ts";
import { reasonPhrases } from "./reason-list.ts";
import { type ColumnOf, tableOf } from "./table.ts";

/** Columns of scores beside those of the runs, and reasons in a cell. */
const mostScores = 4;
const mostReasons = 5;

/** The targets: what they are, what became of their runs, how long these took, and what they cost. */
export function targetTable(summary: ReportSummary): DocTable {
  const { targets } = summary;
  const lines = targets.map((target) => ({ key: target.name, of: target }));
  return tableOf({ name: "Targets", noun: "target" }, targetColumns(summary), lines);
}

const flat: readonly Medium[] = ["terminal", "markdown"];

const columnWhere = (isKnown: boolean, column: ColumnOf<ReportTarget>) => (isKnown ? [column] : []);

function targetColumns({ targets, metrics }: ReportSummary): ColumnOf<ReportTarget>[] {
  return [
    { title: "target", kind: "name", cell: ({ name }) => [{ mark: name }, { name }] },
    { title: "deployment", not: flat, cell: ({ deployment }) => deployment },
    { title: "endpoint", not: flat, cell: ({ endpoint }) => endpoint },
    { title: { name: "example_id" }, not: flat, cell: ({ exampleId }) => exampleId },
    {
      title: "jobs",
      kind: "number",
      cell: ({ jobs }) => ({ text: number(jobs), figure: { value: jobs, as: "count" } }),
    },
    { title: "answered", kind: "number", not: ["markdown"], cell: ({ answered }) => number(answered) },
    {
      title: "rows without an answer",
      kind: "number",
      not: flat,
      cell: ({ errorShare }) => (errorShare === null ? "–" : shareFigure(errorShare)),
    },
    ...columnWhere(
      targets.some(({ expected }) => expected !== null),
      {
        title: "expected text found",
        short: "expected found",
        kind: "number",
        not: metrics.length === 0 ? ["markdown"] : flat,
        cell: expectedShare,
      },
    ),
    {
      title: timeHeads.median,
      kind: "number",
      cell: ({ latency }) => (latency === null ? "–" : duration(latency.p50)),
    },
    {
      title: timeHeads.almostAll,
      kind: "number",
      cell: ({ latency }) => (latency === null ? "–" : duration(latency.p99)),
    },
    ...columnWhere(
      targets.some(({ tokens }) => tokens !== null),
      { title: "tokens", kind: "number", cell: tokenCount },
    ),
    ...columnWhere(
      targets.some(({ cost }) => cost !== null),
      {
        title: "cost",
        about: `Cost ${priceUnit}`,
        kind: "number",
        cell: ({ cost }) => (cost === null ? "–" : price(cost)),
      },
    ),
    { title: "runs by outcome", short: "errors", cell: outcomesCell },
    ...metrics.slice(0, mostScores).map((metric): ColumnOf<ReportTarget> => ({
      title: { name: metric.name },
      // They have tables of their own there.
      not: ["terminal", "page"],
      cell: ({ scores }) => scoreText(scores[metrics.indexOf(metric)] ?? null, metric),
    })),
  ];
}

/** `18 of 20 (90 %)` */
function expectedShare({ expected }: ReportTarget): string {
  if (expected === null) return "–";
  const { found, of } = expected;
  return `${number(found)} of ${number(of)} (${shareFigure(found / of)})`;
}

function tokenCount({ tokens }: ReportTarget) {
  if (tokens === null) return "–";
  const { input, output } = tokens;
  return { text: number(input + output), long: `${number(input)} + ${number(output)}` };
}

function outcomesCell(target: ReportTarget) {
  const { name, outcomes, stopped } = target;
  const all = outcomeEntries(outcomes);
  const errors = all.filter(([outcome]) => !isSound(outcome) && endOf(outcome).due);
  const linked = all.map(([outcome, jobs]): Phrase => {
    const text = `${number(jobs)} ${outcome}`;
    return outcome === "answered" ? text : { link: text, to: { group: rowGroup.outcome(name, outcome), sort: "rank" } };
  });
  return {
    short: errors.length === 0 ? "–" : errors.map(([outcome, jobs]) => `${outcome} ${number(jobs)}`).join(", "),
    text: all.length === 0 ? "–" : all.map(([outcome, jobs]) => `${number(jobs)} ${outcome}`).join(", "),
    long: [
      ...linked.flatMap((each, place) => (place === 0 ? [each] : [", ", each])),
      { list: reasonPhrases([target], false), most: mostReasons, noun: "message" },
      ...(stopped === null ? [] : [{ remark: `Stopped: ${stopped}` }]),
    ],
  };
}

function scoreText(found: ReportTarget["scores"][number], metric: ReportMetric): string {
  const within = found === null || found.interval === null ? "" : ` (${scoreRange(found.interval, metric)})`;
  return `${scoreFigure(found?.value ?? null, metric)}${within}`;
}

/** The scores of each target by itself, where nothing is compared. */
export function scoreTable({ targets, metrics }: ReportSummary): DocTable {
  const lines = targets.flatMap((target) =>
    metrics.map((metric, place) => ({
      key: `${target.name} ${metric.name}`,
      of: { target, metric, found: target.scores[place] ?? null },
    })),
  );
  const columns: ColumnOf<(typeof lines)[number]["of"]>[] = [
    { title: "metric", kind: "name", cell: ({ metric }) => ({ name: metric.name }) },
    { title: "target", kind: "name", cell: ({ target }) => ({ name: target.name }) },
    { title: "score", kind: "number", cell: ({ found, metric }) => scoreFigure(found?.value ?? null, metric) },
    {
      title: rangesOf([]).name,
      kind: "range",
      cell: ({ found, metric }) =>
        found === null || found.interval === null ? "–" : scoreRange(found.interval, metric),
    },
    { title: "rows", kind: "number", cell: ({ found }) => number(found?.scored ?? 0) },
    { title: "unscored", kind: "number", drop: 1, cell: ({ found }) => number(found?.unscored ?? 0) },
  ];
  return tableOf({ name: "Scores", noun: "score" }, columns, lines);
}
