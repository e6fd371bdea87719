import { changeWords } from "../say/changes.ts";
import { changeFigure } from "../say/figures.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { Paint } from "./paint.ts";
import { frameOf, type ReportFrame } from "../shape/reporter.ts";
import { askedIn, questionOfRow } from "../model/row-figures.ts";
import { tellingMember, tellingTexts } from "../model/telling-member.ts";
import type { ReportRow, ReportRun } from "../shape/row.ts";
import { keyWords, rowWords, targetNamer } from "../say/names.ts";
import { shownRuns } from "../model/shown-runs.ts";
import { visible } from "../text/visible.ts";
import { displayWidth, fit, fitEnd, pad } from "../text/width.ts";
import { placeOfRow, scoreChange, type WorstRow } from "../model/worst-rows.ts";
import { graphemes } from "../../text/graphemes.ts";
import { placeMark } from "../say/findings.ts";

/** The rows that a person should look at first: the first with its answers, the others in a line each. */
export function rowLines(
  worst: readonly WorstRow[],
  summary: ReportSummary,
  { width, color }: { width: number; color: Paint },
): string[] {
  const frame = frameOf(summary);
  const nameOf = targetNamer(summary);
  const rows = worst.map((each) => shownRow(each, summary, { frame, nameOf }));
  const placed = Math.max(0, ...rows.map(({ place }) => displayWidth(place)));
  return rows.flatMap((row, at) => [
    nameLine(row, { placed, width, color }),
    ...(at === 0 ? answerLines(row, { width, color }) : []),
  ]);
}

interface ShownRow {
  /** `row 12`; its key where the case is of no file. */
  place: string;
  question: string;
  change: string;
  /** The expected answer, or why the candidate's fails where none is expected; empty: neither is known. */
  expected: string;
  /** The name of that line. */
  label: string;
  /** Names and answers, the baseline first. */
  sides: { name: string; which: string; text: string }[];
}

function shownRow(
  worst: WorstRow,
  summary: ReportSummary,
  { frame, nameOf }: { frame: ReportFrame; nameOf: (name: string) => string },
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
  const who = frame.pairs.length > 1 ? `${visible(nameOf(candidate.name))} ` : "";
  const [expected, failed] = [row.expected, failureOf(candidate.run)].map((text) =>
    visible((text ?? "").replaceAll(/\s+/g, " ").trim()),
  );
  const above =
    expected === "" ? { expected: failed ?? "", label: "why" } : { expected: expected ?? "", label: "expected" };
  return { ...rowName(row), change: `${who}${changeOf(worst, summary, frame)}`, ...above, sides };
}

/** `newly fails (typo, hi)`; of scores the loss in place of words. */
function changeOf(worst: WorstRow, summary: ReportSummary, frame: ReportFrame): string {
  const lost = scoreChange(worst, frame);
  const [primary] = frame.metrics;
  const said =
    lost === null || primary === undefined
      ? changeWords(worst, frame)
      : changeFigure(primary.lowerIsBetter ? -lost : lost, primary, { unit: false });
  const place = placeOfRow(worst, summary);
  return place === null ? said : `${said} (${visible(placeMark(place))})`;
}

/** The reason why an answer fails by the first metric; null: it does not, or nobody said why. */
function failureOf(run: ReportRun | null): string | null {
  const [score] = run?.scores ?? [];
  return score?.pass === false ? score.reason : null;
}

/** The row as its reader knows it: its number in the sheet, and the question; its key where it has neither. */
function rowName(row: ReportRow): Pick<ShownRow, "place" | "question"> {
  const place = visible(rowWords(row));
  const question = visible(questionOfRow(row).replaceAll(/\s+/g, " ").trim());
  const key = place === "" ? visible(keyWords({ ...row, question })) : "";
  return { place: place === "" ? fit(key, mostKey) : place, question };
}

const mostKey = 30;
/** Columns of the name of a side, such as `prod of 29 November, 03:55:01`. */
const mostLabel = 30;

/** `row 59  newly fails (typo, hi)  QUESTION`: the question is last, and the only part that is cut. */
function nameLine(
  { place, question, change }: ShownRow,
  { placed, width, color }: { placed: number; width: number; color: Paint },
): string {
  const name = place === "" ? "" : `${pad(place, placed)}  `;
  const words = fit(change, Math.floor(width / 2));
  const widthLeft = width - 4 - displayWidth(name) - displayWidth(words);
  const asked = widthLeft < 4 || question === "" ? "" : `  ${fit(question, widthLeft)}`;
  return `  ${color("bold", name)}${color("yellow", words)}${asked}`.trimEnd();
}

/** The answer of a run, or why it has none; `told` stands for an answer where that tells more. */
function answerText(run: ReportRun | null, told?: string): string {
  if (run === null) return "(not run)";
  const { error, outcome } = run;
  const answer = run.answer === null ? null : (told ?? run.answer);
  if (answer !== null) return answer.trim() === "" ? "(blank)" : visible(answer.trim());
  return error === null ? `(${visible(outcome)})` : `(${visible(outcome)}: ${visible(error.trim())})`;
}

/** The expected answer, and both answers under each other from the place where they begin to differ. */
function answerLines(
  { expected, label: above, sides }: ShownRow,
  { width, color }: { width: number; color: Paint },
): string[] {
  const names = [...sides.map(({ name }) => name), ...(expected === "" ? [] : [above])];
  const label = Math.min(mostLabel, Math.max(...names.map(displayWidth)));
  const texts = sides.map(({ which }, place) => {
    const widthLeft = width - label - 6 - displayWidth(which);
    return excerpts(sides[0]?.text ?? "", sides[1]?.text ?? "", widthLeft, expected)[place === 0 ? 0 : 1];
  });
  return [
    ...(expected === "" ? [] : [`    ${color("dim", pad(above, label))}  ${fit(expected, width - label - 6)}`]),
    ...sides.map(
      ({ name, which }, place) =>
        `    ${color(place === 0 ? "cyan" : "magenta", pad(fitEnd(name, label), label))}  ${which}${texts[place] ?? ""}`,
    ),
  ];
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
  const widthLeft = width - displayWidth(wanted) - 2;
  let start = at;
  // Words before it are shown as long as they fit.
  for (let space = text.lastIndexOf(" ", at - 2); space > 0; space = text.lastIndexOf(" ", space - 1)) {
    if (displayWidth(text.slice(space, at)) > widthLeft / 2) break;
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
  let widthLeft = lead;
  for (; start > 0; start--) {
    widthLeft -= displayWidth(one[start - 1] ?? "");
    if (widthLeft < 0) break;
  }
  if (start === 0) return 0;
  const word = one.slice(start, same).indexOf(" ");
  const from = word === -1 ? start : start + word + 1;
  return one.slice(0, from).join("").length;
}

function excerpt(text: string, start: number, width: number): string {
  return fit(start === 0 ? text : `…${text.slice(start)}`, width);
}
