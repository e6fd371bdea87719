import { orderColumn } from "../dataset/column.ts";
import type { Column, Sheet } from "./sheet.ts";

/** Which column is what; names as they are in the file. */
export interface Roles {
  question: string;
  /** null: there is none. */
  answer: string | null;
  key: string | null;
  /** A conversation, with its turns. */
  cluster: string | null;
  turn: string | null;
  tags: string[];
}

const questionNames = [
  "input_prompt",
  "question",
  "prompt",
  "user message",
  "message",
  "query",
  "input",
  "utterance",
  "text",
];
const answerNames = [
  "golden_answer",
  "expected",
  "expected_answer",
  "answer",
  "ideal_answer",
  "reference",
  "assistant message",
  "reply",
  "response",
  "output",
];
const keyNames = ["id", "key", "case", "case_id", "question_id", "number", "no", "#"];
const clusterNames = [
  "conversation_id",
  "conversation",
  "talk",
  "thread",
  "thread_id",
  "session",
  "session_id",
  "dialogue",
];
const turnNames = ["turn", "turn_id", "step", "position"];

const mostTags = 4;
const longestTag = 40;

/** Guesses by the names of columns first, then by what is in them. Null when no column can be the question. */
export function guessRoles(sheet: Sheet): Roles | null {
  const taken = new Set<string>();
  const take = (column: Column | undefined): string | null => {
    if (column === undefined) return null;
    taken.add(column.name);
    return column.name;
  };
  const free = (): Column[] => sheet.columns.filter(({ name }) => !taken.has(name));
  const named = (names: readonly string[], fits: (column: Column) => boolean = () => true): Column | undefined =>
    names.flatMap((name) => free().filter((column) => plain(column.name) === plain(name) && fits(column)))[0];

  const key = take(named(keyNames, (column) => column.filled === sheet.rows && column.values.size === sheet.rows));
  const turn = take(named(turnNames, (column) => column.counts && column.filled === sheet.rows));
  const cluster = take(named(clusterNames, (column) => column.filled > 0 && column.values.size < column.filled));
  const question = take(named(questionNames, (column) => column.filled > 0) ?? longest(free()));
  const answer = take(named(answerNames, (column) => column.filled > 0));
  if (question === null) return null;
  const tags = free().filter((column) => isTag(column, sheet.rows));
  return {
    question,
    answer,
    key,
    cluster,
    turn: cluster === null ? null : (turn ?? orderColumn),
    tags: tags.slice(0, mostTags).map(({ name }) => name),
  };
}

/** Names without case, spaces around, and the difference of spaces, dashes and underscores. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");
}

function longest(columns: readonly Column[]): Column | undefined {
  const texts = columns.filter(({ filled, counts }) => filled > 0 && !counts);
  return texts.toSorted((a, b) => b.characters / b.filled - a.characters / a.filled)[0];
}

/** Few short values that come again and again. */
function isTag({ filled, values, longest: length, counts }: Column, rows: number): boolean {
  return (
    !counts &&
    filled > 0 &&
    values.size >= 2 &&
    values.size <= Math.max(2, Math.min(30, rows / 2)) &&
    length <= longestTag
  );
}
