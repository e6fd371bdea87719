import { attentionLines } from "./attention-lines.ts";
import { errorLines } from "./error-lines.ts";
import { factLines } from "./fact-lines.ts";
import type { ReportSummary } from "../shape/model.ts";
import { type Paint, paint } from "./paint.ts";
import { counted, duration } from "../words/quantity.ts";
import type { RunSummary } from "../shape/run-summary.ts";
import { judgeLines, metricLines, targetLines } from "./terminal-tables.ts";
import { visible } from "../text/visible.ts";
import { displayWidth, fit, pad } from "../text/width.ts";
import { worstLines } from "./worst-lines.ts";
import type { WorstRow } from "../model/worst-rows.ts";
import { wrapped } from "../text/wrap.ts";

/** The terminal that a summary is made for. */
export interface Screen {
  /** Columns. */
  width: number;
  /** The most lines; what must be said is said even where it takes more. */
  lines: number;
  color: boolean;
}

/** The result of a batch, for a person. */
export interface Told {
  /** The content of every report. */
  model: ReportSummary;
  /** The rows that a person should look at first. */
  worst: readonly WorstRow[];
  /** Stops, requests in doubt, the files that were written, and the next step. */
  summary: RunSummary;
}

/** Number of lines of each part: the first level that fits the screen is taken, else the last. */
interface Detail {
  metrics: number;
  targets: number;
  /** Messages of errors. */
  errors: number;
  facts: number;
  /** Three lines for each row to look at, not one. */
  tall: boolean;
  /** `all`: a line each; `short`: by their names; `least`: the first, and how many there are beside it. */
  files: "all" | "short" | "least";
}

const details: readonly Detail[] = [
  { metrics: 12, targets: 8, errors: 6, facts: 12, tall: true, files: "all" },
  { metrics: 8, targets: 8, errors: 4, facts: 8, tall: true, files: "short" },
  { metrics: 8, targets: 8, errors: 3, facts: 3, tall: true, files: "short" },
  { metrics: 8, targets: 8, errors: 3, facts: 8, tall: false, files: "short" },
  { metrics: 5, targets: 8, errors: 2, facts: 0, tall: false, files: "short" },
  { metrics: 2, targets: 4, errors: 1, facts: 0, tall: false, files: "least" },
];

/**
 * The text that a person sees after a run: verdict, metrics with intervals, the worst rows, files, and the next step.
 */
export function terminalText(told: Told, screen: Screen): string {
  const width = Math.max(40, screen.width);
  const color = paint(screen.color);
  let lines: string[] = [];
  for (const detail of details) {
    lines = linesOf(told, detail, { width, color });
    if (lines.length <= screen.lines) break;
  }
  return `${lines.join("\n")}\n`;
}

function linesOf(
  { model, worst, summary }: Told,
  { metrics, targets, errors, facts, tall, files }: Detail,
  { width, color }: { width: number; color: Paint },
): string[] {
  if (summary.refused !== null) return refusedLines(model, summary, { width, color });
  const isLeast = files === "least";
  const rows = worstLines(worst, model, { width, tall, color });
  const measured = metricLines(model, { width, most: metrics, color });
  const targeted = [
    ...targetLines(model, { width, most: targets, color }),
    ...judgeLines(model).map((line) => fit(line, width)),
  ];
  const sections = [
    [
      ...headLines(model, width, color),
      ...(isLeast ? [] : [""]),
      ...verdictLines(model, { next: summary.next, width, isShort: isLeast, color }),
      ...cautionLines(model, { width, isShort: isLeast, color }),
    ],
    ...(isLeast ? [[...measured, ...targeted]] : [measured, targeted]),
    errorLines(model, { width, most: errors, color }),
    facts === 0 ? [] : factLines(model, { width, most: facts, color }),
    rows.length === 0 ? [] : [color("bold", "Rows to look at"), ...rows],
    attentionLines(summary, width, color),
    [
      ...(files === "all" ? fileLines(summary, width, color) : shortFileLines(summary, isLeast)),
      `Next: ${color("bold", visible(summary.next))}`,
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
  const name = fit(visible(batch), Math.floor(width * 0.6));
  const lines = [`${color("bold", name)}  ${fit(`${size}, ${time}`, width - displayWidth(name) - 2)}`];
  if (reason !== null) lines.push(color("red", fit(visible(reason), width)));
  return lines;
}

const mostAdvice = 2;
const mostReasons = 3;
const mostBehaviours = 3;
const colours = { regression: "red", pass: "green", inconclusive: "yellow", invalid: "red" } as const;

/** The verdict in one sentence; why it is none, or what would settle it; what could have been found; whether answers changed. */
function verdictLines(
  { verdict, gates, behaviour }: ReportSummary,
  { next, width, isShort, color }: { next: string; width: number; isShort: boolean; color: Paint },
): string[] {
  const { state, sentence, details: reasons } = verdict;
  const inside = (text: string): string[] => wrapped(visible(text), width - 2).map((line) => `  ${line}`);
  if (state === "none")
    return [
      ...wrapped(visible(`${sentence}.`), width),
      // The command stands at the end, on a line of its own.
      ...reasons
        .filter((why) => !why.includes(next))
        .flatMap((why) => wrapped(visible(why), width))
        .map((line) => color("dim", line)),
    ];
  const name = state.toUpperCase();
  const [first = "", ...rest] = wrapped(visible(`${name}  ${sentence}.`), width);
  const lines = [color(colours[state], name) + first.slice(name.length), ...rest];
  if (state === "invalid") return [...lines, ...shortened(reasons, mostReasons, "reason").flatMap(inside)];
  const deciding = gates.filter((gate) => gate.state !== null);
  const isAlone = deciding.length === 1;
  const advice = deciding.flatMap((gate) => {
    const who = isAlone ? "" : `${gate.candidate}, ${gate.name}: ${gate.state}. `;
    return gate.advice === null ? [] : [`${who}${gate.advice}`];
  });
  // The drop that the cases could have shown at all, for the gate in the sentence.
  const drop = isShort ? null : (gates.find((gate) => gate.state === state)?.smallestDrop ?? null);
  return [
    ...lines,
    ...shortened(advice, isShort ? 1 : mostAdvice, "gate").flatMap(inside),
    ...(drop === null ? [] : inside(drop)),
    ...behaviour.slice(0, isShort ? 1 : mostBehaviours).flatMap((each) => {
      const text = visible(each.sentence);
      return isShort ? [fit(text, width)] : wrapped(text, width);
    }),
  ];
}

const mostCautions = 4;

/** Cautions to weigh before relying on the verdict. */
function cautionLines(
  { cautions }: ReportSummary,
  { width, isShort, color }: { width: number; isShort: boolean; color: Paint },
): string[] {
  const told = shortened(cautions, isShort ? 2 : mostCautions, "caution");
  return told.flatMap((text) => {
    const lines = isShort ? [fit(visible(text), width)] : wrapped(visible(text), width);
    return lines.map((line) => color("yellow", line));
  });
}

function shortened(texts: readonly string[], most: number, what: string): string[] {
  const more = texts.length - most;
  return more > 0 ? [...texts.slice(0, most), `and ${counted(more, `more ${what}`)}`] : [...texts];
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
