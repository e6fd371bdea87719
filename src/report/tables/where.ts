import { AppError } from "../../errors.ts";
import { suggest } from "../../lib/suggest.ts";
import type { Cell } from "./spreadsheet.ts";
import { columnHint, namedColumns, type RowsBehind, type TypedColumn } from "./table.ts";
import { displayWidth } from "../text/width.ts";
import {
  type Comparand,
  type ConditionRefusal,
  type Query,
  type QueryFault,
  queryName,
  readQuery,
  type Vocabulary,
} from "../query/query-text.ts";
import {
  choiceTest,
  holdsNumber,
  holdsText,
  numberTest,
  type QueryFrame,
  type RowCondition,
  rowVocabulary,
  textTest,
} from "../query/row-conditions.ts";
import { termNames } from "../query/row-terms.ts";

/** True when a line of a table is wanted. */
export type Where = (line: readonly Cell[]) => boolean;

/** A condition of a line: of its cells, or of the row that it is of. */
type LineCondition = { ask: "cell"; holds: Where } | RowCondition;

/**
 * Reads a query over the lines of a table, such as `worse lang:hi time>2s`, `test.excess > 0.2 and not table.change = same` or
 * `"My column" ~ refund`. It is the query of the page (`rowTerms`), in which a name that means nothing there is a column of the
 * table: one that only columns of sides have (`verdict` of `test.verdict`), or with `*` for any letters, means any of them.
 * Throws USAGE with the place of what it does not understand.
 */
export async function readWhere(text: string, columns: readonly TypedColumn[], rows: RowsBehind): Promise<Where> {
  if (text.trim() === "")
    throw whereFault(text, { at: text.length, message: "a condition is expected, got the end", hint: null });
  const pairs = rows.frame.pairs.length === 0 ? [0] : rows.frame.pairs.keys();
  const wanted: Where[] = [];
  for (const pair of pairs) {
    const { query, fault } = readQuery<LineCondition>(text, lineVocabulary(columns, rows.frame, pair));
    if (fault !== null) throw whereFault(text, fault);
    wanted.push(await whereOf(query, (asked) => rows.find(asked, pair)));
  }
  // Each of several candidates has its own question.
  return (line) => wanted.some((wants) => wants(line));
}

/** Parts that ask of no cell are answered by `find` at once, before the first line; the others by each line. */
async function whereOf(
  query: Query<LineCondition>,
  find: (query: Query<RowCondition>) => Promise<() => boolean>,
): Promise<Where> {
  const ofRows = withoutCells(query);
  if (ofRows !== null) return find(ofRows);
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
    case "condition":
      if (query.condition.ask === "cell") return query.condition.holds;
      break;
    case "words":
      break;
  }
  throw new Error("a part of a query that asks of rows is answered by their index");
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

function lineVocabulary(columns: readonly TypedColumn[], frame: QueryFrame, pair: number): Vocabulary<LineCondition> {
  const ofRow = rowVocabulary(frame, pair);
  const header = columns.map(({ name }) => name);
  return {
    flag(word) {
      const flag = ofRow.flag(word);
      if (flag !== null || !header.includes(word)) return flag;
      const refused = `\`${word}\` is a column, and nothing is asked of it`;
      return { refused, hint: `For example: ${word} = x. To search for the text, put it in quotes.` };
    },
    condition(named, asked) {
      const { name, isQuoted } = named;
      const isTerm = !isQuoted && termNames.includes(name);
      const isOfSheet = frame.tags.includes(name) || frame.columns.includes(name);
      const isCell = columns.some((column) => column.name === name && column.sheet === undefined);
      if (isTerm) {
        const made = ofRow.condition(named, asked);
        if (!("refused" in made) || !isCell) return made;
        return { ...made, hint: `The column of the table is ${ofTable(name)}. ${made.hint ?? ""}`.trimEnd() };
      }
      const moved = isCell ? columns.find(({ sheet }) => sheet === name) : undefined;
      if (moved !== undefined) {
        const refused = `\`${name}\` is a column of the table, and one of the sheet`;
        return { refused, hint: `Write ${ofTable(name)}, or ${queryName(moved.name, [])} for that of the sheet.` };
      }
      if (isOfSheet) return ofRow.condition(named, asked);
      const isBare = named.of === null && named.target === null;
      const places = isBare ? cellsNamed(name, header) : [];
      if (places.length > 0) return anyCell(places.map((place) => cellCondition(columns, place, asked)));
      const near = suggest(name, [...header, ...termNames]);
      return {
        refused: "there is no such column",
        hint:
          near === null
            ? `${columnHint(name, header)}; and the words of a query: ${termNames.join(", ")}`
            : `Did you mean "${near}"?`,
      };
    },
  };
}

/** Places of the cells that differ in kind are asked what each can be asked. */
function anyCell(all: readonly (Where | ConditionRefusal)[]): LineCondition | ConditionRefusal {
  const tests = all.filter((each) => typeof each === "function");
  const [first] = all;
  if (tests.length === 0 && typeof first === "object") return first;
  return { ask: "cell", holds: (line) => tests.some((holds) => holds(line)) };
}

/** A condition of one cell, by the kind of its values. */
function cellCondition(columns: readonly TypedColumn[], place: number, asked: Comparand): Where | ConditionRefusal {
  const { name = "", type, values } = columns[place] ?? {};
  if (type === "number" || type === "integer") {
    const test = numberTest({ name, example: `${name} > 5` }, { asked, isTime: false });
    if ("refused" in test) return test;
    return (line) => {
      const cell = line[place];
      return holdsNumber(test, typeof cell === "number" ? cell : null);
    };
  }
  const words = type === "boolean" ? ["true", "false"] : values;
  const test = words === undefined ? textTest(asked.operator, asked.values) : choiceTest(name, [...words, ""], asked);
  return "refused" in test ? test : (line) => holdsText(test, textOf(line[place] ?? null));
}

const ofTable = (name: string): string => queryName(`table.${name}`, []);

/** `table.NAME` is a column of the table whatever else has its name. */
function cellsNamed(name: string, header: readonly string[]): number[] {
  const places = namedColumns(name, header);
  return places.length > 0 ? places : namedColumns(name.replace(/^table\./u, ""), header);
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
        "For example: --where 'table.outcome = answered and latency_ms > 2000'; what has spaces or signs goes in quotes.",
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
