/** A part of a sentence: words, a name as it is written, or what somebody pastes: a command, a line of a suite. */
export interface SentencePart {
  kind: "words" | "name" | "paste";
  text: string;
}

/** The parts of a sentence, in which names, commands and lines of a suite stand between backticks: the only reader of these. */
export function sentenceParts(sentence: string): SentencePart[] {
  return sentence.split(/`([^`]+)`/).map((text, place): SentencePart => ({
    kind: place % 2 === 0 ? "words" : isToPaste(text) ? "paste" : "name",
    text,
  }));
}

const isToPaste = (text: string): boolean => /^(?:tandem |[a-z_]+: \S)/.test(text);

/** A sentence as a medium writes its words and its code. */
export function writtenSentence(
  sentence: string,
  { words, code }: { words: (text: string) => string; code: (text: string) => string },
): string {
  return sentenceParts(sentence)
    .map(({ kind, text }) => (kind === "words" ? words(text) : code(text)))
    .join("");
}
