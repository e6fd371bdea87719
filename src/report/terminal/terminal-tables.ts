import { endOf, outcomeEntries } from "../../api/outcomes.ts";
import {
  difference,
  pValue,
  range,
  pNames,
  rangesName,
  scoreFigure,
  scoreRange,
  shareFigure,
  sidesFigures,
} from "../words/figures.ts";
import type { ReportGate, ReportMetric, ReportSummary, ReportTarget } from "../shape/model.ts";
import { isSound } from "../../compare/cases/side-outcome.ts";
import type { Paint } from "./paint.ts";
import { speedNotes } from "../model/speed-basis.ts";
import { counted, duration, number, price, timeHeads } from "../words/quantity.ts";
import { type TableColumn, tableLines } from "./table.ts";
import { visible } from "../text/visible.ts";
import { uncountedLines } from "../words/validity-words.ts";

/** The form of a table: its width, its number of lines, and its colours. */
export interface TableScreen {
  width: number;
  most: number;
  color: Paint;
}

const right = (title: string, drop?: number): TableColumn => ({
  title,
  align: "right",
  most: 24,
  ...(drop === undefined ? {} : { drop }),
});
const left = (title: string, most: number): TableColumn => ({ title, align: "left", most });
const names = (title: string): TableColumn => ({ title, align: "left", most: 30, names: "cells" });
const named = (title: string): TableColumn => ({ title, align: "right", most: 30, names: "title" });

/** The metrics with their intervals: of each candidate against its baseline, or of each target where nothing is compared. */
export function metricLines(summary: ReportSummary, screen: TableScreen): string[] {
  if (summary.metrics.length === 0) return [];
  return summary.pairs.length === 0 ? scoreLines(summary, screen) : gateLines(summary, screen);
}

const marks = { regression: "✗", pass: "✓", inconclusive: "?", invalid: "!" } as const;
const colours = { regression: "red", pass: "green", inconclusive: "yellow", invalid: "red" } as const;

/** Gates, and below them metrics without one: their ranges and their p values answer other questions. */
function gateLines(summary: ReportSummary, screen: TableScreen): string[] {
  const kinds = [
    summary.gates.filter(({ state }) => state !== null),
    summary.gates.filter(({ state }) => state === null),
  ].filter((gates) => gates.length > 0);
  const reported = kinds.flatMap((gates) => gates.slice(0, screen.most));
  return [
    ...kinds.flatMap((gates, place) => [...(place === 0 ? [] : [""]), ...rangeTable(gates, summary, screen)]),
    ...uncountedLines(summary).map((text) => screen.color("yellow", text)),
    ...speedNotes(reported, summary).map((note) => screen.color("dim", visible(note))),
  ];
}

/** Lines whose ranges are of one kind. */
function rangeTable(gates: readonly ReportGate[], summary: ReportSummary, screen: TableScreen): string[] {
  const { metrics, pairs, baseline } = summary;
  const [pair] = pairs;
  const isDeciding = gates.some(({ state }) => state !== null);
  const several = pairs.length > 1;
  const columns = [
    ...(isDeciding ? [left("", 1)] : []),
    ...(several ? [names("candidate")] : []),
    names("metric"),
    named(visible(baseline ?? "baseline")),
    named(several || pair === undefined ? "now" : visible(pair.candidate)),
    right("difference"),
    { ...right(rangesName(gates)), most: 32 },
    // Beside the bounds it says nothing new: it goes first where the screen is narrow.
    isDeciding ? right(pNames.gate, 3) : right(pNames.metric),
    right("worse", 1),
    right("better", 1),
    right("cases", 2),
  ];
  const reported = gates.slice(0, screen.most);
  const rows = reported.map((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const figures = metric === undefined ? [] : gateFigures(gate, metric);
    const who = several ? [visible(gate.candidate)] : [];
    return [...(gate.state === null ? [] : [marks[gate.state]]), ...who, visible(gate.name), ...figures];
  });
  const [title = "", ...lines] = tableLines(columns, rows, screen.width);
  return [
    screen.color("bold", title),
    ...lines.map((line, place) => marked(line, reported[place]?.state ?? null, screen.color)),
    ...moreLine(gates.length - reported.length, "metric", screen.color),
  ];
}

function gateFigures(gate: ReportGate, metric: ReportMetric): string[] {
  const { interval, worse, better, cases, clusters } = gate;
  return [
    ...sidesFigures(gate, metric),
    difference(gate.difference, metric),
    interval === null ? "–" : range(interval, metric),
    pValue(gate.state === null ? gate.p : gate.pLoss),
    number(worse),
    number(better),
    clusters === null || clusters === cases ? number(cases) : `${number(cases)} in ${number(clusters)}`,
  ];
}

function marked(line: string, state: ReportGate["state"], color: Paint): string {
  return state === null ? line : color(colours[state], line.slice(0, 1)) + line.slice(1);
}

function scoreLines({ metrics, targets }: ReportSummary, screen: TableScreen): string[] {
  const all = targets.flatMap((target) =>
    target.scores.map((found, place) => ({ target, found, metric: metrics[place] })),
  );
  const reported = all.slice(0, screen.most);
  const rows = reported.map(({ target, found, metric }) =>
    metric === undefined
      ? []
      : [
          visible(metric.name),
          visible(target.name),
          scoreFigure(found?.value ?? null, metric),
          found === null || found.interval === null ? "–" : scoreRange(found.interval, metric),
          number(found?.scored ?? 0),
          number(found?.unscored ?? 0),
        ],
  );
  const columns = [
    names("metric"),
    names("target"),
    right("score"),
    right(rangesName([])),
    right("cases"),
    right("unscored", 1),
  ];
  const [title = "", ...lines] = tableLines(columns, rows, screen.width);
  return [screen.color("bold", title), ...lines, ...moreLine(all.length - reported.length, "score", screen.color)];
}

/** The outcomes of the targets' jobs. */
export function targetLines({ targets, metrics }: ReportSummary, screen: TableScreen): string[] {
  const reported = targets.slice(0, screen.most);
  const withExpected = metrics.length === 0 && targets.some(({ expected }) => expected !== null);
  const withTokens = targets.some(({ tokens }) => tokens !== null);
  const withCost = targets.some(({ cost }) => cost !== null);
  const columns = [
    names("target"),
    right("jobs"),
    right("answered"),
    ...(withExpected ? [right("expected found")] : []),
    right(timeHeads.median),
    right(timeHeads.almostAll),
    ...(withTokens ? [right("tokens")] : []),
    ...(withCost ? [right("cost")] : []),
    left("errors", screen.width),
  ];
  const rows = reported.map((target) => [
    visible(target.name),
    number(target.jobs),
    number(target.answered),
    ...(withExpected ? [expectedShare(target)] : []),
    target.latency === null ? "–" : duration(target.latency.p50),
    target.latency === null ? "–" : duration(target.latency.p99),
    ...(withTokens ? [tokenCount(target)] : []),
    ...(withCost ? [target.cost === null ? "–" : price(target.cost)] : []),
    errorsOf(target),
  ]);
  const [title = "", ...lines] = tableLines(columns, rows, screen.width);
  return [screen.color("bold", title), ...lines, ...moreLine(targets.length - reported.length, "target", screen.color)];
}

const tokenCount = ({ tokens }: ReportTarget): string => (tokens === null ? "–" : number(tokens.input + tokens.output));

/** `18 of 20 (90 %)` */
function expectedShare({ expected }: ReportTarget): string {
  return expected === null
    ? "–"
    : `${number(expected.found)} of ${number(expected.of)} (${shareFigure(expected.found / expected.of)})`;
}

function errorsOf({ outcomes }: ReportTarget): string {
  const errors = outcomeEntries(outcomes).filter(([outcome]) => !isSound(outcome) && endOf(outcome).due);
  return errors.length === 0 ? "–" : errors.map(([outcome, jobs]) => `${visible(outcome)} ${number(jobs)}`).join(", ");
}

function moreLine(more: number, what: string, color: Paint): string[] {
  return more > 0 ? [color("dim", `and ${counted(more, `more ${what}`)}: see the report`)] : [];
}

/** `judge: 240 questions, 80 of them asked now, 2 without a reply, cost 1.6` */
export function judgeLines({ judges }: ReportSummary): string[] {
  return judges.map(({ name, questions, asked, failed, cost }) => {
    const parts = [
      counted(questions, "question"),
      ...(asked === questions ? [] : [`${number(asked)} of them asked now`]),
      ...(failed === 0 ? [] : [`${number(failed)} without a reply`]),
      ...(cost === null ? [] : [`cost ${price(cost)}`]),
    ];
    return `Judge ${visible(name)}: ${parts.join(", ")}`;
  });
}
