import { foldCase } from "../../text/fold.ts";
import { mostWords } from "../../text/measures.ts";
import { type WordKind, wordKinds, wordsBy } from "../../text/tokens.ts";
import { z } from "zod";

/** The key of a measure that looks at words. */
export const wordsKey = z
  .enum(wordKinds)
  .default("letters")
  .describe(
    "What a word is. letters: a run of letters, marks and digits; spaces: what stands between white space; treebank: as in the Penn Treebank. Default: letters.",
  );

/** The words of a text by which it is compared. */
interface ComparedWords {
  words: string[];
  /** It has more words than are looked at. */
  cut: boolean;
}

/** The words of a text in lower case, the first of them where there are too many. */
export function comparedWords(text: string, kind: WordKind): ComparedWords {
  const words = wordsBy(foldCase(text), kind, mostWords + 1);
  return { words: words.slice(0, mostWords), cut: words.length > mostWords };
}

/** Says in a reason that only the beginnings of texts were compared. */
export function cutWordsNote(texts: readonly ComparedWords[]): string {
  return texts.some(({ cut }) => cut) ? ` (of the first ${mostWords.toLocaleString("en")} words only)` : "";
}
