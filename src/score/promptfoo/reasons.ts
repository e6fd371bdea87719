/** Kinds of promptfoo's expectations that have no counterpart, with the reason and the way to grade them all the same. */
const reasons: readonly [kinds: RegExp, why: string][] = [
  [/^similar/, "it needs embeddings, which tandem does not make; take chrf, or a judge"],
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
  [/-sql$/, "its database is none of mysql, mariadb, postgresql, sqlite, transactsql, bigquery and snowflake"],
  [/-xml$/, "its value is no list of elements"],
];

/** The reason why an expectation of a kind, with or without `not-`, is not graded. */
export function reasonWithout(type: string): string {
  const kind = type.replace(/^not-/, "");
  const [, why] = reasons.find(([kinds]) => kinds.test(kind)) ?? [];
  return why ?? "its value is none that it can be graded by; write it as a module or a judge in the suite's scorers";
}
