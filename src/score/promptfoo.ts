import type { JsonObject, JsonValue } from "../lib/json.ts";

/** An expectation as a scorer of ours, or the kind of it that has no counterpart. */
export type ReadCheck = { scorer: JsonObject } | { without: string };

/**
 * One expectation of a promptfoo test sheet (a cell of `__expected`), such as `contains: Paris`, `not-regex: \d` or
 * `is-json`. A text that begins with none of its kinds is the whole expected answer. `threshold` is the one that a
 * column `__config:__expectedN:threshold` gives.
 */
export function promptfooCheck(text: string, threshold?: number): ReadCheck {
  const trimmed = text.trim();
  if (trimmed.startsWith("file://")) return { without: "file://" };
  const [, not = "", kind = "", inBrackets, value] = typed.exec(trimmed) ?? [];
  // One plain word alone, such as `cost`, is rather an answer; `is-json` needs no value.
  const isMeant = value !== undefined || inBrackets !== undefined || kind.includes("-") || not !== "";
  if (!isMeant || !(Object.hasOwn(counterparts, kind) || foreign.test(kind))) {
    return { scorer: { type: "equals", value: text.trim() } };
  }
  const limit = inBrackets === undefined ? (threshold ?? null) : Number(inBrackets);
  const counterpart = Object.hasOwn(counterparts, kind) ? counterparts[kind] : undefined;
  const scorer = counterpart?.((value ?? "").trim(), limit) ?? null;
  if (scorer === null) return { without: `${not}${kind}` };
  return { scorer: not === "" ? scorer : { ...scorer, not: true } };
}

const typed = /^(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?\s*(?::([^]*))?$/;

/** Kinds of expectation that promptfoo knows beside those below, and that have no counterpart here. */
const foreign =
  /^(?:agent-rubric|answer-relevance|bleu|classifier|contains-(?:sql|xml|html)|context-[a-z]+|conversation-relevance|cost|eval|factuality|fn|g-eval|gleu|grade|guardrails|is-(?:sql|xml|html|valid-[a-z-]+)|javascript|llm-rubric|max-score|meteor|model-graded-[a-z]+|moderation|perplexity(?:-score)?|pi|python|ruby|search-rubric|select-best|similar(?::[a-z]+)?|tool-call-f1|trace-[a-z-]+|webhook)$/;

/** A scorer for the value and threshold of an expectation; null where this one has none. */
type Counterpart = (value: string, limit: number | null) => JsonObject | null;

const counterparts: Record<string, Counterpart> = {
  equals: (value) => ({ type: "equals", value }),
  contains: (value) => ({ type: "contains", value }),
  icontains: (value) => ({ type: "icontains", value }),
  "contains-any": (value) => ({ type: "contains-any", value: listOf(value) }),
  "contains-all": (value) => ({ type: "contains-all", value: listOf(value) }),
  "icontains-any": (value) => ({ type: "contains-any", value: listOf(value), ignore_case: true }),
  "icontains-all": (value) => ({ type: "contains-all", value: listOf(value), ignore_case: true }),
  "starts-with": (value) => ({ type: "starts-with", value }),
  regex: (value) => (value === "" ? null : { type: "regex", value }),
  "is-json": (value) => jsonCheck(value, false),
  "contains-json": (value) => jsonCheck(value, true),
  "is-refusal": () => ({ type: "refusal" }),
  "finish-reason": (value) => (value === "" ? null : { type: "finish-reason", value }),
  latency: (value, limit) => {
    const most = limit ?? numberIn(value);
    return most === null || most <= 0 ? null : { type: "latency", max: `${most}ms` };
  },
  levenshtein: (value, limit) => ({ type: "edit-distance", value, threshold: limit ?? 5 }),
  "rouge-n": (value, limit) => ({ type: "rouge-n", value, threshold: limit ?? 0.75 }),
  "word-count": wordCount,
};

/** `10`, or `{"min": 5, "max": 20}`. */
function wordCount(value: string): JsonObject | null {
  const count = numberIn(value);
  if (count !== null) return { type: "length", unit: "words", min: count, max: count };
  const written = jsonIn(value);
  if (typeof written !== "object" || written === null || Array.isArray(written)) return null;
  const { min, max } = written;
  const bounds = { ...(typeof min === "number" && { min }), ...(typeof max === "number" && { max }) };
  return Object.keys(bounds).length === 0 ? null : { type: "length", unit: "words", ...bounds };
}

/** A check for JSON; a value is the JSON Schema that the answer should fit. */
function jsonCheck(value: string, within: boolean): JsonObject | null {
  const where = within ? { within } : {};
  if (value === "") return { type: "is-json", ...where };
  const schema = jsonIn(value);
  return typeof schema === "object" && schema !== null && !Array.isArray(schema)
    ? { type: "json-schema", schema, ...where }
    : null;
}

/** Texts between commas, in quotes where they hold one themselves. */
function listOf(value: string): string[] {
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
