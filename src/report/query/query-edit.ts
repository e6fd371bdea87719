import type { DocRows } from "../shape/doc.ts";
import type { RowGroup } from "../shape/row-group.ts";
import { type Query, queryName, type QueryPart, queryValue, readQuery, type Vocabulary } from "./query-text.ts";
import type { RowCondition } from "./row-conditions.ts";
import { termNames } from "./row-terms.ts";

/** A query that something beside its box changes: the text stays as somebody wrote it wherever nothing was asked of it. */
export interface EditedQuery {
  text: string;
  vocabulary: Vocabulary<RowCondition>;
}

/** The conditions that all rows of a query meet, each with its place; none where the query cannot be read. */
export function conditionsOf({ text, vocabulary }: EditedQuery): { condition: RowCondition; text: string }[] {
  return partsOf({ text, vocabulary }).flatMap(({ query, from, to }) =>
    query.kind === "condition" ? [{ condition: query.condition, text: text.slice(from, to) }] : [],
  );
}

/** The query without conditions that nobody wants any more. */
export function without(given: EditedQuery, isUnwanted: (condition: RowCondition) => boolean): string {
  const parts = partsOf(given);
  const kept = parts.filter(({ query }) => query.kind !== "condition" || !isUnwanted(query.condition));
  if (kept.length === parts.length) return given.text;
  // Behind a word that is searched for, `not` is another one: then the words come last.
  const ordered = [
    ...kept.filter(({ query }) => query.kind !== "words"),
    ...kept.filter(({ query }) => query.kind === "words"),
  ];
  const written = [kept, ordered].map((some) => some.map(({ from, to }) => given.text.slice(from, to)).join(" "));
  const wanted = meaning(ordered);
  return written.find((text) => meaning(partsOf({ ...given, text }).toSorted(wordsLast)) === wanted) ?? "";
}

/** The query with one more condition; where it cannot be read, the condition alone. */
export function withCondition(given: EditedQuery, condition: string): string {
  const before = given.text.trim();
  const parts = partsOf(given);
  if (parts.length === 0) return condition;
  const wanted = meaning([...parts, ...partsOf({ ...given, text: condition })]);
  const written = [`${before} ${condition}`, `(${before}) ${condition}`];
  return written.find((text) => meaning(partsOf({ ...given, text })) === wanted) ?? written[1] ?? condition;
}

const wordsLast = (one: QueryPart<RowCondition>, other: QueryPart<RowCondition>): number =>
  Number(one.query.kind === "words") - Number(other.query.kind === "words");

const meaning = (parts: readonly { query: Query<RowCondition> }[]): string =>
  JSON.stringify(parts.map(({ query }) => query));

function partsOf({ text, vocabulary }: EditedQuery): readonly QueryPart<RowCondition>[] {
  const read = readQuery(text, vocabulary);
  return read.fault === null ? read.parts : [];
}

/** The condition that a tag has one of some values, letter for letter: as many rows as somebody counted. */
export function tagCondition(name: string, values: readonly string[]): string {
  return `${queryName(name, termNames)}==${values.map(queryValue).join(",")}`;
}

/** A condition on the score of a target, such as `score:similar@prod<40`; the primary metric and the candidate need no name. */
export function scoreCondition(
  { metric, target }: { metric: string | null; target: string | null },
  test: string,
): string {
  const named = metric === null ? "" : `:${queryValue(metric)}`;
  return `score${named}${target === null ? "" : `@${queryValue(target)}`}${test}`;
}

/** The condition that a row is of a group. */
export function groupCondition(group: RowGroup): string {
  const [kind, ...about] = group;
  if (kind === "flip" && about[0] === "pass-to-fail") return "newly:failing";
  if (kind === "flip" && about[0] === "fail-to-pass") return "newly:passing";
  if (kind === "conversation") return `conversation==${about.map(queryValue).join(",")}`;
  return `among:${group.map(queryValue).join(",")}`;
}

type Asked = Pick<DocRows, "tags" | "without" | "group" | "text">;

/** The query of the rows that a number or a name is about. */
export function queryOfRows({ tags = [], without: leftOut = [], group = [], text = "" }: Asked): string {
  const conditions = (values: NonNullable<Asked["tags"]>): string[] =>
    values.map(({ tag, value }) => tagCondition(tag, [value]));
  return [
    ...(text === "" ? [] : [text]),
    ...conditions(tags),
    ...leftOut.map((values) => `not (${conditions(values).join(" ")})`),
    ...(group.length === 0 ? [] : [groupCondition(group)]),
  ].join(" ");
}
