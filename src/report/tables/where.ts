import { AppError } from "../../errors.ts";
import { suggest } from "../../lib/suggest.ts";
import { folded } from "../../text/search-fold.ts";
import { columnHint, namedColumns } from "./named-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import { displayWidth } from "../text/width.ts";
import { type Query, type QueryFault, readQuery, type Vocabulary } from "../query/query-text.ts";
import {
  holdsText,
  type QueryFrame,
  type RowCondition,
  rowVocabulary,
  textTest,
  type TextTest,
} from "../query/row-conditions.ts";
import { termNames } from "../query/row-terms.ts";

/** True when a line of a table is wanted. */
export type Where = (line: readonly Cell[]) => boolean;

/** The rows behind the lines of a table, for what a query asks of a row and not of a cell. */
export interface RowsBehind {
  frame: QueryFrame;
  /** Finds the rows of a query by one of the pairs: true while the line that was made last is of one of them. */
  find: (query: Query<RowCondition>, pair: number) => Promise<() => boolean>;
}

/** A condition of a line: of its cells, or of the row that it is of. */
type LineCondition = { ask: "cell"; places: readonly number[]; test: TextTest } | RowCondition;

/**
 * Reads a query over the lines of a table, such as `outcome=ok`, `worse lang:hi time>2s`, `test.excess > 0.2 and not change = same`
 * or `"My column" ~ refund`. It is the query of the page (`rowTerms`), in which every column of the table is a name too: a
 * name that only columns of sides have (`verdict` of `test.verdict`), or with `*` for any letters, means any of them. Without
 * `rows` there are only columns. Throws USAGE with the place of what it does not understand.
 */
export async function readWhere(
  text: string,
  header: readonly string[],
  rows: RowsBehind | null = null,
): Promise<Where> {
  if (text.trim() === "")
    throw whereFault(text, { at: text.length, message: "a condition is expected, got the end", hint: null });
  const pairs = rows === null ? [0] : rows.frame.pairs.length === 0 ? [0] : rows.frame.pairs.keys();
  const wanted: Where[] = [];
  for (const pair of pairs) {
    const { query, fault } = readQuery<LineCondition>(text, lineVocabulary(header, rows, pair));
    if (fault !== null) throw whereFault(text, fault);
    wanted.push(await whereOf(query, rows === null ? null : (asked) => rows.find(asked, pair)));
  }
  // Each of several candidates has its own question.
  return (line) => wanted.some((wants) => wants(line));
}

/** Parts that ask of no cell are answered by `find` at once, before the first line; the others by each line. */
async function whereOf(
  query: Query<LineCondition>,
  find: ((query: Query<RowCondition>) => Promise<() => boolean>) | null,
): Promise<Where> {
  const ofRows = find === null ? null : withoutCells(query);
  if (find !== null && ofRows !== null) return find(ofRows);
  switch (query.kind) {
    case "all":
    case "any": {
      const parts: Where[] = [];
      for (const part of query.parts) parts.push(await whereOf(part, find));
      return query.kind === "all"
        ? (line) => parts.every((wants) => wants(line))
        : (line) => parts.some((wants) => wants(line));
    }
    case "not": {
      const wants = await whereOf(query.part, find);
      return (line) => !wants(line);
    }
    case "words": {
      const words = query.words.map(folded);
      return (line) => {
        const said = folded(line.map(textOf).join("\n"));
        return words.every((word) => said.includes(word));
      };
    }
    case "condition": {
      const { condition } = query;
      if (condition.ask !== "cell") throw new Error("a table without rows was asked about one");
      const { places, test } = condition;
      return (line) => places.some((place) => holdsText(test, textOf(line[place] ?? null)));
    }
  }
}

/** The query where it asks of no cell; null: it does. */
function withoutCells(query: Query<LineCondition>): Query<RowCondition> | null {
  switch (query.kind) {
    case "all":
    case "any": {
      const parts = query.parts.flatMap((part) => withoutCells(part) ?? []);
      return parts.length === query.parts.length ? { kind: query.kind, parts } : null;
    }
    case "not": {
      const part = withoutCells(query.part);
      return part === null ? null : { kind: "not", part };
    }
    case "words":
      return query;
    case "condition":
      return query.condition.ask === "cell" ? null : { kind: "condition", condition: query.condition };
  }
}

function lineVocabulary(header: readonly string[], rows: RowsBehind | null, pair: number): Vocabulary<LineCondition> {
  const ofRow = rows === null ? null : rowVocabulary(rows.frame, pair);
  return {
    flag: (word) => {
      if (!header.includes(word)) return ofRow?.flag(word) ?? null;
      const refused = `\`${word}\` is a column, and nothing is asked of it`;
      return { refused, hint: `For example: ${word} = x. To search for the text, put it in quotes.` };
    },
    condition: (named, asked) => {
      const isColumn = named.of === null && named.target === null;
      const places = isColumn ? namedColumns(named.name, header) : [];
      const isTag = rows?.frame.tags.includes(named.name) === true;
      if (places.length > 0) {
        const operator = isTag && asked.operator === ":" ? "=" : asked.operator;
        return { ask: "cell", places, test: textTest(operator, asked.values) };
      }
      if (ofRow !== null && (termNames.includes(named.name) || isTag)) return ofRow.condition(named, asked);
      const near = suggest(named.name, [...header, ...(ofRow === null ? [] : termNames)]);
      const also = ofRow === null ? "" : `; and the words of a query: ${termNames.join(", ")}`;
      return {
        refused: "there is no such column",
        hint: near === null ? `${columnHint(named.name, header)}${also}` : `Did you mean "${near}"?`,
      };
    },
  };
}

function textOf(cell: Cell): string {
  return cell === null ? "" : String(cell);
}

/** A fault of a filter, with the filter and a mark under the place where it is. */
function whereFault(text: string, { at, message, hint }: QueryFault): AppError {
  // One line, with each tab and line break one place wide, so that the mark is where it should be.
  const line = shownPart(text, at);
  const place = Array.from(text.slice(0, at)).length;
  const about = `--where, character ${place + 1}: ${message}.`;
  return new AppError(
    "USAGE",
    `${about}\n  ${line.text}\n  ${" ".repeat(displayWidth(line.text.slice(0, line.at)))}^`,
    {
      hint:
        hint ??
        "For example: --where 'outcome = answered and latency_ms > 2000'; what has spaces or signs goes in quotes.",
    },
  );
}

/** Characters around a fault that are shown of a very long filter. */
const shownAround = 200;

function shownPart(text: string, at: number): { text: string; at: number } {
  const from = at > shownAround ? at - shownAround : 0;
  const part = text.slice(from, at + shownAround).replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
  return { text: part, at: at - from };
}
