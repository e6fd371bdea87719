import { wordFacts } from "../../compare/verdict-word.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { ChangesSinceNotice } from "../shape/changes-since-notice.ts";
import { type Paint, paint } from "./paint.ts";
import { newsMark } from "../say/nights.ts";
import { capitalised, counted, duration, number } from "../say/quantity.ts";
import type { RunSummary } from "../shape/run-summary.ts";
import { docTable, saidText } from "./doc-table.ts";
import { configurationTable } from "../doc/configuration-table.ts";
import { resultHead } from "../doc/result-lines.ts";
import { reportSections, type Section } from "../doc/sections.ts";
import { reasonPhrases } from "../doc/reason-list.ts";
import { visible } from "../text/visible.ts";
import { displayWidth, fit, pad } from "../text/width.ts";
import { rowLines } from "./row-lines.ts";
import { rowsToShow, type WorstRow } from "../model/worst-rows.ts";
import { paidWords, reasonHeading, reasonsOf } from "../say/answers.ts";
import { wrapped } from "../text/wrap.ts";
import { nextWords } from "../say/next.ts";

/** The terminal that a summary is made for. */
export interface Screen {
  /** Columns. */
  width: number;
  /** The most lines; what must be said is said even where it takes more. */
  lines: number;
  color: boolean;
  /** Also figures with statistics, all metrics, targets and notes (--details). Default: false. */
  details?: boolean;
}

/** The result of a batch, for a person. */
export interface Reported {
  /** The content of every report. */
  model: ReportSummary;
  /** The rows that a person should look at first. */
  worst: readonly WorstRow[];
  /** Stops, requests in doubt, the files that were written, and the next step. */
  summary: RunSummary;
  /** The same beside the nights before; null or left out: there is none. */
  ofNights?: ChangesSinceNotice | null;
}

/** A result is read in this many columns, however wide the terminal is. */
const readWidth = 80;

/** Rows below a result, of which the first has its answers. */
const mostRows = 3;
/** Alarms, and cautions, among the lines below the figures. */
const mostAlarms = 2;
const mostNotes = 2;
/** Lines of each table and list of the details. */
const mostDetailed = 20;
const mostErrors = 3;

/**
 * The text that a person sees after a run: the headline, a line a metric, the rows to look at, and the next step; with details
 * also how it was measured, targets, notes and files.
 */
export function terminalText(reported: Reported, screen: Screen): string {
  const color = paint(screen.color);
  const width = Math.max(40, Math.min(screen.width, screen.details === true ? screen.width : readWidth));
  const shown = { width, color };
  const { model, summary } = reported;
  const parts =
    summary.refused === null
      ? [
          headLines(reported, shown),
          bodyLines(reported, shown),
          rowLines(rowsToShow(reported.worst, model, mostRows), model, shown),
          ...(screen.details === true ? detailedParts(reported, shown) : []),
          ...(screen.details === true ? [] : [errorLines(model, shown)]),
          attentionLines(summary, model, shown),
          endLines(summary, model, shown),
        ]
      : [refusedLines(model, summary, shown), afterLines(summary, shown)];
  const lines = parts.filter((part) => part.length > 0).flatMap((part, place) => (place === 0 ? part : ["", ...part]));
  return `${lines.join("\n")}\n`;
}

interface Drawn {
  width: number;
  color: Paint;
}

/** The word, and the headline beside it. */
function headLines({ model, summary, ofNights = null }: Reported, { width, color }: Drawn): string[] {
  const { word, sentence } = resultHead(model);
  const mark = markOf(ofNights, model, summary);
  const said = visible(sentence);
  if (word === "") return wrapped(said, width).map((line) => fit(line, width));
  const head = `${word}${mark}  `;
  const indent = Math.min(displayWidth(head), width - 30);
  // A word that is wider than a line is cut.
  const lines = wrapped(said, width - indent).map((line) => fit(line, width - indent));
  return lines.map((line, place) =>
    place === 0 ? `${color(colourOf(model), word)}${head.slice(word.length)}${line}` : `${" ".repeat(indent)}${line}`,
  );
}

/** The colour of what is said: red for a problem. */
function colourOf({ findings: { headline } }: ReportSummary): "red" | "green" | "yellow" {
  if (headline.word === null) return "yellow";
  const { isProblem, state } = wordFacts(headline.word);
  return isProblem ? "red" : state === "pass" ? "green" : "yellow";
}

const isBad = ({ verdict: { word } }: ReportSummary): boolean => word !== null && wordFacts(word).isProblem;

/** The mark beside a verdict that says that something is wrong: new, or since when. */
function markOf(news: ChangesSinceNotice | null, model: ReportSummary, { startedAt }: RunSummary): string {
  return news === null || !isBad(model) ? "" : newsMark(news, Date.parse(startedAt));
}

/** Columns of the labels beside the lines below the figures, and of the first column of these. */
const labelWidth = 8;

/** The figures, and the lines below them. */
function bodyLines({ model, ofNights = null }: Reported, { width, color }: Drawn): string[] {
  const news = ofNights === null || ofNights.sentence === null || isBad(model) ? [] : [ofNights.sentence];
  const most = { history: news.length + mostAlarms, note: mostNotes };
  const { figures: table, lines } = resultHead(model, most, { history: news });
  const names = (table?.rows ?? []).map(({ cells: [first] }) => saidText(first?.text ?? ""));
  const title = saidText(table?.columns[0]?.title ?? "");
  const least = Math.max(labelWidth, ...[title, ...names, ...lines.map(({ label }) => label)].map(displayWidth));
  const own = Math.min(least, widestLabel);
  const figures = table === null ? [] : docTable(table, { width: width - 2, most: mostTargets, color, least: own });
  const configurations = configurationTable(model);
  const beside =
    configurations === null ? [] : ["", ...docTable(configurations, { width: width - 2, most: mostTargets, color })];
  return [
    ...[...figures, ...beside, ...(beside.length === 0 ? [] : [""])].map((line) => (line === "" ? line : `  ${line}`)),
    ...lines.flatMap((each) => labelled(each, own + 2, { width, color })),
  ];
}

/** A longer name of a metric or a target does not push the lines below it to the side. */
const widestLabel = 20;

const mostTargets = 8;

/** A label, and its lines beside it. */
function labelled(
  { label, lines }: { label: string; lines: readonly string[] },
  own: number,
  { width, color }: Drawn,
): string[] {
  return lines
    .flatMap((line) => wrapped(visible(line), width - own - 2))
    .map((line) => fit(line, width - own - 2))
    .map((line, place) => `  ${place === 0 ? color("dim", pad(label, own)) : " ".repeat(own)}${line}`);
}

/** The run, all sections of a report, and the files. */
function detailedParts({ model, summary }: Reported, drawn: Drawn): string[][] {
  return [
    runLines(model, drawn),
    ...reportSections(model).map((section) => sectionLines(section, drawn)),
    fileLines(summary, drawn),
  ];
}

function sectionLines({ title, parts }: Section, { width, color }: Drawn): string[] {
  const said = (text: string, first: string): string[] =>
    wrapped(text, width - 2).map((line, place) => `${place === 0 ? first : "  "}${line}`);
  const lines = parts.flatMap((part) => {
    if ("say" in part) return said(saidText(part.say), "  ");
    if ("table" in part) return docTable(part.table, { width, most: mostDetailed, color });
    const more = part.list.length - mostDetailed;
    return [
      ...part.list.slice(0, mostDetailed).flatMap((line) => said(saidText(line), "- ")),
      ...(more > 0 ? [color("dim", `- and ${counted(more, `more ${part.noun}`)}: see the report`)] : []),
    ];
  });
  return [color("bold", saidText(title)), ...lines];
}

/** A run that ended after the first row: figures of one row would tell nothing. */
function refusedLines(model: ReportSummary, summary: RunSummary, { width, color }: Drawn): string[] {
  const answered = model.targets.flatMap(({ name, answered: count }) => (count > 0 ? [visible(name)] : []));
  return [
    ...wrapped(visible(`${capitalised(summary.refused ?? "")}.`), width).map((line) => color("red", line)),
    ...summary.stopped
      .filter(({ reason }) => reason !== summary.refused)
      .flatMap(({ name, reason, advice }) => [
        ...wrapped(visible(`${name}: ${reason}`), width - 2).map((line) => `  ${line}`),
        ...(advice === null ? [] : wrapped(visible(advice), width - 2).map((line) => `  ${line}`)),
      ]),
    ...(answered.length === 0 ? [] : [`  The answers of ${answered.join(", ")} are kept.`]),
  ];
}

const afterLines = (summary: RunSummary, { color }: Drawn): string[] => [
  `After fixing it, run: ${color("bold", visible(summary.next))}`,
];

/** The batch, its size, and how it ended. */
function runLines(
  { batch, cases, targets, state, reason, durationMs }: ReportSummary,
  { width, color }: Drawn,
): string[] {
  const time =
    durationMs === null
      ? visible(state)
      : `${visible(state)} ${state === "finished" ? "in" : "after"} ${duration(durationMs)}`;
  const figures = `${counted(cases, "row")}, ${counted(targets.length, "target")}, ${time}`;
  const name = fit(visible(batch), Math.max(leastName, width - displayWidth(figures) - 2));
  const lines = [`${color("bold", name)}  ${fit(figures, width - displayWidth(name) - 2)}`];
  if (reason !== null) lines.push(...wrapped(visible(reason), width).map((line) => color("red", line)));
  return lines;
}

/** Columns that the name of a batch keeps; the figures beside it are cut only where there is no room for both. */
const leastName = 8;

/** The next step and the report; a command is not cut, and stands on a line of its own where there is no room beside the words. */
function endLines({ nextWhy, next, files }: RunSummary, model: ReportSummary, { width, color }: Drawn): string[] {
  const isTaken = model.next?.step.kind === "done" && model.next.step.take !== null;
  const [words, command] = [
    visible(`Next: ${model.next === null ? nextWhy : nextWords(model.next, model)}${isTaken ? "" : ":"}`),
    visible(next),
  ];
  const isShort = displayWidth(words) + displayWidth(command) < width;
  const step = isTaken
    ? wrapped(words, width)
    : isShort
      ? [`${words} ${color("bold", command)}`]
      : [...wrapped(words, width), `  ${color("bold", command)}`];
  const [report] = files;
  // A path is not cut: it is there to be copied.
  return [...step, ...(report === undefined ? [] : [`Report: ${visible(report.path)}`])];
}

function fileLines({ files }: RunSummary, { width, color }: Drawn): string[] {
  const paths = files.map(({ path }) => visible(path));
  const longest = Math.min(Math.max(0, ...paths.map(displayWidth)), width - 20);
  const written = files.map(({ about }, place) =>
    `  ${pad(paths[place] ?? "", longest)}  ${color("dim", visible(about))}`.trimEnd(),
  );
  return written.length === 0 ? [] : [color("bold", "Files"), ...written];
}

const mostStops = 6;
type Paid = Parameters<typeof paidWords>[0];

/** Lines that need a person's attention: stops with their reasons, requests in doubt, and runs that may have been paid. */
function attentionLines(summary: RunSummary, model: Paid, drawn: Drawn): string[] {
  return [...stopLines(summary, drawn), ...serviceLines(summary), ...doubtLines(summary), ...paidLines(summary, model)];
}

function stopLines({ stopped, reason: reported, state }: RunSummary, { width, color }: Drawn): string[] {
  const shown = stopped.slice(0, mostStops);
  // Nothing is cut: the words of the service say what is wrong, and the advice is there to be followed.
  const inside = (text: string, indent: string): string[] =>
    wrapped(visible(text), width - indent.length).map((line) => `${indent}${line}`);
  const lines = shown.flatMap(({ name, reason, advice }) => [
    ...inside(`${name}: ${reason}`, "  "),
    ...(advice === null ? [] : inside(advice, "    ")),
  ]);
  if (stopped.length > mostStops) lines.push(`  and ${stopped.length - mostStops} more`);
  if (lines.length === 0 && reported !== null && state !== "finished") lines.push(...inside(reported, "  "));
  return lines.length === 0 ? [] : [color("red", "Stopped"), ...lines];
}
function serviceLines({ inDoubt: { atService, reattached } }: RunSummary): string[] {
  const open =
    atService === 0
      ? []
      : [`At the service: ${counted(atService, "run")}; a resume asks for them, and sends nothing again`];
  if (reattached === 0) return open;
  return [...open, `Asked for by a later process: ${counted(reattached, "run")}, which were not sent again`];
}

function doubtLines({ inDoubt }: RunSummary): string[] {
  const { open, held, failed, cases } = inDoubt;
  const jobs = open + held + failed;
  if (jobs === 0) return [];
  const what = [
    open > 0 ? `${open} in flight when it ended` : "",
    held > 0 ? `${held} held back` : "",
    failed > 0 ? `${failed} given up` : "",
  ].filter((part) => part !== "");
  const more = jobs > cases.length ? ", ..." : "";
  return [`In doubt: ${counted(jobs, "job")} (${what.join(", ")}): ${cases.map(visible).join(", ")}${more}`];
}

function paidLines({ possiblyPaid: { gateway, other } }: RunSummary, model: Paid): string[] {
  const after = gateway === 0 ? "" : `${number(gateway)} after an answer of a gateway, ${number(other)} after others`;
  return paidWords(model, after);
}

/** Reasons for runs without an answer and answers without a grade, the most frequent first; a word wider than a line is cut. */
function errorLines({ targets, findings: { headline } }: ReportSummary, { width, color }: Drawn): string[] {
  const all = reasonPhrases(targets, targets.length > 1);
  // The headline has the only reason already.
  if (all.length === 0 || (all.length === 1 && headline.kind === "invalid" && headline.quotes)) return [];
  const lines = all
    .slice(0, mostErrors)
    .flatMap((reason) =>
      wrapped(saidText(reason), width - 4).map((part, at) => fit(`${at === 0 ? "  " : "    "}${part}`, width)),
    );
  const more = all.length - Math.min(mostErrors, all.length);
  const rest = more > 0 ? [color("dim", `  and ${counted(more, "more message")}: see the report`)] : [];
  return [color("bold", reasonHeading(reasonsOf(targets))), ...lines, ...rest];
}
