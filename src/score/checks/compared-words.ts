import { foldCase } from "../../text/fold.ts";
import { mostWords } from "../../text/measures.ts";
import { tokens } from "../../text/tokens.ts";

/** The words of a text by which it is compared. */
interface ComparedWords {
  words: string[];
  /** It has more words than are looked at. */
  cut: boolean;
}

/** The words of a text in lower case, the first of them where there are too many. */
export function comparedWords(text: string): ComparedWords {
  const words = tokens(foldCase(text), mostWords + 1);
  return { words: words.slice(0, mostWords), cut: words.length > mostWords };
}

/** Says in a reason that only the beginnings of texts were compared. */
export function cutWordsNote(texts: readonly ComparedWords[]): string {
  return texts.some(({ cut }) => cut) ? ` (of the first ${mostWords.toLocaleString("en")} words only)` : "";
}
