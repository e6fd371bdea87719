import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpoints } from "../../api/endpoints.ts";
import { showText } from "../../lib/show.ts";
import type { CaseMapping, FieldSource } from "../../suite/suite.ts";
import { fileColumn, looseName } from "../table/column.ts";
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
  asked: readonly EndpointName[],
): FullMapping {
  if (mapping.input !== null) {
    const expected = mapping.expected ?? findNamed(header, expectedNames.slice(0, 2));
    return { ...mapping, expected, input: mapping.input, notices: [] };
  }
  const key = mapping.key ?? findNamed(header, ["id"]);
  const expected = mapping.expected ?? expectedIn(header);
  return withInput({ ...mapping, key, expected }, header, asked);
}

function expectedIn(header: readonly string[]): string | null {
  return findNamed(header, expectedNames) ?? findNamed(header, answerNames);
}

function withInput(mapping: CaseMapping, header: readonly string[], asked: readonly EndpointName[]): FullMapping {
  const free = freeColumns(mapping, header);
  const own = ownFields(free, asked);
  const input = new Map<string, string>([...own].map(([column, field]) => [field, column]));
  const notices: string[] = [];
  let { expected } = mapping;
  if (asked.some((name) => lacksPrompt(name, input))) {
    const unknown = free.filter((column) => !own.has(column));
    const found = questionIn({ free, unknown }, expected, isPromptfooSheet(header));
    if (found !== null) {
      input.set("input_prompt", found.question);
      expected = found.answer;
      if (found.guessed) notices.push(guessText(found));
      // The other columns fill the templates of promptfoo.
      if (isPromptfooSheet(header)) addVariables(input, free, [found.question]);
    }
  }
  if (input.size === 0 && asked.some((name) => endpoints[name].takesColumnsAsVariables))
    addVariables(input, free, [...expectedNames, expected ?? ""]);
  return { ...mapping, expected, input: Object.fromEntries(input), notices };
}

function freeColumns(mapping: CaseMapping, header: readonly string[]): string[] {
  const { key, expected, cluster, turn, orderBy, opening, scorers, tags } = mapping;
  const reserved = new Set([key, expected, cluster, turn, orderBy, opening, scorers, ...tags, fileColumn]);
  return header.filter((column) => !reserved.has(column) && !isPromptfooColumn(column));
}

function lacksPrompt(name: EndpointName, input: ReadonlyMap<string, string>): boolean {
  const { prompt } = endpoints[name];
  return prompt !== null && !prompt.fields.some((field) => input.has(field));
}

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
function questionIn(
  { free, unknown }: { free: readonly string[]; unknown: readonly string[] },
  expected: string | null,
  isPromptfoo: boolean,
): Asked | null {
  const named = findNamed(free, questionNames);
  if (named !== null) return { question: named, answer: expected, guessed: false };
  if (looksLikeTitle(free)) return null;
  const worded = findWorded(free, questionNames);
  if (worded !== null) return { question: worded, answer: expected ?? answerBeside(free, worded), guessed: true };
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

/** Columns that are named like a request field, but for case and spaces around, each with the field. */
function ownFields(free: readonly string[], asked: readonly EndpointName[]): Map<string, string> {
  const fields = asked.flatMap((name) => [...endpoints[name].fields.keys()]);
  return new Map(
    free.flatMap((column) => {
      const trimmed = column.trim();
      if (/^variables\../.test(trimmed)) return [[column, trimmed]];
      const field = fields.find((name) => name === looseName(column));
      return field === undefined ? [] : [[column, field]];
    }),
  );
}
