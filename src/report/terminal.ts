import type { CandidateSummary } from "../compare/candidate-summary.ts";
import type { Comparison } from "../compare/comparison.ts";
import type { MemberCount } from "../compare/structure-tally.ts";
import type { TargetSummary } from "../compare/target-tally.ts";
import { attentionLines } from "./attention-lines.ts";
import { differentCount, differentLines, linesPerCase } from "./different-lines.ts";
import { paint } from "./paint.ts";
import type { Paint } from "./paint.ts";
import { counted, duration, number, share } from "./quantity.ts";
import type { RunSummary } from "./run-summary.ts";
import { changeList, moreRows } from "./candidate-rows.ts";
import { tableLines } from "./table.ts";
import { verdictLines } from "./verdict-lines.ts";
import { value } from "./verdict-words.ts";
import { visible } from "./visible.ts";
import { displayWidth, fit, pad } from "./width.ts";

/** The terminal that a summary is made for. */
export interface Screen {
  /** Columns. */
  width: number;
  /** The most lines; what must be said is said even where it takes more. */
  lines: number;
  color: boolean;
}

const mostTargets = 8;
const mostCandidates = 3;
const mostDifferent = 5;

/** What a person sees after a run: targets, what differs, the most different answers, files, and what to do next. */
export function terminalText(summary: RunSummary, screen: Screen): string {
  const width = Math.max(40, screen.width);
  const color = paint(screen.color);
  const { comparison } = summary;
  const before = [
    ...headLines(summary, width, color),
    "",
    ...verdictLines(comparison, width, color),
    ...targetLines(comparison.targets, width, color),
    ...echoLines(comparison.targets, width, color),
    ...comparedLines(comparison, width, color),
  ];
  const after = [...attentionLines(summary, width, color), ...endLines(summary, width, color)];
  const room = Math.floor((screen.lines - before.length - after.length - 2) / linesPerCase);
  const most = Math.min(mostDifferent, Math.max(0, room));
  const lines = [...before, ...mostDifferentLines(comparison, most, width, color), ...after];
  return `${lines.join("\n")}\n`;
}

function headLines(
  { batch, state, reason, durationMs, comparison }: RunSummary,
  width: number,
  color: Paint,
): string[] {
  const size = `${counted(comparison.cases, "case")}, ${counted(comparison.targets.length, "target")}`;
  const time =
    durationMs === null ? state : `${state} ${state === "finished" ? "in" : "after"} ${duration(durationMs)}`;
  const name = fit(visible(batch), Math.floor(width * 0.6));
  const lines = [`${color("bold", name)}  ${fit(`${size}, ${time}`, width - displayWidth(name) - 2)}`];
  if (reason !== null) lines.push(color("red", fit(visible(reason), width)));
  return lines;
}

function targetLines(targets: readonly TargetSummary[], width: number, color: Paint): string[] {
  const rows = targets
    .slice(0, mostTargets)
    .map((target) => [
      visible(target.target),
      number(target.jobs),
      number(target.answered),
      scoreOf(target),
      target.latency === null ? "-" : duration(target.latency.median),
      target.latency === null ? "-" : duration(target.latency.p95),
      errorsOf(target),
    ]);
  const [title = "", ...lines] = tableLines(
    [
      { title: "target", align: "left", most: 30 },
      { title: "jobs", align: "right", most: 10 },
      { title: "answered", align: "right", most: 10 },
      { title: visible(targets[0]?.scores[0]?.metric ?? "expected found"), align: "left", most: 28 },
      { title: "median", align: "right", most: 12 },
      { title: "p95", align: "right", most: 12 },
      { title: "errors", align: "left", most: width },
    ],
    rows,
  ).map((line) => fit(line, width));
  const more = targets.length - mostTargets;
  const rest = more > 0 ? [color("dim", `and ${counted(more, "more target")}: see --json`)] : [];
  return [color("bold", title), ...lines, ...rest];
}

/** Of the first scorer; without any, how often the expected text was found. */
function scoreOf({ scores: [first], expected }: TargetSummary): string {
  if (first === undefined) return expected === null ? "-" : share(expected.found, expected.of);
  return first.mean === null ? "-" : value(first.mean, first.of, null);
}

/** A configuration that changed while the batch ran makes two batches of it. */
function echoLines(targets: readonly TargetSummary[], width: number, color: Paint): string[] {
  return targets.flatMap(({ target, echoChanges }) =>
    echoChanges.slice(0, 2).map(({ path, before, after, at }) => {
      const when = new Date(at).toISOString().slice(0, 19);
      const text = `${target}: ${path} changed during the batch, at ${when}Z: ${before} -> ${after}`;
      return color("yellow", fit(visible(text), width));
    }),
  );
}

function errorsOf({ errors, unfinished }: TargetSummary): string {
  const counts = Object.entries(errors).map(([kind, count]) => `${visible(kind)} ${number(count)}`);
  if (unfinished > 0) counts.push(`unfinished ${number(unfinished)}`);
  return counts.length === 0 ? "-" : counts.join(", ");
}

function comparedLines(comparison: Comparison, width: number, color: Paint): string[] {
  const { candidates, cases } = comparison;
  const lines = candidates
    .slice(0, mostCandidates)
    .flatMap((candidate) => candidateLines(candidate, { cases, width }, color));
  const more = candidates.length - mostCandidates;
  if (more > 0) lines.push(color("dim", `and ${counted(more, "more candidate")}: see --json`));
  return lines;
}

function candidateLines(
  candidate: CandidateSummary,
  { cases, width }: { cases: number; width: number },
  color: Paint,
): string[] {
  const [from, to] = [visible(candidate.baseline), visible(candidate.candidate)];
  const { compared, expectedLost, expectedGained, medianGapMs, metrics } = candidate;
  const rows = [
    ["answers differ", `${differing(candidate.answerDiffers, compared)}${changeList(candidate)}`],
    ["members differ", `${differing(candidate.membersDiffer, compared)}${memberList(candidate)}`],
    ["outcomes differ", number(candidate.outcomeDiffers)],
    ...moreRows(candidate),
  ];
  if (metrics.length === 0 && expectedLost + expectedGained > 0) {
    rows.push([
      "expected text",
      `found only by ${from} in ${number(expectedLost)}, only by ${to} in ${number(expectedGained)}`,
    ]);
  }
  if (medianGapMs !== null) rows.push(["sent apart by", `${duration(medianGapMs)} (median)`]);
  return [
    "",
    color("bold", fit(`${to} against ${from}`, width - 40)) +
      `  ${number(compared)} of ${counted(cases, "case")} compared`,
    ...rows.map(([title = "", text = ""]) => fit(`  ${pad(title, 15)}  ${text}`, width)),
    ...(candidate.gapWarning === null ? [] : [color("yellow", fit(`  ${candidate.gapWarning}`, width))]),
  ];
}

function differing(count: number, of: number): string {
  return of === 0 ? "nothing to compare" : `${number(count)} of ${number(of)}`;
}

/** `: references became null 3, final_search_query has another value 2`; a line is cut where it ends. */
function memberList({ members, otherMembers }: CandidateSummary): string {
  if (members.length === 0) return "";
  const named = members
    .slice(0, 8)
    .map(({ path, change, cases }: MemberCount) => `${visible(path)} ${change} ${number(cases)}`);
  const more = members.length > 8 || otherMembers > 0 ? ", ..." : "";
  return `: ${named.join(", ")}${more}`;
}

function mostDifferentLines(comparison: Comparison, most: number, width: number, color: Paint): string[] {
  const lines = differentLines(comparison, most, width, color);
  if (lines.length === 0) return [];
  const all = differentCount(comparison);
  const title = most < all ? `Most different answers (the first ${most})` : "Most different answers";
  return ["", color("bold", title), ...lines];
}

function endLines({ files, next }: RunSummary, width: number, color: Paint): string[] {
  const paths = files.map(({ path }) => visible(path));
  const longest = Math.min(Math.max(0, ...paths.map(displayWidth)), width - 20);
  // A path is not cut: it is there to be copied.
  const written = files.map(({ about }, index) =>
    `  ${pad(paths[index] ?? "", longest)}  ${color("dim", visible(about))}`.trimEnd(),
  );
  const lines = written.length === 0 ? [] : ["", color("bold", "Files"), ...written];
  return next === null ? lines : [...lines, "", `Next: ${color("bold", visible(next))}`];
}
