import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { placeholder } from "../../lib/liquid-name.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { showText } from "../../lib/show.ts";
import type { CaseMapping, FieldSource } from "../../suite/suite.ts";
import { fileColumn } from "../../lib/file-column.ts";
import { looseName } from "../table/column.ts";
import { answerNames, expectedNames, findNamed, findWorded, questionNames } from "../table/column-names.ts";
import { isLettered } from "../table/lettered-column.ts";
import { askedMember, expectedMember, isMember, parentsIn } from "../table/members.ts";
import { isPromptfooColumn, isPromptfooSheet } from "../import/promptfoo.ts";

/** A mapping in which nothing is left open, and what a person should know about it. */
export type FullMapping = CaseMapping & {
  input: Record<string, FieldSource>;
  notices: string[];
  /** Variables of a prompt that is not in the sheet. */
  withoutPrompt: string[];
};

/**
 * The mapping with what it leaves open taken from the names of columns: columns named like request fields map themselves;
 * without an `input_prompt` a question column is the prompt; functions get every other column as a variable.
 * A sheet of one column needs no name, and one of two in a language that is not known takes them for question and answer. `input` is empty when no column can be sent.
 */
export function withDefaults(
  mapping: CaseMapping,
  header: readonly string[],
  asked: readonly EndpointName[],
  /** Every target asks something itself, so that no column needs to be the question. */
  asksItself = false,
): FullMapping {
  if (mapping.input !== null) {
    const named = mapping.expected ?? findNamed(header, expectedNames.slice(0, 2));
    const isScript = mapping.turns !== undefined && header.includes(scriptColumns.answer);
    const expected = named ?? (isScript ? scriptColumns.answer : null);
    const opening = mapping.opening ?? (isScript ? scriptColumns.opening : null);
    return { ...mapping, expected, opening, input: mapping.input, notices: [], withoutPrompt: [] };
  }
  const key = mapping.key ?? findNamed(header, ["id"]);
  // The expectations of a promptfoo sheet stand in columns of their own; an answer beside them is a variable.
  const isVariable = header.some((column) => /^__expected\d*$/.test(column.trim()));
  const expected = mapping.expected ?? (isVariable ? null : expectedIn(header));
  return withInput({ ...mapping, key, expected }, header, { asked, asksItself });
}

/** The mapping of a sheet whose columns fill a prompt that was given beside it. */
export function withPrompt(prompt: Record<string, FieldSource>, header: readonly string[]): CaseMapping {
  return {
    key: findNamed(header, ["id"]),
    input: prompt,
    // The expectations of a promptfoo sheet stand in columns of their own.
    expected: isPromptfooSheet(header) ? null : expectedIn(header),
    cluster: null,
    turn: null,
    opening: null,
    tags: [],
  };
}

/** Refuses a sheet whose columns are variables: none of them is what should be sent. */
export function promptNeeded(columns: readonly string[], file: string): AppError {
  const names = columns.map((column) => showText(column)).join(", ");
  const example = `${columns.map((column) => `... ${placeholder(column)}`).join(" ")} ...`;
  return new AppError(
    "PROMPT_NEEDED",
    `${file} is a promptfoo sheet: its columns ${names} are variables of a prompt, and the prompt is not in the sheet.`,
    {
      hint: `What should be sent? Give the text with --prompt ${shellWord(example)}, or in a file with --prompt-file prompt.txt; in a suite it is case.input.input_prompt. If one column is the whole question, --prompt ${shellWord(placeholder(columns[0] ?? "column"))} says so.`,
    },
  );
}

function expectedIn(header: readonly string[]): string | null {
  const member = expectedMember({ header, names: [...expectedNames, ...answerNames, "text", "content"] });
  return member ?? findNamed(header, expectedNames) ?? findNamed(header, answerNames);
}

function withInput(
  mapping: CaseMapping,
  header: readonly string[],
  { asked, asksItself }: { asked: readonly EndpointName[]; asksItself: boolean },
): FullMapping {
  const free = freeColumns(mapping, header);
  const own = ownFields(free, asked);
  const input = new Map<string, string>([...own].map(([column, field]) => [field, column]));
  const notices: string[] = [];
  const isPromptfoo = isPromptfooSheet(header);
  let withoutPrompt: string[] = [];
  let { expected } = mapping;
  if (asked.some((name) => lacksPrompt(name, input))) {
    const unknown = plain(free).filter((column) => !own.has(column));
    const found = isPromptfoo ? variableAsked(free, unknown) : questionIn({ free, unknown }, expected);
    if (found === null && asksItself) addVariables(input, free, [...expectedNames, expected ?? ""]);
    if (found !== null) {
      input.set("input_prompt", found.question);
      expected = found.answer ?? expected;
      if (found.guessed) notices.push(guessText(found, isPromptfoo));
      // The other columns fill the templates of promptfoo.
      if (isPromptfoo) addVariables(input, free, [found.question]);
    } else if (isPromptfoo && !asksItself) withoutPrompt = unknown;
  } else if (!input.has("input_prompt") && input.size > 0 && [...input.keys()].every((field) => shown.has(field))) {
    // Beside columns of images, a question is what is asked about them.
    const question = findNamed(plain(free), questionNames);
    if (question !== null) input.set("input_prompt", question);
  }
  if (input.size === 0 && asked.some((name) => endpointOf(name).takesColumnsAsVariables))
    addVariables(input, free, [...expectedNames, expected ?? ""]);
  return { ...mapping, expected, input: Object.fromEntries(input), notices, withoutPrompt };
}

/** Fields that are shown with a question. */
const shown: ReadonlySet<string> = new Set(["input_images", "input_audio", "input_documents"]);

function freeColumns(mapping: CaseMapping, header: readonly string[]): string[] {
  const { key, expected, cluster, turn, orderBy, opening, scorers, tags } = mapping;
  const reserved = new Set([key, expected, cluster, turn, orderBy, opening, scorers, ...tags, fileColumn]);
  return header.filter((column) => !reserved.has(column) && !isPromptfooColumn(column));
}

/** Columns without the members of objects, and without objects whose members have columns. */
function plain(columns: readonly string[]): string[] {
  const objects = parentsIn(columns);
  return columns.filter((name) => !isMember(name) && !objects.has(name));
}

function lacksPrompt(name: EndpointName, input: ReadonlyMap<string, string>): boolean {
  const { prompt } = endpointOf(name);
  return prompt !== null && !prompt.fields.some((field) => input.has(field));
}

function addVariables(input: Map<string, string>, free: readonly string[], but: readonly string[]): void {
  for (const column of free) {
    // The object that it is a member of is sent as it is.
    if (isMember(column)) continue;
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
): Asked | null {
  const named = askedMember({ header: free, names: questionNames }) ?? findNamed(plain(free), questionNames);
  if (named !== null) return { question: named, answer: expected, guessed: false };
  if (looksLikeTitle(free)) return null;
  const worded = findWorded(plain(free), questionNames);
  if (worded !== null) return { question: worded, answer: expected ?? answerBeside(free, worded), guessed: true };
  const [first, second, ...others] = unknown;
  if (first === undefined) return null;
  if (second === undefined) return { question: first, answer: expected, guessed: true };
  // Words that are known would have been found: these are of a language that is not, or of a sheet without a header.
  const isUnnamed = unknown.every((column) => /[^\0-\u007f]/.test(column) || isLettered(column));
  if (others.length > 0 || expected !== null || !isUnnamed) return null;
  return { question: first, answer: second, guessed: true };
}

/** Names that a variable of a template often has: beside other variables such a column is not what is sent. */
const variableNames: ReadonlySet<string> = new Set(["input", "message", "text", "utterance"]);

/** The column of a promptfoo sheet that is the whole prompt: the only one, or one with the name of a question. */
function variableAsked(free: readonly string[], unknown: readonly string[]): Asked | null {
  const named = findNamed(
    free,
    questionNames.filter((name) => unknown.length === 1 || !variableNames.has(name)),
  );
  if (named !== null) return { question: named, answer: null, guessed: false };
  const [only, ...others] = unknown;
  return only === undefined || others.length > 0 ? null : { question: only, answer: null, guessed: true };
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

function guessText({ question, answer }: Asked, isPromptfoo: boolean): string {
  if (isPromptfoo) {
    const prompt = shellWord(`... ${placeholder(question)} ...`);
    return `The column ${showText(question)} is sent as the whole prompt. If it is a variable of a prompt, give the prompt with --prompt ${prompt}.`;
  }
  const hoped = answer === null ? "" : `, and ${showText(answer)} for the expected answer`;
  return `The column ${showText(question)} is taken for the question${hoped}. If it is not, map it in a suite (case.input), or rename it.`;
}

/** Columns that are named like a request field, but for case and spaces around, each with the field. */
function ownFields(free: readonly string[], asked: readonly EndpointName[]): Map<string, string> {
  const fields = asked.flatMap((name) => [...endpointOf(name).fields.keys()]);
  return new Map(
    free.flatMap((column) => {
      const trimmed = column.trim();
      if (/^variables\../.test(trimmed)) return [[column, trimmed]];
      const field = fields.find((name) => name === looseName(column));
      return field === undefined ? [] : [[column, field]];
    }),
  );
}
