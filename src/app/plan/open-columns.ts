import { requestFields } from "../../api/request-fields.ts";
import type { OpenColumns } from "../../compare/tallies/group-columns.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { CaseMapping, FieldSource, Suite } from "../../suite/suite.ts";

/** The columns that a suite uses for nothing, which may say what rows belong together. */
export function openColumnsOf({
  mapping,
  targets,
  scorers,
}: Pick<Suite, "mapping" | "targets" | "scorers">): OpenColumns {
  const stored = targets.flatMap((target) => Object.values(target.stored ?? {}));
  const named = [...mappedTexts(mapping), ...stored, ...optionTexts(scorers.map(({ options }) => options))].filter(
    (text): text is string => typeof text === "string",
  );
  const exact = new Set([...named, ...answerColumns]);
  const templates = named.filter(isTemplate);
  return {
    isOpen: (column) => !exact.has(column) && !templates.some((template) => template.includes(column)),
    key: mapping.key,
    expected: typeof mapping.expected === "string" && !mapping.expected.includes("{{") ? mapping.expected : null,
  };
}

/** The columns that hold the question, and then that with the expected answer. */
export function askedColumns({ mapping }: Pick<Suite, "mapping">, columns: readonly string[]): string[] {
  const { input, expected } = mapping;
  const sources = input === null ? [...requestFields.keys()] : Object.values(input).flatMap(sourceTexts);
  const isAsked = (column: string): boolean =>
    sources.some((source) => source === column || (isTemplate(source) && source.includes(column)));
  const isExpected = (column: string): boolean =>
    expected === null ? answerColumns.includes(column) : column === expected;
  return [...columns.filter(isAsked), ...columns.filter(isExpected)];
}

/** Columns that are the expected answer, where no other is named. */
const answerColumns = ["expected", "golden_answer"];

function mappedTexts(mapping: CaseMapping): (string | null | undefined)[] {
  const { key, input, expected, cluster, turn, turns, messages, opening, tags, orderBy, scorers } = mapping;
  const asked = Object.values(input ?? {}).flatMap(sourceTexts);
  return [
    key,
    ...asked,
    expected,
    cluster,
    turn,
    turns,
    messages?.role,
    messages?.text,
    opening,
    ...tags,
    orderBy,
    scorers,
  ];
}

function sourceTexts(source: FieldSource): string[] {
  const parts = Array.isArray(source) ? source : [source];
  return parts.flatMap((part) => (typeof part === "string" ? [part] : "column" in part ? [part.column] : []));
}

/** Texts in the options of scorers: some of them name columns. */
function optionTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(optionTexts);
}
