import { foldCase } from "./fold.ts";
import { overlap, sharedCount } from "./measures.ts";
import { tokens } from "./tokens.ts";

/** Punctuation in the sense of SQuAD's evaluation, and the same of every script. */
const punctuation = /[\p{P}$+<=>^`|~]/gu;

/** Articles by language; languages that are not here have none that stand alone. */
const articles: Record<string, string> = {
  en: "a an the",
  de: "der die das den dem des ein eine einen einem eines einer",
  es: "el la los las lo un una unos unas",
  fr: "le la les un une des l",
  it: "il lo la i gli le un uno una l",
  nl: "de het een",
  pt: "o a os as um uma uns umas",
  sv: "en ett den det de",
};

/** The article of Arabic is written together with its word; a word of two letters is none without it. */
const arabicArticle = /(?<![\p{L}\p{M}])\u0627\u0644(?=[\p{L}\p{M}]{2})/gu;

/** Patterns of the languages that were met: to make one takes its time. */
const patterns = new Map<string, RegExp>([["ar", arabicArticle]]);

function articlePattern(code: string): RegExp | null {
  const known = patterns.get(code);
  if (known !== undefined) return known;
  const list = Object.hasOwn(articles, code) ? articles[code] : undefined;
  if (list === undefined) return null;
  const pattern = words(list);
  patterns.set(code, pattern);
  return pattern;
}

/** An article that is tied to its word by an apostrophe. */
const elided = /(?<![\p{L}\p{M}])l['\u2019](?=\p{L})/giu;

/**
 * An answer by the rules of the SQuAD evaluation: lower case, no punctuation, no articles, single spaces; after NFC. Where
 * nothing but articles or punctuation is there, such as the choice `A`, they stay: it is not the same as no answer.
 * `language` is a code such as `en` or `pt-BR`.
 */
export function squadForm(text: string, language = "en"): string {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? "";
  const folded = foldCase(text.normalize("NFC"));
  const untied = code === "fr" || code === "it" ? folded.replaceAll(elided, "l ") : folded;
  const bare = untied.replaceAll(punctuation, "");
  const article = articlePattern(code);
  const forms = [article === null ? bare : bare.replaceAll(article, " "), bare, untied];
  return forms.map((form) => form.replaceAll(/\s+/g, " ").trim()).find((form) => form !== "") ?? "";
}

/** True when two answers are the same by the rules of SQuAD. */
export function squadExact(prediction: string, gold: string, language = "en"): boolean {
  return squadForm(prediction, language) === squadForm(gold, language);
}

/** F1 over the words of two answers by the rules of SQuAD; where one has none, 1 when neither has any, else 0. */
export function squadF1(prediction: string, gold: string, language = "en"): number {
  const [said, meant] = [wordsOf(squadForm(prediction, language)), wordsOf(squadForm(gold, language))];
  if (said.length === 0 || meant.length === 0) return said.length === meant.length ? 1 : 0;
  return overlap(sharedCount(said, meant), said.length, meant.length).f1;
}

/** Words by spaces, as SQuAD has them; inside of one those of a script without spaces. */
function wordsOf(form: string): string[] {
  return form === "" ? [] : form.split(" ").flatMap((word) => (isAscii(word) ? [word] : pieces(word)));
}

/** Divides a word; one without letters or digits, such as an emoji, stays whole. */
function pieces(word: string): string[] {
  const found = tokens(word);
  return found.length > 1 ? found : [word];
}

function isAscii(word: string): boolean {
  return /^[!-~]*$/.test(word);
}

function words(list: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${list.replaceAll(" ", "|")})(?![\\p{L}\\p{M}\\p{N}])`, "gu");
}
