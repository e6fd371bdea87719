import { notPlanned } from "../../../compare/cases/side-outcome.ts";
import { folded } from "../../../text/search-fold.ts";
import { isShown } from "../../../report/model/row-filters.ts";
import { conversationOf, frameGroups, groupName } from "../../../report/model/row-groups.ts";
import { minus, runFigure } from "../../../report/model/run-figures.ts";
import type { Query } from "../../../report/query/query-text.ts";
import {
  holdsNumber,
  holdsText,
  type RowCondition,
  type RowFigure,
  sidesOfPair,
  type TextTest,
} from "../../../report/query/row-conditions.ts";
import type { LabelChoice, RowText } from "../../../report/query/row-terms.ts";
import type { ReportFrame } from "../../../report/shape/reporter.ts";
import type { ReportRow } from "../../../report/shape/row.ts";
import type { RowGroup } from "../../../report/shape/row-group.ts";

// report.html has no SQL: it is one file, opened from a disk under a policy that lets it load nothing and compile no WebAssembly.
// Everything else asks the index (`report/row-index`), and a property test holds the two together.

/** A row that the page holds. */
export interface QueriedRow {
  row: ReportRow;
  /** All that a search looks at, folded. */
  words: string;
  /** Words for the labels of its answers. */
  said: ReadonlySet<LabelChoice>;
}

/** The rows that a query is asked of: their frame, the pair that is shown, and the time from which an answer is slow. */
export interface AboutRows {
  frame: ReportFrame;
  pair: number;
  slowFrom: number;
}

/** True for a row that a query finds. */
export function finds(query: Query<RowCondition>, row: QueriedRow, about: AboutRows): boolean {
  switch (query.kind) {
    case "all":
      return query.parts.every((part) => finds(part, row, about));
    case "any":
      return query.parts.some((part) => finds(part, row, about));
    case "not":
      return !finds(query.part, row, about);
    case "words":
      return query.words.every((word) => row.words.includes(folded(word)));
    case "condition":
      return meets(query.condition, row, about);
  }
}

function meets(condition: RowCondition, queried: QueriedRow, about: AboutRows): boolean {
  const { row, said } = queried;
  switch (condition.ask) {
    case "filter":
      return isShown(row, condition.filter, about);
    case "figure":
      return holdsNumber(condition.test, figureOf(condition.figure, row, about));
    case "outcome":
      return holdsText(condition.test, row.sides[condition.side]?.runs[0]?.outcome ?? notPlanned);
    case "group":
      return condition.groups.some((group) => isInGroup(row, group, about)) !== condition.isNot;
    case "labelled":
      return condition.choices.some((choice) => said.has(choice)) !== condition.isNot;
    case "tag":
      return holdsText(condition.test, row.tags[condition.name] ?? "");
    case "column":
      return holdsText(condition.test, row.columns[condition.name] ?? "");
    case "text":
      return holdsSomewhere(condition.test, queried, () => textsOf(row, condition.text, condition.side));
  }
}

function isInGroup(row: ReportRow, group: RowGroup, { frame, pair }: AboutRows): boolean {
  const conversation = conversationOf(group);
  // A turn may have the name of its conversation as its key.
  if (conversation !== null) return (row.cluster ?? row.key) === conversation;
  const { ofAnswers, ofChange } = frameGroups(frame);
  return [...ofAnswers(row), ...ofChange(row, pair)].some((each) => groupName(each) === groupName(group));
}

/**
 * A row has several texts of a kind, one for each try: it is found where one of them is as wanted, and with `!=` and `!~` where
 * none is otherwise. To look for a piece of them, texts are folded only where the row has the words at all, which few have.
 */
function holdsSomewhere({ operator, values }: TextTest, { words }: QueriedRow, texts: () => string[]): boolean {
  const isNot = operator === "!=" || operator === "!~";
  const plain: TextTest = { operator: operator === "!=" ? "=" : operator === "!~" ? "~" : operator, values };
  const mayHold = plain.operator === "=" || values.some((value) => words.includes(value));
  const isFound = mayHold && texts().some((text) => holdsText(plain, text));
  return isFound !== isNot;
}

function textsOf(row: ReportRow, text: RowText, side: number | null): string[] {
  if (text === "key") return [row.key];
  if (text === "conversation") return [row.cluster ?? ""];
  if (text === "expected") return [row.expected ?? ""];
  if (text === "question") return row.input.map((field) => field.text);
  const sides = side === null ? row.sides : row.sides.slice(side, side + 1);
  return sides.flatMap(({ runs }) => runs.map((run) => run[text] ?? ""));
}

/** A number of a row; null where it is not known. */
function figureOf(figure: RowFigure, row: ReportRow, about: AboutRows): number | null {
  if (figure.of === "row" || figure.of === "turn") return row[figure.of];
  if (figure.of === "distance") return row.changes[about.pair]?.distance ?? null;
  if (figure.of === "score") return row.sides[figure.side]?.scores[figure.metric]?.value ?? null;
  if (figure.of !== "change") return runFigure(row.sides[figure.side]?.runs[0], figure.of);
  const sides = sidesOfPair(about.frame, about.pair);
  if (sides === null) return null;
  const { figure: of } = figure;
  const [before, now] = [sides.baseline, sides.candidate].map((side) =>
    figureOf(typeof of === "string" ? { of, side } : { of: "score", side, metric: of.metric }, row, about),
  );
  return minus(now ?? null, before ?? null);
}

/** The words by which queries ask for labels, for those of a row. */
export function saidOf(labels: readonly { scorer: string; label: string; note: string | null }[]): Set<LabelChoice> {
  const said = new Set<LabelChoice>();
  for (const { scorer, label, note } of labels) {
    said.add("yes");
    if (scorer === "" && (label === "good" || label === "bad")) said.add(label);
    if (note !== null && note !== "") said.add("comment");
  }
  if (said.size === 0) said.add("no");
  return said;
}
