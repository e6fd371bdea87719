import { caseless } from "./fold.ts";

/**
 * Characters that people do not type alike: letters with an accent (Latin, Greek, Cyrillic) or with hamza or madda,
 * accents and vowel signs of Arabic and Hebrew that stand alone, tatweel, joiners and other invisible ones. Signs of
 * Hindi are not among them.
 */
const optional =
  /[\u0300-\u036F\u0591-\u05BD\u05BF-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u200B-\u200F\u2060\uFEFF\u00ADà-ɏΐά-ΰϊ-ώѐ-џآ-ئḀ-ỿἀ-῿]/g;
const letter = /^\p{L}/u;
// oxlint-disable-next-line eslint/no-control-regex
const plain = /^[\x01-\x7f]*$/;

/**
 * A text as searches compare it: compatible forms are one, and so are upper and lower case and letters with and without
 * accents. A zero, which ends texts in SQL, is a blank.
 */
export function folded(text: string): string {
  // Most texts are plain.
  if (plain.test(text)) return text.toLowerCase();
  return caseless(text.normalize("NFKC")).replaceAll(optional, bareOf).replaceAll("\0", " ");
}

/** The letter without what is optional; nothing when it is no letter. */
function bareOf(found: string): string {
  return letter.test(found) && found !== "\u0640" ? (found.normalize("NFD")[0] ?? "") : "";
}
