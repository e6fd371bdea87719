import { folded } from "../../text/search-fold.ts";
import { minus, runFigure } from "../model/run-figures.ts";
import { isShown, type RowFilter } from "../model/row-filters.ts";
import { isInGroup } from "../model/row-groups.ts";
import type { RowFigures } from "../shape/row-head.ts";
import type { ReportFrame } from "../shape/reporter.ts";
import type { ReportRow } from "../shape/row.ts";
import type { Query } from "./query-text.ts";
import { holdsNumber, holdsText, type RowCondition, type RowFigure, type TextTest } from "./row-conditions.ts";
import type { LabelChoice, RowText } from "./row-terms.ts";

/** A row as queries look at it. */
export interface QueriedRow {
  row: ReportRow;
  figures: RowFigures;
  /** All that a search looks at, folded. */
  words: () => string;
  /** Words for the labels of its answers. */
  said: () => ReadonlySet<LabelChoice>;
}

/** Facts beside the row that a query needs: the pair that is shown, and the time from which an answer is slow. */
export interface AboutRows {
  pair: number;
  /** Places of the sides of that pair, where something is compared. */
  sides: { baseline: number; candidate: number } | null;
  frame: ReportFrame;
  slowFrom: number;
}

/** True for a row that a query finds. */
export function finds(query: Query<RowCondition>, row: QueriedRow, about: AboutRows): boolean {
  return holds(query, { words: row.words, meets: (condition) => meets(condition, row, about) });
}

/** True where a query holds of something: `words` are all that is said in it, folded. */
export function holds<Condition>(
  query: Query<Condition>,
  of: { words: () => string; meets: (condition: Condition) => boolean },
): boolean {
  switch (query.kind) {
    case "all":
      return query.parts.every((part) => holds(part, of));
    case "any":
      return query.parts.some((part) => holds(part, of));
    case "not":
      return !holds(query.part, of);
    case "words":
      return query.words.every((word) => of.words().includes(folded(word)));
    case "condition":
      return of.meets(query.condition);
  }
}

export function meets(condition: RowCondition, row: QueriedRow, about: AboutRows): boolean {
  switch (condition.ask) {
    case "filter":
      return isShown(row.figures, condition.filter, about);
    case "figure":
      return holdsNumber(condition.test, figureOf(condition.figure, row.row, about));
    case "outcome":
      return holdsText(condition.test, row.figures.sides[condition.side]?.outcome ?? "");
    case "group":
      return condition.groups.some((group) => isInGroup(row.row, group, about)) !== condition.isNot;
    case "labelled":
      return condition.choices.some((choice) => row.said().has(choice)) !== condition.isNot;
    case "tag":
      return holdsText(condition.test, row.row.tags[condition.name] ?? "");
    case "column":
      return holdsText(condition.test, row.row.columns[condition.name] ?? "");
    case "text":
      return holdsSomewhere(condition.test, row, () => textsOf(row.row, condition.text, condition.side));
  }
}

/**
 * A row has several texts of a kind, one for each try: it is found where one of them is as wanted, and with `!=` and `!~` where
 * none is otherwise. To look for a piece of them, texts are folded only where the row has the words at all, which few have.
 */
function holdsSomewhere({ operator, values }: TextTest, row: QueriedRow, texts: () => string[]): boolean {
  const isNot = operator === "!=" || operator === "!~";
  const plain: TextTest = { operator: operator === "!=" ? "=" : operator === "!~" ? "~" : operator, values };
  const mayHold = plain.operator === "=" || values.some((value) => row.words().includes(value));
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
function figureOf(
  figure: RowFigure,
  row: ReportRow,
  { pair, sides }: Pick<AboutRows, "pair" | "sides">,
): number | null {
  if (figure.of === "row" || figure.of === "turn") return row[figure.of];
  if (figure.of === "distance") return row.changes[pair]?.distance ?? null;
  if (figure.of === "score") return row.sides[figure.side]?.scores[figure.metric]?.value ?? null;
  if (figure.of !== "change") return runFigure(row.sides[figure.side]?.runs[0], figure.of);
  if (sides === null) return null;
  const { figure: of } = figure;
  const [before, now] = [sides.baseline, sides.candidate].map((side) =>
    figureOf(typeof of === "string" ? { of, side } : { of: "score", side, metric: of.metric }, row, { pair, sides }),
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

/** The sides of the pair that is shown, by their places; null: nothing is compared. */
export function sidesOfPair(
  { targets, pairs }: Pick<ReportFrame, "targets" | "pairs">,
  pair: number,
): AboutRows["sides"] {
  const compared = pairs[pair];
  if (compared === undefined) return null;
  return { baseline: targets.indexOf(compared.baseline), candidate: targets.indexOf(compared.candidate) };
}

/**
 * The filters that all rows of a query meet, apart from its other conditions: beside a filter stands the number of rows that
 * it would find within those.
 */
export function filtersApart(query: Query<RowCondition>): { filters: RowFilter[]; rest: Query<RowCondition> } {
  const parts = query.kind === "all" ? query.parts : [query];
  return {
    filters: parts.flatMap((part) => filterOf(part) ?? []),
    rest: { kind: "all", parts: parts.filter((part) => filterOf(part) === null) },
  };
}

const filterOf = (part: Query<RowCondition>): RowFilter | null =>
  part.kind === "condition" && part.condition.ask === "filter" ? part.condition.filter : null;
