import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** An expectation of promptfoo, as its configuration writes it. */
export interface PromptfooAssertion {
  /** Its type, such as `contains` or `not-llm-rubric`. */
  type: string;
  value: JsonValue;
  threshold: number | null;
}

/** An expectation as promptfoo's own file of code, an expression, or the body of a function. */
export interface AssertionCode {
  code: string;
  threshold: number | null;
  /** It passes where it would fail. */
  not: boolean;
}

/**
 * An expectation as a scorer of ours; as a rubric for a judge; as code for a module; or the kind of it that has no
 * counterpart.
 */
export type ReadAssertion = { scorer: JsonObject } | { rubric: string } | AssertionCode | { without: string };

/** An expectation as a scorer of a row, or the kind of it that cannot be one. */
export type ReadCheck = { scorer: JsonObject } | { without: string };

/**
 * One expectation of a promptfoo test sheet (a cell of `__expected`), such as `contains: Paris`, `not-regex: \d` or
 * `is-json`. A text that begins with none of its kinds is the whole expected answer. `threshold` is the one that a
 * column `__config:__expectedN:threshold` gives. Judges and code are no checks of a row: `init` makes scorers of them.
 */
export function promptfooCheck(text: string, threshold?: number): ReadCheck {
  const assertion = assertionOfText(text, threshold);
  const read = readAssertion(assertion);
  if ("scorer" in read || "without" in read) return read;
  return { without: assertion.type };
}

/** An expectation as a cell writes it, in the form of a configuration. */
export function assertionOfText(text: string, threshold?: number): PromptfooAssertion {
  const trimmed = text.trim();
  const limited = threshold ?? null;
  if (trimmed.startsWith("file://")) return { type: fileType(trimmed), value: trimmed, threshold: limited };
  const [, not = "", kind = "", inBrackets, value] = typed.exec(trimmed) ?? [];
  // One plain word alone, such as `cost`, is rather an answer; `is-json` needs no value.
  const isMeant = value !== undefined || inBrackets !== undefined || kind.includes("-") || not !== "";
  if (!isMeant || !(Object.hasOwn(counterparts, kind) || foreign.test(kind))) {
    return { type: "equals", value: trimmed, threshold: limited };
  }
  const limit = inBrackets === undefined ? limited : Number(inBrackets);
  return { type: `${not}${kind}`, value: (value ?? "").trim(), threshold: limit };
}

function fileType(file: string): string {
  return /\.[cm]?[jt]s(?::|$)/.test(file) ? "javascript" : "file://";
}

/** The counterpart of an expectation. */
export function readAssertion({ type, value, threshold }: PromptfooAssertion): ReadAssertion {
  const [, not = "", kind = ""] = /^(not-)?(.+)$/s.exec(type) ?? [];
  if (typeof value === "string" && value.startsWith("file://") && !codeTypes.has(kind)) return { without: type };
  if (codeTypes.has(kind)) {
    const code = textOf(value).trim();
    return code === "" ? { without: type } : { code, threshold, not: not !== "" };
  }
  const rubric = Object.hasOwn(rubrics, kind) ? (rubrics[kind]?.(textOf(value).trim()) ?? null) : null;
  if (rubric !== null) return not === "" ? { rubric } : { rubric: `This must not be so: ${rubric}` };
  const counterpart = Object.hasOwn(counterparts, kind) ? counterparts[kind] : undefined;
  const scorer = counterpart?.(value, threshold) ?? null;
  if (scorer === null) return { without: type };
  return { scorer: not === "" ? scorer : { ...scorer, not: true } };
}

const typed = /^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?\s*(?::([^]*))?$/;

const codeTypes: ReadonlySet<string> = new Set(["javascript", "fn", "eval"]);

/** Kinds that a model judges, as what it should judge by. */
const rubrics: Record<string, (value: string) => string | null> = {
  "llm-rubric": given,
  grade: given,
  "g-eval": given,
  "model-graded-closedqa": given,
  factuality: (value) => (value === "" ? null : `The answer agrees in its facts with this: ${value}`),
  "model-graded-factuality": (value) => (value === "" ? null : `The answer agrees in its facts with this: ${value}`),
  "answer-relevance": () => "The answer is about what was asked.",
};

function given(value: string): string | null {
  return value === "" ? null : value;
}

/** Kinds of expectation that promptfoo knows beside those, and that have no counterpart here. */
const foreign =
  /^(?:agent-rubric|answer-relevance|assert-set|bleu|classifier|contains-(?:sql|xml|html)|context-[a-z]+|conversation-relevance|cost|eval|factuality|fn|g-eval|gleu|grade|guardrails|is-(?:sql|xml|html|valid-[a-z-]+)|javascript|llm-rubric|max-score|meteor|model-graded-[a-z]+|moderation|perplexity(?:-score)?|pi|python|ruby|search-rubric|select-best|similar(?::[a-z]+)?|skill-used|tool-call-f1|trace-[a-z-]+|webhook)$/;

/** A scorer for the value and threshold of an expectation; null where this one has none. */
type Counterpart = (value: JsonValue, limit: number | null) => JsonObject | null;

const counterparts: Record<string, Counterpart> = {
  equals: (value) =>
    typeof value === "object" && value !== null
      ? { type: "json-schema", schema: { const: value } }
      : { type: "equals", value: textOf(value) },
  contains: (value) => ({ type: "contains", value: textOf(value) }),
  icontains: (value) => ({ type: "icontains", value: textOf(value) }),
  "contains-any": (value) => ({ type: "contains-any", value: listOf(value) }),
  "contains-all": (value) => ({ type: "contains-all", value: listOf(value) }),
  "icontains-any": (value) => ({ type: "contains-any", value: listOf(value), ignore_case: true }),
  "icontains-all": (value) => ({ type: "contains-all", value: listOf(value), ignore_case: true }),
  "starts-with": (value) => ({ type: "starts-with", value: textOf(value) }),
  regex: (value) => (textOf(value) === "" ? null : { type: "regex", value: textOf(value) }),
  "is-json": (value) => jsonCheck(value, false),
  "contains-json": (value) => jsonCheck(value, true),
  "is-refusal": () => ({ type: "refusal" }),
  "finish-reason": (value) => (textOf(value) === "" ? null : { type: "finish-reason", value: textOf(value) }),
  latency: (value, limit) => {
    const most = limit ?? numberIn(textOf(value));
    return most === null || most <= 0 ? null : { type: "latency", max: `${most}ms` };
  },
  levenshtein: (value, limit) => ({ type: "edit-distance", value: textOf(value), threshold: limit ?? 5 }),
  "rouge-n": (value, limit) => ({ type: "rouge-n", value: textOf(value), threshold: limit ?? 0.75 }),
  "word-count": wordCount,
};

/** `10`, or `{"min": 5, "max": 20}`. */
function wordCount(value: JsonValue): JsonObject | null {
  const count = numberIn(textOf(value));
  if (count !== null) return { type: "length", unit: "words", min: count, max: count };
  const written = typeof value === "string" ? jsonIn(value) : value;
  if (written === undefined || !isJsonObject(written)) return null;
  const { min, max } = written;
  const bounds = { ...(typeof min === "number" && { min }), ...(typeof max === "number" && { max }) };
  return Object.keys(bounds).length === 0 ? null : { type: "length", unit: "words", ...bounds };
}

/** A check for JSON; a value is the JSON Schema that the answer should fit. */
function jsonCheck(value: JsonValue, within: boolean): JsonObject | null {
  const where = within ? { within } : {};
  if (value === "" || value === null) return { type: "is-json", ...where };
  const schema = typeof value === "string" ? jsonIn(value) : value;
  return schema !== undefined && isJsonObject(schema) ? { type: "json-schema", schema, ...where } : null;
}

/** A value as a text; a list has a line for each entry. */
function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  return Array.isArray(value) ? value.map(textOf).join("\n") : JSON.stringify(value);
}

/** The texts of a list, or those between commas. */
function listOf(value: JsonValue): string[] {
  if (!Array.isArray(value)) return textsIn(textOf(value));
  return value.length === 0 ? [""] : value.map(textOf);
}

/** Texts between commas, in quotes where they hold one themselves. */
function textsIn(value: string): string[] {
  const parts = value.match(/\s*"(?:[^"\\]|\\[^])*"\s*(?=,|$)|[^,]+/g) ?? [];
  const texts = parts.map((part) => {
    const trimmed = part.trim();
    return /^"[^]*"$/.test(trimmed) && trimmed.length > 1
      ? trimmed.slice(1, -1).replaceAll(/\\([\\"])/g, "$1")
      : trimmed;
  });
  return texts.length === 0 ? [""] : texts;
}

function numberIn(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
