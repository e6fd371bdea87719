import { stopWordLanguages, stopWords } from "./stop-words.ts";

const scripts: [language: string, letters: RegExp][] = [
  ["hi", /\p{sc=Devanagari}/gu],
  ["ar", /\p{sc=Arabic}/gu],
  ["am", /\p{sc=Ethiopic}/gu],
  ["zh", /\p{sc=Han}/gu],
  ["ja", /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ["th", /\p{sc=Thai}/gu],
  ["ru", /\p{sc=Cyrillic}/gu],
  ["ta", /\p{sc=Tamil}/gu],
  ["bn", /\p{sc=Bengali}/gu],
];
const latin = /\p{sc=Latin}/gu;
const latinLanguages = stopWordLanguages.filter((language) => ["en", "es", "sw"].includes(language));

/**
 * Guesses the language of a text by its script, and among languages in Latin script by their commonest words.
 * null when nothing tells. `words` are the folded words of the text.
 */
export function guessLanguage(text: string, words: string[]): string | null {
  const counts = scripts.map(([language, letters]) => ({ language, count: text.match(letters)?.length ?? 0 }));
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best));
  if (most.count > 0 && most.count >= (text.match(latin)?.length ?? 0) / 2) return most.language;
  return guessLatin(text, words);
}

function guessLatin(text: string, words: string[]): string | null {
  if (/[¿¡ñ]/i.test(text)) return "es";
  const counts = latinLanguages.map((language) => {
    const common = stopWords(language);
    return { language, count: words.filter((word) => common.has(word)).length };
  });
  const [best, second] = counts.toSorted((a, b) => b.count - a.count);
  return best !== undefined && best.count > (second?.count ?? 0) ? best.language : null;
}

/** The text of a language: its own, else English, else the first there is. */
export function textIn(text: string | Record<string, string>, language: string | null): string {
  if (typeof text === "string") return text;
  const own = language === null ? undefined : (text[language] ?? text[language.split("-")[0] ?? ""]);
  return own ?? text["en"] ?? Object.values(text)[0] ?? "";
}
