import type { Endpoint } from "../api.ts";
import type { CaseMapping, FieldSource } from "../suite/suite.ts";
import { chatExport } from "./chat-export.ts";
import { fileColumn, looseName } from "./column.ts";
import { requestFields } from "./field.ts";
import { isPromptfooColumn, isPromptfooSheet } from "./promptfoo.ts";

const questionNames = ["question", "prompt", "input", "query"];
const expectedNames = ["expected", "golden_answer"];
const answerNames = ["answer"];

/** A mapping in which nothing is left open, and what a person should know about it. */
export type FullMapping = CaseMapping & { input: Record<string, FieldSource>; notices: string[] };

/**
 * The mapping with what it leaves open taken from the names of columns: columns named like request fields map themselves;
 * without an `input_prompt` a question column is the prompt; functions get every other column as a variable.
 * An export of chats becomes conversations. `input` is empty when no column can be sent.
 */
export function withDefaults(
  mapping: CaseMapping,
  header: readonly string[],
  endpoints: readonly Endpoint[],
): FullMapping {
  const unmapped = mapping.input === null;
  const chats = unmapped && endpoints.includes("video-bots") ? chatExport(mapping, header) : null;
  if (chats !== null) return chats;
  const key = mapping.key ?? (unmapped ? findNamed(header, ["id"]) : null);
  const expected = mapping.expected ?? findNamed(header, unmapped ? [...expectedNames, ...answerNames] : expectedNames);
  const named = { ...mapping, key, expected };
  return { ...named, input: mapping.input ?? defaultInput(named, header, endpoints), notices: [] };
}

function defaultInput(
  mapping: CaseMapping,
  header: readonly string[],
  endpoints: readonly Endpoint[],
): Record<string, string> {
  const reserved = new Set([
    mapping.key,
    mapping.expected,
    mapping.cluster,
    mapping.turn,
    mapping.opening,
    ...mapping.tags,
    fileColumn,
  ]);
  const free = header.filter((column) => !reserved.has(column) && !isPromptfooColumn(column));
  const input = new Map(free.flatMap((column) => ownField(column) ?? []));
  if (endpoints.includes("video-bots") && !input.has("input_prompt")) {
    const [first, ...others] = free;
    const alone = isPromptfooSheet(header) && others.length === 0 ? first : null;
    const question = findNamed(free, questionNames) ?? alone ?? null;
    if (question !== null) input.set("input_prompt", question);
  }
  if (input.size === 0 && endpoints.includes("functions")) {
    for (const column of free) {
      if (!expectedNames.includes(column)) input.set(`variables.${column}`, column);
    }
  }
  return Object.fromEntries(input);
}

/** The request field that a column is named like, but for case and spaces around. */
function ownField(column: string): [field: string, column: string][] | null {
  const trimmed = column.trim();
  if (/^variables\../.test(trimmed)) return [[trimmed, column]];
  const field = requestFields.find((name) => name === looseName(column));
  return field === undefined ? null : [[field, column]];
}

/** The column of the first of some names: spelled exactly so, or else so but for case and surrounding spaces. */
function findNamed(header: readonly string[], names: readonly string[]): string | null {
  const same = names.find((name) => header.includes(name));
  if (same !== undefined) return same;
  for (const name of names) {
    const found = header.find((column) => looseName(column) === name);
    if (found !== undefined) return found;
  }
  return null;
}
