import { type VerdictWord, wordFacts, wordInText } from "../../../compare/verdict-word.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { capitalised } from "../../../report/say/quantity.ts";

const signs: Record<VerdictWord, string> = {
  regression: "▼",
  invalid: "!",
  worse: "▽",
  "cannot-tell": "?",
  "too-few-cases": "?",
  pass: "✓",
  better: "▲",
  best: "▲",
  "close-enough": "▲",
  changed: "▼",
};

/** The sign of what is said; of nothing a dot. */
export const wordSign = (word: VerdictWord | null): string => (word === null ? "·" : signs[word]);

/** The classes by which it is coloured: its state, and the word itself. */
export const wordClass = (word: VerdictWord | null): string =>
  word === null ? "none" : `${wordFacts(word).state} ${word}`;

/** The verdict as sign, word and colour: never colour alone. */
export function WordMark({ word }: { word: VerdictWord | null }) {
  return (
    <span class={`state ${wordClass(word)}`}>
      <span aria-hidden="true">{wordSign(word)}</span> {word === null ? "No verdict" : capitalised(wordInText(word))}
    </span>
  );
}

/** The mark of a result: a run that was interrupted is not called invalid. */
export function ResultMark({ verdict: { word }, findings }: Pick<ReportSummary, "verdict" | "findings">) {
  if (findings.headline.kind !== "interrupted") return <WordMark word={word} />;
  return (
    <span class={`state ${wordClass(word)}`}>
      <span aria-hidden="true">■</span> Interrupted
    </span>
  );
}
