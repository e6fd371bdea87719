import { expectationText } from "../../dataset/import/expectation-text.ts";
import type { ReadCheck } from "../../dataset/import/check-reader.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { counterpartOf } from "./counterparts.ts";
import { reasonWithout } from "./reasons.ts";
import { valueAsText } from "./values.ts";

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

/** The type of an expectation that has no counterpart, and why. */
interface Without {
  without: string;
  why: string;
}

/** An expectation as a scorer of ours; as a rubric for a judge; as code for a module; or as one without counterpart. */
export type ReadAssertion = { scorer: JsonObject } | { rubric: string } | AssertionCode | Without;

/**
 * One expectation of a promptfoo test sheet (a cell of `__expected`), such as `contains: Paris`, `not-regex: \d` or
 * `is-json`. A text that begins with none of its kinds is the whole expected answer. `threshold` is the one that a
 * column `__config:__expectedN:threshold` gives. Judges and code are no checks of a row: `init` makes scorers of them.
 */
export function promptfooCheck(text: string, threshold?: number): ReadCheck {
  const assertion = assertionOfText(text, threshold);
  const read = readAssertion(assertion);
  if ("scorer" in read || "without" in read) return read;
  return { without: assertion.type, why: null };
}

/** An expectation as a cell writes it, in the form of a configuration. */
export function assertionOfText(text: string, threshold?: number): PromptfooAssertion {
  const trimmed = text.trim();
  const limited = threshold ?? null;
  if (trimmed.startsWith("file://")) return { type: fileType(trimmed), value: trimmed, threshold: limited };
  const read = expectationText(trimmed);
  if (read === null) return { type: "equals", value: trimmed, threshold: limited };
  return { type: `${read.not ? "not-" : ""}${read.kind}`, value: read.value, threshold: read.threshold ?? limited };
}

function fileType(file: string): string {
  return /\.[cm]?[jt]s(?::|$)/.test(file) ? "javascript" : "file://";
}

/** The counterpart of an expectation. */
export function readAssertion({ type, value, threshold }: PromptfooAssertion): ReadAssertion {
  const [, not = "", kind = ""] = /^(not-)?(.+)$/s.exec(type) ?? [];
  const without = { without: type, why: reasonWithout(kind) };
  if (typeof value === "string" && value.startsWith("file://") && !codeTypes.has(kind)) {
    return { without: type, why: reasonWithout("file://") };
  }
  if (codeTypes.has(kind)) {
    const code = valueAsText(value).trim();
    return code === "" ? without : { code, threshold, not: not !== "" };
  }
  const rubric = Object.hasOwn(rubrics, kind) ? (rubrics[kind]?.(valueAsText(value).trim()) ?? null) : null;
  if (rubric !== null) return not === "" ? { rubric } : { rubric: `This must not be so: ${rubric}` };
  const scorer = counterpartOf(kind, not !== "", value, threshold);
  return scorer === null ? without : { scorer };
}

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
