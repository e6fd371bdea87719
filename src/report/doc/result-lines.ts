import { valuesOf } from "../../compare/slice-name.ts";
import { rowGroup } from "../model/row-groups.ts";
import { countsWorse, factsOfOne, factWords, type SaidFact, shownWord } from "../say/findings.ts";
import { decidedByPeople } from "../say/people.ts";
import { commandText, nextWords } from "../say/next.ts";
import type { DocRows, DocTable } from "../shape/doc.ts";
import type { Fact, Findings, TurnedPlace } from "../shape/findings.ts";
import type { ReportSummary } from "../shape/model.ts";
import { resultTable } from "./result-table.ts";

/** A line below the figures: its label, and its lines; `of`: who told it. */
export interface ResultLine extends SaidFact {
  of: "fact" | "history" | "note";
  /** The rows that its lines are about, by their places; none for the lines behind them. */
  rows: readonly DocRows[];
  /** It explains figures and decides nothing: a page folds it away. */
  isAside: boolean;
}

/** The most lines of each kind that a medium has room for. */
export type MostLines = Partial<Record<ResultLine["of"], number>>;

/** The result before its sections, as every medium draws it: word, sentence, figures, the lines below them, and the next step. */
export interface ResultHead {
  /** Empty: there is none. */
  word: string;
  sentence: string;
  figures: DocTable | null;
  lines: ResultLine[];
  next: { words: string; command: string } | null;
}

/**
 * The head of a result with as many lines as a medium has room for. `history`: how the nights before stand, `candidate`: whose places
 * are told, left out: those of the first that has some.
 */
export function resultHead(
  summary: ReportSummary,
  most: MostLines = {},
  { history = [], candidate }: { history?: readonly string[]; candidate?: string | undefined } = {},
): ResultHead {
  const { findings, verdict, next } = summary;
  return {
    word: shownWord(findings),
    sentence: verdict.sentence,
    figures: resultTable(summary),
    lines: resultLines(summary, history, candidate).filter(withinMost(most)),
    next: next === null ? null : { words: nextWords(next, summary), command: commandText(next) },
  };
}

/** The lines below the figures; what makes the data invalid is no line: it stands among the checks. */
function resultLines(summary: ReportSummary, history: readonly string[], candidate?: string): ResultLine[] {
  const told =
    (of: ResultLine["of"]) =>
    (text: string): ResultLine => ({ of, label: of, lines: [text], rows: [], isAside: false });
  return [
    ...factsOfOne(summary.findings, candidate)
      .filter(({ kind }) => kind !== "reasons")
      .map((fact): ResultLine => ({
        of: "fact",
        ...factWords(fact, summary),
        rows: rowsOfFact(fact, summary.findings),
        isAside: isAside(fact, summary),
      })),
    ...history.map(told("history")),
    ...summary.alarms.map(({ sentence }) => sentence).map(told("history")),
    ...summary.cautions.map(told("note")),
  ];
}

const asides: ReadonlySet<string> = new Set([
  "runs",
  "one-more",
  "race",
  "graded",
  "groups",
  "looks",
  "alike",
  "cost",
  "none-passes",
  "shared-level",
]);

function isAside(fact: Fact, { gates, verdict }: ReportSummary): boolean {
  const name = fact.kind === "note" ? fact.label : fact.kind;
  if (name === "judge") {
    // The headline says that labels of people decide.
    const judged = gates.filter(({ state, people }) => state !== null && people !== undefined);
    return judged.length > 0 && judged.every((gate) => decidedByPeople(gate) !== null);
  }
  // Beside a loss, another one is no news; beside a pass it is.
  if (name === "also-worse") return verdict.word === "regression" || verdict.word === "worse";
  return asides.has(name);
}

/** The rows that the line of each place counts: those of the places that were told before it are not among them. */
function rowsOfFact(fact: Fact, { headline }: Findings): DocRows[] {
  if (fact.kind !== "where") return [];
  const { candidate, isOther, metric, places } = fact;
  const leading = "place" in headline && !isOther ? headline.place : null;
  return places.map((place, at) => ({
    target: candidate,
    tags: valuesOf(place),
    without: [leading, ...places.slice(0, at)].flatMap((before) =>
      before !== null && isCountedWithout(place, before) ? [valuesOf(before)] : [],
    ),
    group: countsWorse(place) ? rowGroup.metric(metric, "worse") : rowGroup.paired(metric),
    sort: "rank",
  }));
}

/** A value that lost every row is counted by itself, and a row has one value of a tag. */
const isCountedWithout = (place: TurnedPlace, before: TurnedPlace): boolean =>
  place.difference !== null && before.difference !== null && !excludes(place, before);

const excludes = (place: TurnedPlace, other: TurnedPlace): boolean =>
  valuesOf(place).some(({ tag, value }) => valuesOf(other).some((each) => each.tag === tag && each.value !== value));

function withinMost(most: MostLines): (line: ResultLine) => boolean {
  const left = { fact: Infinity, history: Infinity, note: Infinity, ...most };
  return ({ of }) => left[of]-- > 0;
}
