import type { Endpoint } from "../../api/api.ts";
import { showText } from "../../lib/show.ts";
import type { CaseMapping, FieldSource } from "../../suite/suite.ts";
import { fileColumn, looseName } from "../table/column.ts";
import { requestFields } from "./field.ts";
import { answerNames, expectedNames, findNamed, findWorded, questionNames } from "../import/names.ts";
import { isPromptfooColumn, isPromptfooSheet } from "../import/promptfoo.ts";

/** A mapping in which nothing is left open, and what a person should know about it. */
export type FullMapping = CaseMapping & { input: Record<string, FieldSource>; notices: string[] };

/**
 * The mapping with what it leaves open taken from the names of columns: columns named like request fields map themselves;
 * without an `input_prompt` a question column is the prompt; functions get every other column as a variable.
 * A sheet of one column needs no name, and one of two in a language that is not known takes them for question and answer. `input` is empty when no column can be sent.
 */
export function withDefaults(
  mapping: CaseMapping,
  header: readonly string[],
  endpoints: readonly Endpoint[],
): FullMapping {
  if (mapping.input !== null) {
    const expected = mapping.expected ?? findNamed(header, expectedNames.slice(0, 2));
    return { ...mapping, expected, input: mapping.input, notices: [] };
  }
  const key = mapping.key ?? findNamed(header, ["id"]);
  const expected = mapping.expected ?? expectedIn(header);
  return withInput({ ...mapping, key, expected }, header, endpoints);
}

function expectedIn(header: readonly string[]): string | null {
  return findNamed(header, expectedNames) ?? findNamed(header, answerNames);
}

function withInput(mapping: CaseMapping, header: readonly string[], endpoints: readonly Endpoint[]): FullMapping {
  const free = freeColumns(mapping, header);
  const input = new Map<string, string>(free.flatMap((column) => ownField(column) ?? []));
  const notices: string[] = [];
  let { expected } = mapping;
  if (endpoints.includes("video-bots") && !isAsking(input)) {
    const asked = questionIn(free, expected, isPromptfooSheet(header));
    if (asked !== null) {
      input.set("input_prompt", asked.question);
      expected = asked.answer;
      if (asked.guessed) notices.push(guessText(asked));
      // The other columns fill the templates of promptfoo.
      if (isPromptfooSheet(header)) addVariables(input, free, [asked.question]);
    }
  }
  if (input.size === 0 && endpoints.includes("functions"))
    addVariables(input, free, [...expectedNames, expected ?? ""]);
  return { ...mapping, expected, input: Object.fromEntries(input), notices };
}

function freeColumns(mapping: CaseMapping, header: readonly string[]): string[] {
  const { key, expected, cluster, turn, orderBy, opening, scorers, tags } = mapping;
  const reserved = new Set([key, expected, cluster, turn, orderBy, opening, scorers, ...tags, fileColumn]);
  return header.filter((column) => !reserved.has(column) && !isPromptfooColumn(column));
}

const isAsking = (input: ReadonlyMap<string, string>): boolean =>
  ["input_prompt", "input_audio", "input_images", "input_documents"].some((field) => input.has(field));

function addVariables(input: Map<string, string>, free: readonly string[], but: readonly string[]): void {
  for (const column of free) {
    const isOther = ![...input.values()].includes(column) && !but.includes(column);
    if (isOther) input.set(`variables.${column}`, column);
  }
}

interface Asked {
  question: string;
  answer: string | null;
  /** The column was found by the number of columns, not by their names. */
  guessed: boolean;
}

/** The column that is asked: by its name, by a word of its name, or because there are no others. */
function questionIn(free: readonly string[], expected: string | null, isPromptfoo: boolean): Asked | null {
  const named = findNamed(free, questionNames);
  if (named !== null) return { question: named, answer: expected, guessed: false };
  if (looksLikeTitle(free)) return null;
  const worded = findWorded(free, questionNames);
  if (worded !== null) return { question: worded, answer: expected ?? answerBeside(free, worded), guessed: true };
  const unknown = free.filter((column) => ownField(column) === null);
  const [first, second, ...others] = unknown;
  if (first === undefined) return null;
  if (isPromptfoo) return { question: first, answer: expected, guessed: second !== undefined };
  if (second === undefined) return { question: first, answer: expected, guessed: true };
  // Words that are known would have been found: these are of a language that is not.
  const isForeign = unknown.every((column) => /[^\0-\u007f]/.test(column));
  if (others.length > 0 || expected !== null || !isForeign) return null;
  return { question: first, answer: second, guessed: true };
}

/** A title above the header names one column and leaves the others without a name. */
export function looksLikeTitle(columns: readonly string[]): boolean {
  const unnamed = columns.filter((column) => /^column \d+$/.test(column)).length;
  return unnamed > 0 && unnamed >= columns.length - unnamed;
}

function answerBeside(free: readonly string[], question: string): string | null {
  const others = free.filter((column) => column !== question);
  return findWorded(others, [...expectedNames, ...answerNames]);
}

function guessText({ question, answer }: Asked): string {
  const hoped = answer === null ? "" : `, and ${showText(answer)} for the answer that is hoped for`;
  return `The column ${showText(question)} is taken for the question${hoped}. If it is not, map it in a suite (case.input), or rename it.`;
}

/** The request field that a column is named like, but for case and spaces around. */
function ownField(column: string): [field: string, column: string][] | null {
  const trimmed = column.trim();
  if (/^variables\../.test(trimmed)) return [[trimmed, column]];
  const field = requestFields.find((name) => name === looseName(column));
  return field === undefined ? null : [[field, column]];
}
