import type { ReportChange } from "../shape/row.ts";
import { jsonFields } from "./json-fields.ts";

const shortReply = 80;
/** Characters of a member by which it is told what it is. */
const mostOfMember = 400;

/**
 * Answers that are whole replies in JSON, each as the member that tells how they differ, such as `reply: Yes, until 6 pm`: a text
 * of several words before others, and never the question that came back. Texts that are no such replies stay as they are.
 */
export function tellingTexts(said: readonly string[], asked: readonly string[]): readonly string[] {
  // The value of a function is seen whole.
  if (said.every((text) => text.length <= shortReply)) return said;
  const [first, ...others] = said.map(jsonFields);
  if (first === undefined || first === null || others.length === 0) return said;
  const sides = [first];
  for (const each of others) {
    if (each === null) return said;
    sides.push(each);
  }
  const told = Array.from(first.keys()).filter((path) => {
    const texts = sides.map((members) => members.get(path) ?? "");
    return new Set(texts).size > 1 && texts.every((text) => text !== "" && text !== "null" && !isEcho(text, asked));
  });
  const ranks = told.map((path) => tellsOf(sides.map((members) => members.get(path) ?? "")));
  const path = told[ranks.indexOf(Math.max(...ranks))];
  return path === undefined ? said : sides.map((members) => `${path}: ${members.get(path) ?? ""}`);
}

/** Two words beside each other; or a part of a sentence in a script that has no blanks between words. */
const words =
  /\p{L}\S{0,30}\s{1,9}\S{0,30}\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{4}/u;

/** A word alone, or a mark such as `true`: no id and no time. */
const word = /^\p{L}[\p{L}\p{M}'’-]*[.!?]?$/u;

/** The more, the better a member tells how the answers differ: words of all sides, then of some, then a word of each. */
function tellsOf(whole: readonly string[]): number {
  const texts = whole.map((text) => text.slice(0, mostOfMember));
  if (texts.every((text) => words.test(text))) return 3;
  if (texts.some((text) => words.test(text))) return 2;
  return texts.every((text) => word.test(text.trim())) ? 1 : 0;
}

/** The member to show where both answers are the same text: one whose values differ in words, and that is not the question. */
export function tellingMember(
  members: ReportChange["members"],
  asked: readonly string[],
): ReportChange["members"][number] | undefined {
  const others = members.filter(
    ({ path, baseline, candidate }) =>
      !/(?:input|prompt|question)[^.]*$/i.test(path) && !isEcho(baseline, asked) && !isEcho(candidate, asked),
  );
  return others.find(({ baseline, candidate }) => baseline !== candidate) ?? others[0];
}

/** True for a text that is what was asked, with something around it or without a part of it. */
function isEcho(text: string, asked: readonly string[]): boolean {
  const own = plain(text);
  return (
    own.length >= shortestEcho &&
    asked.map(plain).some((each) => each.length >= shortestEcho && (own.includes(each) || each.includes(own)))
  );
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim().toLowerCase();

/** A word of the question that is the answer too is no echo. */
const shortestEcho = 12;
