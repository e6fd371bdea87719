import { isGroupName, mayBeGroups } from "../lib/group-columns.ts";
import { scriptColumns } from "../lib/script-columns.ts";
import type { ChatExport } from "../dataset/import/chat-export.ts";
import { orderColumn } from "../dataset/table/column.ts";
import {
  answerNames,
  expectedNames,
  findNamed,
  findWorded,
  isNameOf,
  keyNames,
  questionNames,
} from "../dataset/table/column-names.ts";
import { defaultEndpoint } from "../api/endpoint-name.ts";
import { looksLikeTitle, withDefaults, withPrompt } from "../dataset/cases/default-mapping.ts";
import { promptFields } from "../dataset/cases/prompt.ts";
import { isLettered } from "../dataset/table/lettered-column.ts";
import { askedMember, expectedMember, parentsIn } from "../dataset/table/members.ts";
import { isPromptfooColumn } from "../dataset/import/promptfoo.ts";
import type { CaseMapping, FieldSource, StoredColumns } from "../suite/suite.ts";
import type { MediaColumn } from "./media-columns.ts";
import { anyMapping, type Column, type Sheet } from "./sheet.ts";

/**
 * The way in which a column was found: by a name for nothing else, by one that others have too (an `answer` may be what a bot gave), by
 * a word of its name, by what is in it, or because a person said so.
 */
export type FoundBy = "name" | "likely-name" | "word" | "content" | "person";

/** The column for each role; names as they are in the file. */
export interface Roles {
  question: string;
  /** The ways in which question and answer were found; anything but `name` and `person` is a guess. */
  foundBy: { question: FoundBy; answer: FoundBy | null };
  /** Request fields of a prompt that was given, with places for columns; null: the question is sent. */
  prompt: Record<string, FieldSource> | null;
  /** The columns of conversations that are lists or rows of messages; null: a row is a turn or a question. */
  talks: Pick<CaseMapping, "turns" | "messages"> | null;
  /** null: there is none. */
  answer: string | null;
  key: string | null;
  /** A conversation, with its turns. */
  cluster: string | null;
  turn: string | null;
  /** The times by which rows are turns; null: as they stand. */
  orderBy: string | null;
  /** Answers that were given before, in an export of chats. */
  stored: StoredColumns | null;
  /** A column by whose name rows of one value were drawn together: it is proposed as cluster, and is no tag. */
  drawn?: string;
  tags: string[];
  /** Columns of files that are sent with the question. */
  files?: MediaColumn[];
}

const hopedFor = [...expectedNames, ...answerNames, "assistant message"];
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

/**
 * Guesses by the names of columns first, then by what is in them; columns of `files` are no question. Null when no column
 * can be the question.
 */
export function guessRoles(sheet: Sheet, chat: ChatExport | null, files: MediaColumn[] = []): Roles | null {
  const { input_prompt: question } = chat?.mapping.input ?? {};
  if (chat !== null && typeof question === "string") return chatRoles(sheet, chat, question);
  const isFile = (name: string): boolean => files.some(({ column }) => column === name);
  const roles = guessSheet({ ...sheet, columns: sheet.columns.filter(({ name }) => !isFile(name)) });
  if (roles === null) return guessSheet(sheet);
  return files.length === 0 ? roles : { ...roles, files };
}

function chatRoles(sheet: Sheet, { mapping, row, stored }: ChatExport, question: string): Roles {
  const { key, turn, turns, messages, orderBy = null } = mapping;
  const cluster = mapping.cluster === scriptColumns.conversation ? null : mapping.cluster;
  // The answers in a list of messages are those that a bot should give; in an export they are what one gave.
  const answer = mapping.expected ?? (row === "conversation" ? scriptColumns.answer : null);
  const talks =
    row === "turn" ? null : { ...(turns !== undefined && { turns }), ...(messages !== undefined && { messages }) };
  const own = [...Object.values(scriptColumns), ...Object.values(messages ?? {}), ...Object.values(stored ?? {})];
  const taken = new Set<unknown>([question, answer, key, cluster, turns, ...own]);
  const tags = tagsOf(sheet, (name) => !taken.has(name));
  return {
    question,
    foundBy: byName({ answer }),
    prompt: null,
    talks,
    answer,
    key,
    cluster,
    turn,
    orderBy,
    stored,
    tags,
  };
}

/** The variables of a promptfoo sheet whose prompt is not in it; empty when something in it can be sent. */
export function variablesWithoutPrompt(sheet: Sheet): string[] {
  const names = sheet.columns.map(({ name }) => name);
  return withDefaults({ ...anyMapping, input: null }, names, [defaultEndpoint]).withoutPrompt;
}

/** The roles of a sheet whose columns fill a prompt. */
export function rolesForPrompt(sheet: Sheet, prompt: string): Roles {
  const names = sheet.columns.map(({ name }) => name);
  const { key, expected, input } = withPrompt(promptFields(prompt), names);
  const taken = new Set([key, expected]);
  const isFree = (name: string): boolean => !taken.has(name) && !isPromptfooColumn(name);
  const drawn = drawnOf(sheet, isFree);
  const tags = tagsOf(sheet, (name) => name !== drawn && isFree(name));
  const question = names.find((name) => !taken.has(name) && !isPromptfooColumn(name)) ?? "";
  const plain = { talks: null, cluster: null, turn: null, orderBy: null, stored: null };
  return {
    question,
    foundBy: byName({ answer: expected }),
    prompt: input,
    answer: expected,
    key,
    ...plain,
    ...(drawn !== null && { drawn }),
    tags,
  };
}

/** Columns that their names tell. */
const byName = ({ answer }: Pick<Roles, "answer">): Roles["foundBy"] => ({
  question: "name",
  answer: answer === null ? null : isExpectedName(answer) ? "name" : "likely-name",
});

const isExpectedName = (column: string): boolean =>
  column === scriptColumns.answer || findNamed([column], expectedNames) !== null;

function guessSheet(sheet: Sheet): Roles | null {
  const taken = new Set<string>();
  const take = (column: Column | undefined): string | null => {
    if (column === undefined) return null;
    taken.add(column.name);
    return column.name;
  };
  const all = sheet.columns.map(({ name }) => name);
  const objects = parentsIn(all);
  const isFree = (name: string): boolean => !taken.has(name) && !isPromptfooColumn(name) && !objects.has(name);
  const free = (): Column[] => sheet.columns.filter(({ name }) => isFree(name));
  const named = (names: readonly string[], fits: (column: Column) => boolean = () => true): Column | undefined =>
    names.flatMap((name) => free().filter((column) => isNameOf(column.name, name) && fits(column)))[0];
  const worded = (names: readonly string[]): Column | undefined => {
    const found = findWorded(
      free()
        .filter(isFilled)
        .map(({ name }) => name),
      names,
    );
    return free().find(({ name }) => name === found);
  };

  const isUnique = ({ filled, values }: Column): boolean => filled === sheet.rows && values.size === sheet.rows;
  const [first] = sheet.columns;
  const isNumbered = first !== undefined && hasNoHeader(sheet) && first.counts && isUnique(first);
  const key = take(isNumbered && sheet.columns.length > 1 ? first : named(keyNames, isUnique));
  const turn = take(named(turnNames, (column) => column.counts && column.filled === sheet.rows));
  const cluster = take(named(clusterNames, (column) => column.filled > 0 && column.values.size < column.filled));
  const asked = ["input_prompt", ...questionNames];
  const column = (name: string | null): Column | undefined => sheet.columns.find((each) => each.name === name);
  const question = firstFound([
    ["name", () => column(askedMember({ header: all, names: questionNames })) ?? named(asked, isFilled)],
    ["word", () => (hasTitle(sheet) ? undefined : worded(asked))],
    ["content", () => (hasTitle(sheet) ? undefined : mostAsked(free()))],
  ]);
  take(question?.column);
  const answer = firstFound([
    ["name", () => column(expectedMember({ header: all, names: [...hopedFor, "text", "content"] }))],
    ["name", () => named(expectedNames, isFilled)],
    ["likely-name", () => named(hopedFor, isFilled)],
    // An expected object may be the answer itself.
    ["name", () => column(findNamed(all, expectedNames))],
    ["word", () => worded(hopedFor)],
    ["content", () => onlyOther(sheet, free())],
  ]);
  take(answer?.column);
  if (question === null) return null;
  const drawn = cluster === null ? drawnOf(sheet, isFree) : null;
  return {
    question: question.column.name,
    foundBy: { question: question.by, answer: answer?.by ?? null },
    prompt: null,
    talks: null,
    answer: answer?.column.name ?? null,
    key,
    cluster,
    turn: cluster === null ? null : (turn ?? orderColumn),
    orderBy: null,
    stored: null,
    ...(drawn !== null && { drawn }),
    tags: tagsOf(sheet, (name) => name !== drawn && isFree(name)),
  };
}

/** True for a sheet whose first row is a case. */
export const hasNoHeader = ({ columns }: Pick<Sheet, "columns">): boolean =>
  columns.length > 0 && columns.every(({ name }) => isLettered(name));

/** True where the first line is a title: the header below it stands among the prompts. */
export function hasTitle({ columns }: Sheet): boolean {
  return looksLikeTitle(columns.filter(isFilled).map(({ name }) => name));
}

const isFilled = ({ filled }: Column): boolean => filled > 0;

function tagsOf(sheet: Sheet, isFree: (name: string) => boolean): string[] {
  const tags = sheet.columns.filter((column) => isFree(column.name) && isTag(column, sheet.rows));
  return tags.slice(0, mostTags).map(({ name }) => name);
}

/** The first column whose name says that its rows were drawn together, such as those of one article, and whose values say so too. */
function drawnOf({ columns, rows }: Sheet, isFree: (name: string) => boolean): string | null {
  const found = columns.find(({ name, filled, values }) => {
    if (!isFree(name) || !isGroupName(name)) return false;
    const largest = Array.from(values.values()).reduce((most, count) => Math.max(most, count), 0);
    return mayBeGroups({ rows, filled, values: values.size, largest, isNamed: true });
  });
  return found?.name ?? null;
}

/** The first way by which a column is found. */
function firstFound(
  ways: readonly (readonly [FoundBy, () => Column | undefined])[],
): { by: FoundBy; column: Column } | null {
  for (const [by, find] of ways) {
    const column = find();
    if (column !== undefined) return { by, column };
  }
  return null;
}

const looked = 1_000;
const questionEnd = /[?？؟⁇]\s*["'»”’)]*$/u;

/** The share of questions among the first values, in tenths: a few more or less decide nothing. */
function questions({ values }: Column): number {
  const some = [...values.keys()].slice(0, looked);
  return Math.round((10 * some.filter((text) => questionEnd.test(text)).length) / some.length);
}

/** The column with the most questions, or else with the longest texts. */
function mostAsked(columns: readonly Column[]): Column | undefined {
  const texts = columns.filter(({ filled, counts }) => filled > 0 && !counts);
  return texts.toSorted((a, b) => questions(b) - questions(a) || b.characters / b.filled - a.characters / a.filled)[0];
}

/** In a sheet without a header: the only column of texts beside the question that is not the same few values again. */
function onlyOther(sheet: Sheet, free: readonly Column[]): Column | undefined {
  if (!hasNoHeader(sheet)) return undefined;
  const [only, ...others] = free.filter(
    (column) => isFilled(column) && (!isTag(column, sheet.rows) || free.length === 1),
  );
  return others.length === 0 ? only : undefined;
}

/** Few short values that come again and again. */
function isTag({ filled, values, longest: length, counts }: Column, rows: number): boolean {
  return (
    !counts &&
    filled > 0 &&
    values.size >= 2 &&
    values.size <= Math.max(2, Math.min(100, rows / 2)) &&
    length <= longestTag
  );
}
