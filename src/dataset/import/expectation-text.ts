/** An expectation of promptfoo as a cell writes it, taken apart. */
export interface ExpectationText {
  not: boolean;
  /** Its kind, such as `contains`, without `not-`. */
  kind: string;
  /** The number in brackets behind the kind. */
  threshold: number | null;
  /** The text behind the colon. */
  value: string;
}

const typed = /^(not-)?((?:similar|trajectory):[a-z-]+|[a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?\s*(?::([^]*))?$/;

/** Kinds of expectation that promptfoo knows; any other beginning is part of a plain text. */
const kinds =
  /^(?:i?contains(?:-a(?:ll|ny))?|contains-(?:html|json|sql|xml)|is-(?:html|json|refusal|sql|valid-[a-z-]+|xml)|agent-rubric|answer-relevance|assert-set|bleu|classifier|context-[a-z]+|conversation-relevance|cost|equals|eval|factuality|finish-reason|fn|g-eval|gleu|grade|guardrails|javascript|latency|levenshtein|llm-rubric|max-score|meteor|model-graded-[a-z]+|moderation|perplexity(?:-score)?|pi|python|regex|rouge-[lns]|ruby|search-rubric|select-best|similar(?::[a-z]+)?|skill-used|starts-with|tool-call-f1|trace-[a-z-]+|trajectory:[a-z-]+|webhook|word-count)$/;

/** Takes an expectation apart; null for a text that is the answer itself. */
export function expectationText(text: string): ExpectationText | null {
  const [, not = "", kind = "", inBrackets, value] = typed.exec(text.trim()) ?? [];
  // One plain word alone, such as `cost`, is rather an answer; `is-json` needs no value.
  const isMeant = value !== undefined || inBrackets !== undefined || kind.includes("-") || not !== "";
  if (!isMeant || !kinds.test(kind)) return null;
  return {
    not: not !== "",
    kind,
    threshold: inBrackets === undefined ? null : Number(inBrackets),
    value: (value ?? "").trim(),
  };
}
