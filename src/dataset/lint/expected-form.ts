import { parseJson } from "../../text/json-in-text.ts";
import { numbersIn } from "../../text/numbers.ts";

/**
 * The form of an expected answer: a JSON object, a JSON list of plain values, a number (with its unit), a few words, a
 * phrase of six words or more, a sentence.
 */
export type ExpectedForm = "json" | "list" | "number" | "words" | "phrase" | "sentence";

/** A form, and of a number the unit that is written with it; empty otherwise. */
export interface FormedAnswer {
  form: ExpectedForm;
  unit: string;
}

/** So many words are a phrase; so many are rarely said twice in the same way, with or without a full stop. */
const phraseWords = 6;
const sentenceWords = 12;
/** Words before a mark that also ends abbreviations and names: "5 p.m." and "Martin King Jr." are no sentences. */
const wordsBeforeDot = 4;

/** The form of an expected answer, in any script; the text is not blank. */
export function expectedForm(text: string): FormedAnswer {
  const trimmed = text.trim();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) {
    const parsed = parseJson(trimmed);
    if (parsed !== undefined) return { form: isPlainList(parsed) ? "list" : "json", unit: "" };
  }
  const unit = unitOfNumber(trimmed);
  if (unit !== null) return { form: "number", unit };
  return { form: textForm(trimmed), unit: "" };
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== "object" || each === null);
}

/** Longer texts are no number with its unit. */
const longestNumber = 40;
/** It begins with the number, a sign or a currency; most texts do not, and need no closer look. */
const numberFirst =
  /^(?:\p{Sc}|Rs|INR|USD|EUR|GBP|K[Ss]h|KES|TZS|TSh|UGX|USh|ETB|NGN|AED|SAR|EGP|[\s.+\-\u2212\u2010\u2011\uff0d\ufe63])*\p{Nd}/u;
const currency = /\p{Sc}|(?<!\p{L})(?:Rs|INR|USD|EUR|GBP|K[Ss]h|KES|TZS|TSh|UGX|USh|ETB|NGN|AED|SAR|EGP)\.?/gu;
/** After the number: marks, and a unit of one or two words. */
const unitAfter =
  /^[\s.,()%\u066a\u2030°]*((?:[\p{L}\p{M}]+[²³]?)(?:[\s/][\p{L}\p{M}]+[²³]?)?)?[\s.,()।።。%\u066a°]*$/u;

/** The unit of a text that is one number; empty for none, null where the text is more than a number. */
function unitOfNumber(text: string): string | null {
  if (text.length > longestNumber || !numberFirst.test(text)) return null;
  if (/^\d+$/.test(text)) return "";
  const numbers = numbersIn(text);
  const [only] = numbers;
  if (only === undefined || numbers.length > 1) return null;
  const bare = text.normalize("NFC").replaceAll(currency, " ").trim();
  if (!bare.startsWith(only.text)) return null;
  const found = unitAfter.exec(bare.slice(only.text.length));
  return found === null ? null : (found[1] ?? "").toLowerCase();
}

/** Marks count where nothing but marks, quotes and emoji stands after the last letter or digit. */
const inWord = /[\p{L}\p{M}\p{N}]/u;
const sentenceMark = /[。｡！？।॥۔؟።፧။៕]/;
const dot = /[.!?…]/;

/** Where the last letter or digit ends. */
function endOf(text: string): number {
  let at = text.length;
  while (at > 0 && !inWord.test(text.charAt(at - 1))) at--;
  return at;
}

function textForm(text: string): ExpectedForm {
  const words = wordCount(text, sentenceWords);
  if (words >= sentenceWords) return "sentence";
  const end = text.slice(endOf(text));
  if (words >= 2 && sentenceMark.test(end)) return "sentence";
  if (words >= wordsBeforeDot && dot.test(end)) return "sentence";
  return words >= phraseWords ? "phrase" : "words";
}

/** A letter of a script without spaces, as a share of a word: a word of Chinese has about two, one of Thai about four. */
const halves = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const quarters = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;
/** Spaces, and the mark that stands between words of Ethiopic. */
const between = /[\s\u1361]/u;
const firstUnspaced = 0xe00;

/** The words of a text, roughly as a dictionary would count them; it stops at `most`. */
function wordCount(text: string, most: number): number {
  let words = 0;
  let isInside = false;
  for (let at = 0; at < text.length && words < most; at++) {
    const code = text.charCodeAt(at);
    const share = code < firstUnspaced ? 0 : shareOfWord(text.charAt(at));
    words += share;
    if (share > 0 || isBetween(code)) isInside = false;
    else if (!isInside && isInWord(code)) {
      words += 1;
      isInside = true;
    }
  }
  return Math.ceil(words);
}

function shareOfWord(character: string): number {
  if (quarters.test(character)) return 0.25;
  return halves.test(character) ? 0.5 : 0;
}

function isBetween(code: number): boolean {
  return code < 0x80 ? code <= 0x20 : code >= 0xa0 && between.test(String.fromCharCode(code));
}

/** A letter or digit of ASCII; beyond it whatever is no space. */
function isInWord(code: number): boolean {
  return (
    code >= 0x80 || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  );
}
