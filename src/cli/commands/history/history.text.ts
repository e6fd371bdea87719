import { verdictWords, wordFacts } from "../../../compare/verdict-word.ts";
import { fittedTable, type TableColumn } from "../../../report/terminal/table.ts";
import { watchLines } from "../../../report/say/judges.ts";
import { paint } from "../../../report/terminal/paint.ts";
import { visible } from "../../../report/text/visible.ts";
import { wrapped } from "../../../report/text/wrap.ts";
import type { AlarmState, HistoryAlarm } from "../../../report/shape/alarm.ts";
import type { JudgeWatch } from "../../../report/shape/judge-watch.ts";
import type {
  Night,
  NightDifference,
  NightTarget,
  SameBotNights,
  SuiteHistory,
} from "../../../report/shape/history.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { changeFigure, changeRange, scoreFigure } from "../../../report/say/figures.ts";
import {
  noAlarmWords,
  openRegressionWords,
  type OpenRegressions,
  nightVerdict,
  watchedName,
} from "../../../report/say/nights.ts";
import { providerChangeWords } from "../../../report/say/provider.ts";
import { dayLabel, nightLabel } from "../../../report/say/night-names.ts";
import { counted, number, price } from "../../../report/say/quantity.ts";
import { nightSpeed } from "../../../report/model/speed-basis.ts";

const mostTargets = 4;
const mostAlarms = 8;

/** The nights as a table, then what is open and what was noticed in them, and what is promised; `open` is as of the last night, shown or not. */
export function historyText(
  history: SuiteHistory,
  {
    width,
    color,
    open = null,
    judges = [],
  }: { width: number; color: boolean; open?: OpenRegressions | null; judges?: readonly JudgeWatch[] },
): string {
  const { suite, nights, alarms, acknowledged, promise } = history;
  const draw = paint(color);
  const [last] = nights.toReversed();
  const head = `${draw("bold", visible(suite))}  ${counted(nights.length, "run")}${last === undefined ? "" : `, the latest ${nightLabel(last)}`}`;
  const going = alarms.filter(({ state }) => isGoing(state));
  const past = alarms.filter(({ state }) => !isGoing(state));
  const says = (list: readonly HistoryAlarm[], paintAs: "yellow" | "dim"): string[] =>
    list
      .slice(-mostAlarms)
      .flatMap(({ sentence }) => wrapped(visible(sentence), width).map((line) => draw(paintAs, line)));
  const noted = acknowledged.flatMap(({ since, note, author, at }) =>
    wrapped(visible(`Known since ${since}: ${note} (${author}, ${dayLabel(at)})`), width),
  );
  const changed = judges.filter(({ state }) => state === "changed");
  const calm = judges.filter(({ state }) => state !== "changed");
  const sections = [
    [head],
    nightLines(history, width),
    ...changed.map((judge) => wrapLines(watchLines(judge), width).map((line) => draw("yellow", line))),
    open === null ? [] : wrapped(visible(openRegressionWords(open)), width).map((line) => draw("yellow", line)),
    going.length > 0 ? says(going, "yellow") : changed.length > 0 ? [] : wrapped(visible(noAlarmWords(open)), width),
    past.length === 0 ? [] : ["Earlier:", ...says(past, "dim")],
    noted,
    history.sameBot === null ? [] : wrapped(sameBotWords(history.sameBot), width),
    ...calm.map((judge) => wrapLines(watchLines(judge), width)),
    wrapped(promiseWords(promise), width).map((line) => draw("dim", line)),
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n");
}

const wrapLines = (lines: readonly string[], width: number): string[] =>
  lines.flatMap((line) => wrapped(visible(line), width));

const isGoing = (state: AlarmState): boolean => state === "new" || state === "still" || state === "over";

function promiseWords({ nights, series }: SuiteHistory["promise"]): string {
  return `Watched: ${counted(series, "series", "series")} of values together (main metric, errors, median time and cost of each target); one false alarm in ${number(nights)} runs.`;
}

/** `1 of 40 runs said WORSE` */
function sameBotWords({ nights, words }: SameBotNights): string {
  const said = verdictWords.flatMap((word) => {
    const count = words[word];
    return count === undefined ? [] : [`${number(count)} of ${counted(nights, "run")} said ${wordFacts(word).shown}`];
  });
  return `Both sides the same bot: ${said.join(", ")}. REGRESSION and WORSE are false alarms there, BETTER is a false finding.`;
}

/** Says what has been acknowledged or taken back as of a day, and which alarms are left. */
export function acknowledgedText({ acknowledged, alarms }: SuiteHistory, day: string): string {
  const known = acknowledged.findLast(({ since }) => since === day);
  const left = alarms.filter(({ state }) => state === "new" || state === "still");
  const [said, of] =
    known === undefined
      ? [`Nothing is known as of ${day} any more.`, ""]
      : [
          `Known since ${day}: ${visible(known.note)}. Nights from then on are compared with each other.`,
          "Not ended by it: ",
        ];
  return [said, ...left.map(({ sentence }) => visible(`${of}${sentence}`))].join("\n");
}

function nightLines(history: SuiteHistory, width: number): string[] {
  const { nights, alarms } = history;
  const metrics = [...history.metrics, ...history.olderMetrics];
  if (nights.length === 0) return ["No run is in that time."];
  const columns = [
    ...firstColumns,
    ...targetColumns(nights, metrics),
    ...differenceColumns(nights, metrics),
    ...lastColumns(nights, history.metrics),
  ];
  const { lines: drawn, left } = fittedTable(
    columns,
    nights.map((night) => columns.map(({ cell }) => visible(cell(night)))),
    width,
  );
  const [head = "", ...lines] = drawn;
  // Below its night: beside it there would be no room for the figures.
  const reported = nights.map((night) =>
    changesOf(night, alarms).flatMap((text) => wrapped(visible(text), width - indent.length)),
  );
  const unseen =
    left.length === 0 ? [] : wrapped(`Not shown for room: ${left.join(", ")} (-o nights.csv has all)`, width);
  return [
    head,
    ...lines.flatMap((line, place) => [line, ...(reported[place] ?? []).map((text) => `${indent}${text}`)]),
    ...unseen,
  ];
}

/** A column with what stands in it for a night. */
interface NightColumn extends TableColumn {
  cell: (night: Night) => string;
}

const firstColumns: readonly NightColumn[] = [
  { title: "run", align: "left", most: 19, cell: nightLabel },
  {
    title: "verdict",
    align: "left",
    most: 26,
    cell: (night) => nightVerdict(night),
  },
];

/** The primary metric of each target. */
function targetColumns(nights: readonly Night[], metrics: readonly ReportMetric[]): NightColumn[] {
  return firstNames(nights.flatMap(({ targets }) => targets.map(({ target }) => target))).map((name) => ({
    title: visible(name),
    align: "right",
    most: 12,
    names: "title",
    cell: ({ targets }) =>
      valueCell(
        targets.find(({ target }) => target === name),
        metrics,
      ),
  }));
}

function differenceColumns(nights: readonly Night[], metrics: readonly ReportMetric[]): NightColumn[] {
  const all = nights.flatMap(({ differences }) => differences);
  const names = firstNames(all.map(({ candidate }) => candidate));
  const way = (name: string): string => {
    const metric = all.findLast(({ candidate }) => candidate === name)?.metric ?? null;
    return metricNamed(metrics, metric).lowerIsBetter ? " (lower is better)" : "";
  };
  return names.map((name) => ({
    title: `${names.length > 1 ? `${visible(name)} differs` : "difference"}${way(name)}`,
    align: "left",
    most: 32,
    drop: 2,
    cell: ({ differences }) =>
      differenceCell(
        differences.find(({ candidate }) => candidate === name),
        metrics,
      ),
  }));
}

function lastColumns(nights: readonly Night[], metrics: readonly ReportMetric[]): NightColumn[] {
  const speed = nightSpeed(metrics);
  const hasCost = nights.some(({ targets }) => targets.some(({ cost }) => cost !== null));
  return [
    figureColumn("failed", 3, ({ failed, runs }) => (failed === 0 ? "0" : `${failed} of ${runs}`)),
    figureColumn(speed.name, 4, speed.figure),
    ...(hasCost ? [figureColumn("cost/1,000 runs", 5, costText)] : []),
  ];
}

/** The cost of 1,000 runs: one target may have had more runs than another. */
function costText({ cost, runs }: NightTarget): string {
  return cost === null || runs === 0 ? "–" : price((cost / runs) * 1000);
}

function figureColumn(title: string, drop: number, figure: (target: NightTarget, night: Night) => string): NightColumn {
  const cell = (night: Night): string => figuresOf(night.targets, (target) => figure(target, night));
  return { title, align: "right", most: 30, drop, cell };
}

function firstNames(names: readonly string[]): string[] {
  return Array.from(new Set(names)).slice(0, mostTargets);
}

function valueCell(target: NightTarget | undefined, metrics: readonly ReportMetric[]): string {
  if (target === undefined || target.value === null) return "–";
  return scoreFigure(target.value, metricNamed(metrics, target.metric));
}

/** `-17.3 (-23.4 to -11.1)` */
function differenceCell(found: NightDifference | undefined, metrics: readonly ReportMetric[]): string {
  if (found === undefined || found.difference === null) return "–";
  const metric = metricNamed(metrics, found.metric);
  const between = found.interval === null ? "" : ` (${changeRange(found.interval, metric)})`;
  return `${changeFigure(found.difference, metric, { unit: false })}${between}`;
}

function metricNamed(metrics: readonly ReportMetric[], name: string | null): ReportMetric {
  return metrics.find((metric) => metric.name === name) ?? unknownMetric;
}

/** A metric that the latest night does not have any more. */
const unknownMetric: ReportMetric = {
  name: "",
  scorer: "",
  type: "",
  primary: true,
  lowerIsBetter: false,
  passes: false,
  relative: false,
  unit: null,
  min: null,
  max: null,
};

/** One figure for each target, or one for all where they are the same. */
function figuresOf(targets: readonly NightTarget[], figure: (target: NightTarget) => string): string {
  const figures = targets.slice(0, mostTargets).map(figure);
  return new Set(figures).size <= 1 ? (figures[0] ?? "–") : figures.join(" / ");
}

const indent = "            ";

/** Alarms that were noticed in a night, what changed since the night before, and why it is no night. */
function changesOf({ batch, changes, provider, why, edited }: Night, alarms: readonly HistoryAlarm[]): string[] {
  const noticed = alarms
    .filter((alarm) => alarm.noticed.batch === batch)
    .map((alarm) => `ALARM: ${watchedName(alarm)} is ${alarm.direction} since ${nightLabel(alarm.changed)}`);
  const changed = changes.length === 0 ? [] : [`changed: ${changes.join(", ")}`];
  const told = provider.changes.length === 0 ? [] : [providerChangeWords(provider.changes)];
  return [...noticed, ...changed, ...told, ...(why === null ? [] : [why]), ...(edited === undefined ? [] : [edited])];
}
