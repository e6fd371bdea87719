import { changeWord, changeWords } from "../words/change-words.ts";
import { isFlipped } from "../words/flip-words.ts";
import { onMetric } from "../words/metric-words.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { Paint } from "./paint.ts";
import type { ReportFrame } from "../shape/reporter.ts";
import { askedIn, questionOfRow } from "../model/row-figures.ts";
import { tellingMember, tellingTexts } from "../model/telling-member.ts";
import type { ReportRow, ReportRun } from "../shape/row.ts";
import { keyWords, rowWords } from "../words/row-words.ts";
import { shownRuns } from "../model/shown-runs.ts";
import { gateKindWords } from "../words/gate-words.ts";
import { decidedByPeople } from "../words/people-words.ts";
import { counted, number } from "../words/quantity.ts";
import { visible } from "../text/visible.ts";
import { displayWidth, fit, fitEnd, pad } from "../text/width.ts";
import type { WorstRow } from "../model/worst-rows.ts";
import { graphemes } from "../../text/graphemes.ts";

/** The rows that a person should look at first: with all lines of each, or in one. */
export function worstLines(
  worst: readonly WorstRow[],
  summary: ReportSummary,
  { width, tall, color }: { width: number; tall: boolean; color: Paint },
): string[] {
  const { targets, pairs, metrics } = summary;
  const frame = { targets: targets.map(({ name }) => name), pairs, metrics };
  // Those of other batches are called by their night.
  const labels = new Map(targets.map(({ name, label = name }) => [name, label]));
  const nameOf = (name: string): string => labels.get(name) ?? name;
  const rows = worst.map((each) => shownRow(each, frame, { isDecided: summary.verdict.state !== "invalid", nameOf }));
  return tall ? rows.flatMap((row) => tallLines(row, rows, width, color)) : shortLines(rows, width, color);
}

/**
 * `Rows to look at: 3 examples of the 31 that newly fail (all: comparison.csv)`: those that are counted are worse by the primary
 * metric, as the rows are, which is named where the verdict is about another. Without numbers where these are all, or nothing
 * is decided by them.
 */
export function worstHeading(worst: readonly WorstRow[], summary: ReportSummary): string {
  const { gates, flips, verdict, metrics, candidates } = summary;
  const title = "Rows to look at";
  const shown = worst.filter(({ change }) => change.trend === "worse").length;
  const [primary] = metrics;
  const own = gates.find(({ metric, slice: segment }) => metric === primary?.name && segment === null);
  const isDecided = gates.some(({ state, slice: segment }) => state !== null && segment === null);
  if (own === undefined || !isDecided || verdict.state === "invalid" || shown === 0) return title;
  const { candidate } = own;
  const failing = gateKindWords(own).failing(own);
  const all = failing?.cases ?? own.worse;
  if (all <= shown || candidates.length > 1) return title;
  const turns = flips.filter((flip) => flip.candidate === candidate && flip.metric === own.metric);
  const flipped =
    (failing?.cases ?? null) !== null || (turns.length > 0 && isFlipped(own, turns)) ? "newly fail" : "got worse";
  const by = decidedByPeople(own) === null ? "" : " by the judge alone";
  const part = shown === worst.length ? counted(shown, "example") : "the first";
  return `${title}: ${part} of the ${number(all)} that ${flipped}${onMetric(own.metric, verdict.metric)}${by} (all: comparison.csv)`;
}

interface ShownRow {
  /** `row 12`; empty where the case is of no file. */
  place: string;
  question: string;
  /** Empty where it is one that we made, and says nothing. */
  key: string;
  change: string;
  /** The same in a word or two. */
  word: string;
  /** The expected answer, or why the candidate's fails where none is expected; empty: neither is known. */
  expected: string;
  /** The name of that line. */
  label: string;
  /** Names and answers, the baseline first. */
  sides: { name: string; which: string; text: string }[];
}

function shownRow(
  worst: WorstRow,
  frame: ReportFrame,
  { isDecided, nameOf }: { isDecided: boolean; nameOf: (name: string) => string },
): ShownRow {
  const { row, change } = worst;
  const { baseline, candidate } = shownRuns(worst, frame);
  const asked = askedIn(row);
  const told = tellingTexts(
    [baseline, candidate].map(({ run }) => run?.answer ?? ""),
    asked,
  );
  const sides = [baseline, candidate].map(({ name, run, which }, place) => ({
    name: visible(nameOf(name)),
    which: which === "" ? "" : `${which}: `,
    text: answerText(run, told[place]),
  }));
  // If both texts are the same, the member that differs is shown in their place; the question that came back is none.
  const member = tellingMember(change.members, asked);
  if (member !== undefined && sides[0]?.text === sides[1]?.text) {
    for (const [place, value] of [member.baseline, member.candidate].entries()) {
      const side = sides[place];
      if (side !== undefined) side.text = visible(`${member.path}: ${value}`);
    }
  }
  const who = frame.pairs.length > 1 ? `${visible(nameOf(candidate.name))}: ` : "";
  // Nothing is better or worse where the data are not complete.
  const shown = isDecided ? worst : { ...worst, change: { ...change, trend: null } };
  const words = { change: who + changeWords(shown, frame), word: who + changeWord(shown, frame) };
  const [expected, failed] = [row.expected, failureOf(candidate.run)].map((text) =>
    visible((text ?? "").replaceAll(/\s+/g, " ").trim()),
  );
  const above =
    expected === "" ? { expected: failed ?? "", label: "why" } : { expected: expected ?? "", label: "expected" };
  return { ...rowName(row), ...words, ...above, sides };
}

/** The reason why an answer fails by the first metric; null: it does not, or nobody said why. */
function failureOf(run: ReportRun | null): string | null {
  const [score] = run?.scores ?? [];
  return score?.pass === false ? score.reason : null;
}

/** The row as its reader knows it: its number in the sheet, the question, and the key where it is not one that we made. */
function rowName(row: ReportRow): Pick<ShownRow, "place" | "question" | "key"> {
  const place = visible(rowWords(row));
  const question = visible(questionOfRow(row).trim());
  return { place, question, key: visible(keyWords({ ...row, question })) };
}

/** Columns that a question has beside a key: where there are fewer, the key is left out. */
const leastQuestion = 12;

/**
 * The name in so many columns: only the question is cut. A key stands there whole or not at all, but where there is nothing else to
 * know the row by.
 */
function fittedName({ place, question, key }: ShownRow, width: number): string {
  const isNamed = place !== "" || question !== "";
  const room = width - displayWidth(place) - (place === "" ? 0 : 2);
  const wanted = Math.min(displayWidth(question), leastQuestion);
  const isWhole = wanted + displayWidth(key) + (wanted === 0 ? 2 : 4) <= room;
  const shownKey = key === "" || (isNamed && !isWhole) ? "" : `(${fit(key, Math.max(1, room - 2))})`;
  const headroom = room - (shownKey === "" ? 0 : displayWidth(shownKey) + 2);
  const parts = [place, headroom < 4 ? "" : fit(question, headroom), shownKey];
  return fit(parts.filter((part) => part !== "").join("  "), width);
}

/** The answer of a run, or why it has none; `told` stands for an answer where that tells more. */
function answerText(run: ReportRun | null, told?: string): string {
  if (run === null) return "(not run)";
  const { error, outcome } = run;
  const answer = run.answer === null ? null : (told ?? run.answer);
  if (answer !== null) return answer.trim() === "" ? "(blank)" : visible(answer.trim());
  return error === null ? `(${visible(outcome)})` : `(${visible(outcome)}: ${visible(error.trim())})`;
}

/** The change, the expected answer, and both answers under each other from the place where they begin to differ. */
function tallLines(row: ShownRow, all: readonly ShownRow[], width: number, color: Paint): string[] {
  const { change, expected, label: above, sides } = row;
  const names = all.flatMap((each) => [
    ...each.sides.map(({ name }) => name),
    ...(each.expected === "" ? [] : [each.label]),
  ]);
  const longest = Math.max(...names.map(displayWidth));
  const label = Math.min(24, longest);
  const texts = sides.map(({ which }, place) => {
    const headroom = width - label - 6 - displayWidth(which);
    return excerpts(sides[0]?.text ?? "", sides[1]?.text ?? "", headroom, expected)[place === 0 ? 0 : 1];
  });
  const words = fit(change, Math.floor(width / 2));
  const shown = fittedName(row, width - displayWidth(words) - 4);
  return [
    `  ${color("bold", shown)}  ${color("yellow", words)}`,
    ...(expected === "" ? [] : [`    ${color("dim", pad(above, label))}  ${fit(expected, width - label - 6)}`]),
    ...sides.map(
      ({ name, which }, place) =>
        `    ${color(place === 0 ? "cyan" : "magenta", pad(fitEnd(name, label), label))}  ${which}${texts[place] ?? ""}`,
    ),
  ];
}

/** One line for each; the words between keep the order of texts that are written from right to left. */
function shortLines(rows: readonly ShownRow[], width: number, color: Paint): string[] {
  const most = Math.floor(width / 4);
  const [was, now] = ["was ", " now "];
  const words = columnOf(
    rows.map(({ word }) => word),
    most,
  );
  // A name takes what short answers leave.
  const longest = Math.max(0, ...rows.flatMap(({ sides }) => sides.map(({ text }) => displayWidth(text))));
  const left = width - displayWidth(words[0] ?? "") - 2 * longest - 6 - was.length - now.length;
  const mostOfName = Math.max(most, left);
  const keys = columnOf(
    rows.map((row) => fittedName(row, mostOfName)),
    mostOfName,
  );
  return rows.map(({ sides }, place) => {
    const [key = "", word = ""] = [keys[place], words[place]];
    const headroom = width - displayWidth(key) - displayWidth(word) - 6 - was.length - now.length;
    const half = Math.max(4, Math.floor(headroom / 2));
    const [before, after] = excerpts(sides[0]?.text ?? "", sides[1]?.text ?? "", half);
    const texts = `${color("dim", was)}${color("red", before)}${color("dim", now)}${color("green", after)}`;
    return `  ${color("bold", key)}  ${color("yellow", word)}  ${texts}`;
  });
}

/** Texts cut and filled to one width. */
function columnOf(texts: readonly string[], most: number): string[] {
  const width = Math.min(most, Math.max(0, ...texts.map(displayWidth)));
  return texts.map((text) => pad(fit(text, width), width));
}

/**
 * Two texts cut to a width so that the place where they begin to differ can be seen in both: what they share before it
 * is left out, from the start of a word, when there is much of it. A text that holds what is wanted is shown there.
 */
export function excerpts(one: string, other: string, width: number, wanted = ""): [string, string] {
  const start = excerptStart(Array.from(graphemes(one)), Array.from(graphemes(other)), Math.floor(width / 3));
  const shown = (text: string): string => excerpt(text, Math.max(start, wantedStart(text, wanted, width)), width);
  return [shown(one), shown(other)];
}

/** Finds a start from which the wanted part of a text is in sight; 0 where it is so from the front, or is not there. */
function wantedStart(text: string, wanted: string, width: number): number {
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at === -1 || displayWidth(text.slice(0, at + wanted.length)) < width) return 0;
  const headroom = width - displayWidth(wanted) - 2;
  let start = at;
  // Words before it are shown as long as they fit.
  for (let space = text.lastIndexOf(" ", at - 2); space > 0; space = text.lastIndexOf(" ", space - 1)) {
    if (displayWidth(text.slice(space, at)) > headroom / 2) break;
    start = space + 1;
  }
  return start;
}

/** Finds the start of the excerpts, as a place in either text: up to there they are the same. */
function excerptStart(one: readonly string[], other: readonly string[], lead: number): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  if (same === one.length && same === other.length) return 0;
  let start = same;
  let headroom = lead;
  for (; start > 0; start--) {
    headroom -= displayWidth(one[start - 1] ?? "");
    if (headroom < 0) break;
  }
  if (start === 0) return 0;
  const word = one.slice(start, same).indexOf(" ");
  const from = word === -1 ? start : start + word + 1;
  return one.slice(0, from).join("").length;
}

function excerpt(text: string, start: number, width: number): string {
  return fit(start === 0 ? text : `…${text.slice(start)}`, width);
}
