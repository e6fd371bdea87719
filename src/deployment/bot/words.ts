/** Scripts that put no space between words; their runs are cut into words by the rules of Unicode and ICU. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const runs = /[\p{L}\p{M}\p{N}]+/gu;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

const plainLatin = /^[a-z0-9]*$/;
const latinMarks = /[\u0300-\u036f]/g;
const arabicMarks = /[\u0610-\u061a\u064b-\u065f\u0670\u0640]/g;
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;

/**
 * The words of a text in any script, folded so that the usual spellings of a word are equal: NFC, lower case, without
 * accents, Arabic vowel signs and Devanagari nukta, with ASCII digits.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize("NFC").toLowerCase().matchAll(runs)) {
    if (plainLatin.test(run)) words.push(run);
    else if (unspaced.test(run)) words.push(...unspacedWords(run));
    else words.push(foldWord(run));
  }
  return words.filter((word) => word !== "");
}

function unspacedWords(run: string): string[] {
  return [...segmenter.segment(run)].filter((part) => part.isWordLike === true).map((part) => part.segment);
}

function foldWord(word: string): string {
  const folded = word
    .normalize("NFD")
    .replace(latinMarks, "")
    .normalize("NFC")
    .replace(otherDigits, (digit) => String((digit.charCodeAt(0) - (digit < "\u0700" ? 0 : 6)) & 15));
  const first = folded.charCodeAt(0);
  if (first >= 0x0600 && first < 0x0700) return foldArabic(folded);
  if (first >= 0x0900 && first < 0x0980) return foldDevanagari(folded);
  return folded;
}

/** Alef, yeh and teh marbuta in one form each, without the article and the letters joined before it. */
function foldArabic(word: string): string {
  const letters = word
    .replace(arabicMarks, "")
    .replace(/[\u0622\u0623\u0625\u0671]/g, "\u0627")
    .replace(/\u0649/g, "\u064a")
    .replace(/\u0629/g, "\u0647");
  return letters.replace(/^(?:[\u0648\u0641\u0628\u0643]?\u0627\u0644|\u0644\u0644)(?=..)/, "");
}

/**
 * Folds spellings of Devanagari: without nukta, with anusvara for every nasal before a consonant and for candrabindu.
 */
function foldDevanagari(word: string): string {
  return word
    .replace(/\u093c/g, "")
    .replace(/\u0901/g, "\u0902")
    .replace(/[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g, "\u0902");
}
