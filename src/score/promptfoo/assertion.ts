import { expectationText } from "../../dataset/import/expectation-text.ts";
import type { ReadCheck } from "../../dataset/import/check-reader.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { counterpartOf } from "./counterparts.ts";
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

/** An expectation that compares embeddings with those of a text. */
export interface SimilarText {
  similar: string;
  threshold: number;
}

/** An expectation as a scorer of ours; as a rubric for a judge; as code for a module; by embeddings; or as one without counterpart. */
export type ReadAssertion = { scorer: JsonObject } | { rubric: string } | AssertionCode | SimilarText | Without;

/**
 * One expectation of a promptfoo test sheet (a cell of `__expected`), such as `contains: Paris`, `not-regex: \d` or
 * `is-json`. A text that begins with none of its kinds is the whole expected answer. `threshold` is the one that a
 * column `__config:__expectedN:threshold` gives. Judges and code are no checks of a row: `init` makes scorers of them.
 */
export function promptfooCheck(text: string, threshold?: number): ReadCheck {
  const assertion = assertionOfText(text, threshold);
  const read = readAssertion(assertion);
  if ("scorer" in read || "without" in read) return read;
  // Embeddings need a provider, which a sheet does not name.
  return { without: assertion.type, why: "similar" in read ? reasonWithout(assertion.type) : null };
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
  if (/^similar(?::cosine)?$/.test(kind) && not === "" && typeof value === "string" && value.trim() !== "") {
    return { similar: value, threshold: threshold ?? similarFrom };
  }
  const rubric = Object.hasOwn(rubrics, kind) ? (rubrics[kind]?.(valueAsText(value).trim()) ?? null) : null;
  if (rubric !== null) return not === "" ? { rubric } : { rubric: `This must not be so: ${rubric}` };
  const scorer = counterpartOf(kind, not !== "", value, threshold);
  return scorer === null ? without : { scorer };
}

/** promptfoo's threshold of `similar` where none is given. */
const similarFrom = 0.75;

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

const byParser =
  "grade it by a scorer of the type module over a parser of your choice; the guide Coming from elsewhere has one whole";

/** Kinds of promptfoo's expectations that have no counterpart, with the reason and the way to grade them all the same. */
const reasons: readonly [kinds: RegExp, why: string][] = [
  [/^similar/, "it needs embeddings; take embedding-similarity with a deployment that makes them, chrf, or a judge"],
  [/^perplexity/, "it needs the probabilities of an answer's tokens, which no answer tells"],
  [/^(?:python|ruby|webhook)$/, "write it as a scorer of the type command, in any language"],
  [/^file:/, "write the text of the file into the sheet, or its code as a module"],
  [/^is-valid-/, "the functions stand in promptfoo's provider; take called-functions with arguments"],
  [/^trace-/, "an answer tells no spans of a trace; take latency, or called-functions"],
  [/^trajectory:/, "of the way to an answer only the called functions are known; take called-functions"],
  [/^skill-used$/, "an answer tells no skills; take called-functions"],
  [/^guardrails$/, "an answer tells nothing of guardrails; take refusal"],
  [/^(?:classifier|moderation|pi)$/, "another model grades it; take a judge"],
  [/^(?:context-|agent-rubric|conversation-|search-)/, "a model grades it; take a judge with its rubric"],
  [/^(?:select-best|max-score)$/, "it chooses among providers, which a comparison of targets does"],
  [/^assert-set$/, "a row has one threshold, for all its checks: write it into __threshold"],
  [/^rouge-s$/, "promptfoo itself has it no more; take rouge-n or rouge-l"],
  [/^cost$/, "without a threshold it only measures, which tandem does for every target with a price"],
  [/-(?:sql|xml|html)$/, byParser],
  [/^gleu$/, "take bleu, which counts the same sequences of words"],
  [/^meteor$/, "take chrf, which knows endings of words, or bleu"],
];

/** The reason why an expectation of a kind, with or without `not-`, is not graded. */
function reasonWithout(type: string): string {
  const kind = type.replace(/^not-/, "");
  const [, why] = reasons.find(([kinds]) => kinds.test(kind)) ?? [];
  return why ?? "its value is none that it can be graded by; write it as a module or a judge in the suite's scorers";
}
