import { type VerdictWord, wordFacts, wordInText } from "../../compare/verdict-word.ts";
import { factLines } from "./fact-lines.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { ChangesSinceNotice } from "../shape/changes-since-notice.ts";
import { type Paint, paint } from "./paint.ts";
import { newsMark } from "../words/changes-since-notice-words.ts";
import { counted, duration, number } from "../words/quantity.ts";
import type { RunSummary } from "../shape/run-summary.ts";
import { choiceLines, failureLines, findingsLines, judgeLines, metricLines } from "./terminal-tables.ts";
import { docTable, saidText } from "./doc-table.ts";
import { targetTable } from "../doc/target-table.ts";
import { reasonPhrases } from "../doc/reason-list.ts";
import { visible } from "../text/visible.ts";
import { displayWidth, fit, pad } from "../text/width.ts";
import { worstHeading, worstLines } from "./worst-lines.ts";
import type { WorstRow } from "../model/worst-rows.ts";
import { changedRowsLines } from "../words/changed-rows-words.ts";
import { basisWords } from "../words/verdict-words.ts";
import { wrapped } from "../text/wrap.ts";
import { paidWords } from "../words/paid-words.ts";
import { reasonHeading, reasonsOf } from "../words/reason-words.ts";

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

/** Number of lines of each part: the first level that fits the screen is taken, else the last. */
interface Detail {
  metrics: number;
  targets: number;
  /** Messages of errors. */
  errors: number;
  facts: number;
  /** Rows to look at: `tall` takes three or four lines for each, not one. */
  rows: number;
  tall: boolean;
  /** `all`: a line each; `short`: by their names; `least`: the first, and how many there are beside it. */
  files: "all" | "short" | "least";
}

/** First the answer: verdict, rows, the page, and one next step. */
const plain: readonly Detail[] = [
  { metrics: 0, targets: 0, errors: 3, facts: 0, rows: 3, tall: true, files: "least" },
  { metrics: 0, targets: 0, errors: 2, facts: 0, rows: 3, tall: false, files: "least" },
  { metrics: 0, targets: 0, errors: 1, facts: 0, rows: 1, tall: false, files: "least" },
];

/** With the figures behind it. */
const detailed: readonly Detail[] = [
  { metrics: 12, targets: 8, errors: 6, facts: 12, rows: 5, tall: true, files: "all" },
  { metrics: 8, targets: 8, errors: 4, facts: 8, rows: 5, tall: true, files: "short" },
  { metrics: 8, targets: 8, errors: 3, facts: 3, rows: 5, tall: false, files: "short" },
];

/**
 * The text that a person sees after a run: the verdict in words, the rows to look at with both answers, and the next step;
 * with details also metrics with intervals, targets, notes and files.
 */
export function terminalText(reported: Reported, screen: Screen): string {
  const width = Math.max(40, screen.width);
  const color = paint(screen.color);
  const isDetailed = screen.details === true;
  let lines: string[] = [];
  for (const detail of isDetailed ? detailed : plain) {
    lines = linesOf(reported, detail, { width, color, isDetailed });
    if (lines.length <= screen.lines) break;
  }
  return `${lines.join("\n")}\n`;
}

function linesOf(
  { model, worst, summary, ofNights = null }: Reported,
  { metrics, targets, errors, facts, rows: mostRows, tall, files }: Detail,
  { width, color, isDetailed }: { width: number; color: Paint; isDetailed: boolean },
): string[] {
  if (summary.refused !== null) return refusedLines(model, summary, { width, color });
  const first = worst.slice(0, mostRows);
  // Each error stands once, below, where data are not complete: the rows would repeat the first of them.
  const isBroken = model.verdict.state === "invalid" && model.targets.some((target) => target.errors.length > 0);
  const rows = isBroken ? [] : worstLines(first, model, { width, tall, color });
  const judges = judgeLines(model).map((line) => fit(line, width));
  const sections = [
    headLines(model, width, color),
    [
      ...verdictLines(model, { summary, width, isDetailed, color }, markOf(ofNights, model, summary)),
      ...newsLines(ofNights, model, width),
      ...alarmLines(model, { width, most: isDetailed ? mostAlarms : 2, color }),
      ...cautionLines(model, { width, most: isDetailed ? mostCautions : 2, color }),
      // With details they stand among the notes.
      ...(isDetailed ? [] : watchedLines(model, { width, color })),
    ],
    choiceLines(model, { width, most: isDetailed ? mostChosen * 5 : mostChosen, color }),
    findingsLines(model, { width, most: isDetailed ? mostFound * 4 : mostFound, color }, isDetailed),
    metrics === 0 ? [] : metricLines(model, { width, most: metrics, color }),
    targets === 0 ? [] : [...docTable(targetTable(model), { width, most: targets, color }), ...judges],
    rows.length === 0
      ? []
      : [...wrapped(worstHeading(first, model), width).map((line) => color("bold", line)), ...rows],
    isDetailed ? failureLines(model, { width, most: mostFound * 4, color }) : [],
    errorLines(model, { width, most: errors, color }),
    facts === 0 ? [] : factLines(model, { width, most: facts, color }),
    attentionLines(summary, model, { width, color }),
    [
      ...(files === "all" ? fileLines(summary, width, color) : shortFileLines(summary, files === "least")),
      ...(isDetailed || model.candidates.length === 0
        ? []
        : wrapped(moreWords(first, model), width).map((line) => color("dim", line))),
      ...(model.verdict.word === null ? nextLines(summary, width, color) : []),
    ],
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, place) => (place === 0 ? section : ["", ...section]));
}

/** A run that ended after the first case: what to correct, and how to go on. Figures of one case would tell nothing. */
function refusedLines(
  model: ReportSummary,
  summary: RunSummary,
  { width, color }: { width: number; color: Paint },
): string[] {
  const answered = model.targets.flatMap(({ name, answered: count }) => (count > 0 ? [visible(name)] : []));
  return [
    ...headLines({ ...model, reason: null }, width, color),
    "",
    ...wrapped(visible(`STOPPED  ${summary.refused ?? ""}.`), width).map((line) => color("red", line)),
    ...summary.stopped
      .filter(({ reason }) => reason !== summary.refused)
      .flatMap(({ name, reason, advice }) => [
        ...wrapped(visible(`${name}: ${reason}`), width - 2).map((line) => `  ${line}`),
        ...(advice === null ? [] : wrapped(visible(advice), width - 2).map((line) => `  ${line}`)),
      ]),
    "",
    ...(answered.length === 0 ? [] : [`What ${answered.join(", ")} answered is kept.`]),
    `Next, when it is corrected: ${color("bold", visible(summary.next))}`,
  ];
}

/** Columns that the name of a batch keeps; the figures beside it are cut only where there is no room for both. */
const leastName = 8;

function headLines(
  { batch, cases, targets, state, reason, durationMs }: ReportSummary,
  width: number,
  color: Paint,
): string[] {
  const size = `${counted(cases, "case")}, ${counted(targets.length, "target")}`;
  const time =
    durationMs === null
      ? visible(state)
      : `${visible(state)} ${state === "finished" ? "in" : "after"} ${duration(durationMs)}`;
  const figures = `${size}, ${time}`;
  const name = fit(visible(batch), Math.max(leastName, width - displayWidth(figures) - 2));
  const lines = [`${color("bold", name)}  ${fit(figures, width - displayWidth(name) - 2)}`];
  if (reason !== null) lines.push(color("red", fit(visible(reason), width)));
  return lines;
}

/** Where the rest stands: in the page that is named above, or in a table; figures also in the terminal. */
function moreWords(rows: readonly WorstRow[], model: ReportSummary): string {
  const isCut = worstHeading(rows, model).includes(":");
  return isCut
    ? "All rows: the page, or comparison.csv. More figures: the page, or --details"
    : "More figures: the page, or --details";
}

/** The next step; its command is not cut, and stands on a line of its own where there is no room beside the words. */
function nextLines({ nextWhy, next }: RunSummary, width: number, color: Paint): string[] {
  const [words, command] = [visible(`Next: ${nextWhy}:`), visible(next)];
  if (displayWidth(words) + displayWidth(command) < width) return [`${words} ${color("bold", command)}`];
  return [...wrapped(words, width), `  ${color("bold", command)}`];
}

/** Lines of each table beside a choice. */
const mostFound = 5;
const mostReasons = 3;
const mostOfChoice = 5;
const mostBehaviours = 3;
/** The colour of what is said: red for a problem. */
function colourOf(word: VerdictWord): "red" | "green" | "yellow" {
  const { isProblem, state } = wordFacts(word);
  return isProblem ? "red" : state === "pass" ? "green" : "yellow";
}

/** The verdict in words, then reasons or what would settle it, and whether answers changed; with details how it was measured. */
function verdictLines(
  model: ReportSummary,
  { summary, width, isDetailed, color }: { summary: RunSummary; width: number; isDetailed: boolean; color: Paint },
  mark: string,
): string[] {
  const { verdict, behaviour } = model;
  const { state, word, sentence, details, further = [], ofOthers = [], measured } = verdict;
  const basis = basisWords(model);
  const inside = (text: string): string[] => wrapped(visible(text), width - 2).map((line) => `  ${line}`);
  if (word === null)
    return [
      ...wrapped(visible(`${sentence}.`), width),
      // The command stands at the end, on a line of its own.
      ...details
        .filter((why) => !why.includes(summary.next))
        .flatMap((why) => wrapped(visible(why), width))
        .map((line) => color("dim", line)),
    ];
  const name = wordFacts(word).shown;
  const [first = "", ...rest] = wrapped(visible(`${name}${mark}  ${sentence}.`), width);
  const lines = [color(colourOf(word), name) + first.slice(name.length), ...rest];
  const changed = changedRowsLines(model);
  // A line for each candidate has its word and both sides already.
  const listed = new Set(isDetailed || model.candidates.length < 2 || changed.length === 0 ? [] : ofOthers);
  const reasons = isDetailed
    ? details
    : details.filter((line) => !listed.has(line)).flatMap((line) => besideNextStep(line, model));
  // A choice has its best lines first, and the rest of them a step further down.
  const isChosen = model.choice !== undefined;
  const most = isChosen ? mostOfChoice : mostReasons;
  const shown = shortened(reasons, isDetailed ? most * 2 : most, "reason");
  const why = [...shown, ...(isDetailed ? further : [])].flatMap(inside);
  // The rows and the step that follow stand beside the verdict: whoever reads no further has them.
  const next = nextLines(summary, width, color);
  if (state === "invalid") return [...lines, ...why, ...next];
  return [
    ...lines,
    ...changed.flatMap(inside),
    ...why,
    ...next,
    ...(isChosen && !isDetailed ? [] : behaviour.slice(0, mostBehaviours)).flatMap((each) =>
      wrapped(visible(each.sentence), width),
    ),
    ...(basis === null ? [] : wrapped(basis, width)),
    ...(isDetailed ? otherAdvice(model).flatMap(inside) : []),
    ...(isDetailed ? [...measured, ...behaviour.map((each) => each.measured)].flatMap(inside) : []),
  ];
}

/** The line itself; of the advice for too few rows, which the next step says with its command, what it says beside. */
function besideNextStep(line: string, { gates, next }: ReportSummary): string[] {
  if (next === null || !next.command.startsWith("tandem run")) return [line];
  const said = gates.find(
    ({ word, advice, byRows }) => word === "too-few-cases" && byRows === undefined && advice === line,
  );
  return said === undefined ? [line] : [said.otherAdvice ?? []].flat();
}

const isBad = ({ verdict: { word } }: ReportSummary): boolean => word !== null && wordFacts(word).isProblem;

/** The mark beside a verdict that says that something is wrong: new, or since when. */
function markOf(
  changesSinceNotice: ChangesSinceNotice | null,
  model: ReportSummary,
  { startedAt }: RunSummary,
): string {
  return changesSinceNotice === null || !isBad(model) ? "" : newsMark(changesSinceNotice, Date.parse(startedAt));
}

/** Beside what is fine, or cannot tell, stands what is over, or may go on. */
function newsLines(changesSinceNotice: ChangesSinceNotice | null, model: ReportSummary, width: number): string[] {
  return changesSinceNotice === null || changesSinceNotice.sentence === null || isBad(model)
    ? []
    : wrapped(visible(`${changesSinceNotice.sentence}.`), width);
}

/** Advice for gates in another state than the verdict: that of the others is among the reasons. */
function otherAdvice({ gates, verdict }: ReportSummary): string[] {
  return gates.flatMap(({ candidate, name, word, advice }) =>
    word === null || word === verdict.word || advice === null
      ? []
      : [`${candidate}, ${name}: ${wordInText(word)}. ${advice}`],
  );
}

const mostAlarms = 6;

/** Changes over the nights of the suite, of which tonight is a part. */
function alarmLines(
  { alarms }: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  const sentences = alarms.map(({ sentence }) => sentence);
  return shortened(sentences, most, "change of these nights", "changes of these nights")
    .flatMap((text) => wrapped(visible(text), width))
    .map((line) => color("yellow", line));
}

const mostCautions = 4;
const mostChosen = 8;

/** Cautions to weigh before relying on the verdict. */
function cautionLines(
  { cautions }: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  return shortened(cautions, most, "caution")
    .flatMap((text) => wrapped(visible(text), width))
    .map((line) => color("yellow", line));
}

/** A line for each judge that is watched and calm: the others are cautions. */
function watchedLines(
  { judgeWatch = [], cautions }: ReportSummary,
  { width, color }: { width: number; color: Paint },
): string[] {
  return judgeWatch
    .filter(({ sentence }) => !cautions.includes(sentence))
    .flatMap(({ sentence }) => wrapped(visible(sentence), width))
    .map((line) => color("dim", line));
}

function shortened(texts: readonly string[], most: number, what: string, many = `${what}s`): string[] {
  const more = texts.length - most;
  return more > 0 ? [...texts.slice(0, most), `and ${counted(more, `more ${what}`, `more ${many}`)}`] : [...texts];
}

function fileLines({ files }: RunSummary, width: number, color: Paint): string[] {
  const paths = files.map(({ path }) => visible(path));
  const longest = Math.min(Math.max(0, ...paths.map(displayWidth)), width - 20);
  // A path is not cut: it is there to be copied.
  const written = files.map(({ about }, place) =>
    `  ${pad(paths[place] ?? "", longest)}  ${color("dim", visible(about))}`.trimEnd(),
  );
  return written.length === 0 ? [] : [color("bold", "Files"), ...written];
}

/** The page, and the names of what is beside it; files elsewhere in full. */
function shortFileLines({ files }: RunSummary, isLeast: boolean): string[] {
  const [first, ...others] = files.map(({ path }) => path);
  if (first === undefined) return [];
  const folder = first.slice(0, first.lastIndexOf("/") + 1);
  const names = others.map((path) => (path.startsWith(folder) ? path.slice(folder.length) : path));
  const beside = names.filter((name) => !name.includes("/"));
  if (isLeast) return [`Files: ${visible(first)}${others.length === 0 ? "" : ` and ${others.length} more`}`];
  return [
    `Files: ${visible(first)}`,
    ...(beside.length === 0 ? [] : [`  there too: ${visible(beside.join(", "))}`]),
    ...others.filter((_, place) => !beside.includes(names[place] ?? "")).map((path) => `  ${visible(path)}`),
  ];
}

const mostStops = 6;
type Paid = Parameters<typeof paidWords>[0];

/**
 * Lines that need a person's attention: stops with their reasons, requests in doubt, and runs that may have been paid.
 */
function attentionLines(summary: RunSummary, model: Paid, { width, color }: { width: number; color: Paint }): string[] {
  return [
    ...stopLines(summary, width, color),
    ...serviceLines(summary),
    ...doubtLines(summary),
    ...paidLines(summary, model),
  ];
}

function stopLines({ stopped: all, reason: reported }: RunSummary, width: number, color: Paint): string[] {
  // A stop of everything, such as an interrupt, is told beside the name of the batch.
  const stopped = all.filter(({ reason, advice }) => advice !== null || reason !== reported);
  const lines = stopped.slice(0, mostStops).flatMap(({ name, reason, advice }) => {
    // The advice is not cut: it is there to be followed.
    const hint = advice === null ? [] : [`    ${visible(advice)}`];
    return [fit(`  ${visible(name)}: ${visible(reason)}`, width), ...hint];
  });
  if (stopped.length > mostStops) lines.push(`  and ${stopped.length - mostStops} more`);
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
function errorLines(
  { targets }: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  const all = reasonPhrases(targets, targets.length > 1);
  if (all.length === 0) return [];
  const lines = all
    .slice(0, most)
    .flatMap((reason) =>
      wrapped(saidText(reason), width - 4).map((part, at) => fit(`${at === 0 ? "  " : "    "}${part}`, width)),
    );
  const more = all.length - Math.min(most, all.length);
  const rest = more > 0 ? [color("dim", `  and ${counted(more, "more message")}: see the report`)] : [];
  return [color("bold", reasonHeading(reasonsOf(targets))), ...lines, ...rest];
}
