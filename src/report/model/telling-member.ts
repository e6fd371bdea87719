import { boundedJson, isJsonObject, type JsonValue } from "../../lib/json.ts";
import type { ReportChange } from "../shape/row.ts";

/** Replies that are larger are not looked into: an excerpt of them is shown as they are. */
const mostLooked = 200_000;
const mostMembers = 500;
const shortReply = 80;

/**
 * Answers that are whole replies in JSON, each as the member that tells how they differ, such as `reply: Yes, until 6 pm`: a text
 * of several words before others, and never the question that came back. Texts that are no such replies stay as they are.
 */
export function tellingTexts(said: readonly string[], asked: readonly string[]): readonly string[] {
  // The value of a function is seen whole.
  if (said.every((text) => text.length <= shortReply)) return said;
  const [first, ...others] = said.map(membersOf);
  if (first === undefined || first === null || others.length === 0) return said;
  const sides = [first];
  for (const each of others) {
    if (each === null) return said;
    sides.push(each);
  }
  const told = Array.from(first.keys()).filter((path) => {
    const texts = sides.map((members) => members.get(path) ?? "");
    return new Set(texts).size > 1 && texts.every((text) => text !== "" && !isEcho(text, asked));
  });
  const path = told.find((each) => sides.every((members) => /\s/.test(members.get(each)?.trim() ?? ""))) ?? told[0];
  return path === undefined ? said : sides.map((members) => `${path}: ${members.get(path) ?? ""}`);
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

/** Texts, numbers and marks of a reply by their paths; null: it is no object in JSON. */
function membersOf(text: string): Map<string, string> | null {
  if (text.length > mostLooked || !/^\s*\{/.test(text)) return null;
  const found = new Map<string, string>();
  try {
    const value = boundedJson(text);
    if (!isJsonObject(value)) return null;
    collect(value, "", found);
  } catch {
    return null;
  }
  return found;
}

function collect(value: JsonValue, path: string, found: Map<string, string>): void {
  if (found.size >= mostMembers || value === null) return;
  if (Array.isArray(value)) {
    for (const [place, each] of value.entries()) collect(each, `${path}[${place}]`, found);
  } else if (isJsonObject(value)) {
    for (const [name, each] of Object.entries(value)) collect(each, path === "" ? name : `${path}.${name}`, found);
  } else found.set(path, String(value));
}
