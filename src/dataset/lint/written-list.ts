import { showText } from "../../lib/show.ts";
import { parseJson } from "../../text/json-in-text.ts";
import type { Case } from "../case.ts";

/** Several wanted texts in one cell, which are compared as the one text that they are written as. */
export function listInCell({ expected, checks }: Pick<Case, "expected" | "checks">) {
  // A row with checks of its own says what is right.
  if (expected === null || checks !== null || writtenListBy(expected) === null) return null;
  return {
    kind: "list-in-cell",
    message: `holds ${showText(expected)}, which looks like a list and is compared as one text`,
    hint: 'Give each text a column of its own and write contains-any (or contains-all) with value: ["{{ row.e1 }}", "{{ row.e2 }}"], or write the cell as JSON: ["a", "b"]; where it is meant as one text, leave it.',
  };
}

/** Longer entries are sentences, and a list with more of them was hardly meant for one cell. */
const longestEntry = 40;
const mostWords = 3;
const mostEntries = 50;

/** A list in brackets that is no JSON: of quoted texts, between commas or semicolons. */
const entry = String.raw`(?:'[^'\n]{1,200}'|"[^"\n]{1,200}"|\u2018[^\u2019\n]{1,200}\u2019|\u201c[^\u201d\n]{1,200}\u201d)`;
const quoted = new RegExp(String.raw`^\[\s*${entry}(?:\s*[,;]\s*${entry})+\s*[,;]?\s*\]$`, "u");

/** Characters of sentences, sums, dates and addresses, which no list of words has. */
const noEntry = /[.!?:()[\]{}<>=/\\\u0964\u3002]|^\p{N}/u;
/** Words of sentences, and those that stand before a comma in them. */
const ofSentences =
  /(?:^|\s)(?:and|or|but|not|no|yes|the|an?|in|on|at|of|to|for|from|with|by|is|are|was|were|it|you|your|we|i|please|sorry|hello|hi|hey|ok|okay|well|thanks|und|oder|et|ou|y|o|e|na|au|या|और)(?:\s|$)/iu;
const smallWord = /^\p{Ll}[\p{Ll}\p{M}-]*$/u;

/** The separator of a list of texts that is written in one cell, where that is beyond doubt; null: it is one text. */
export function writtenListBy(text: string): "brackets" | "," | "|" | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) {
    // Scorers that take several texts read JSON as a list.
    return quoted.test(trimmed) && !Array.isArray(parseJson(trimmed)) ? "brackets" : null;
  }
  for (const separator of ["|", ","] as const) {
    if (!trimmed.includes(separator)) continue;
    const entries = trimmed.split(separator).map((each) => each.trim());
    const isList = entries.length >= 2 && entries.length <= mostEntries && entries.every(isEntry);
    return isList && (separator === "|" || isListByCommas(entries)) ? separator : null;
  }
  return null;
}

function isEntry(text: string): boolean {
  return text !== "" && text.length <= longestEntry && text.split(/\s+/u).length <= mostWords && !noEntry.test(text);
}

/** "Paris, France" and "Smith, John" are one text each. */
function isListByCommas(entries: readonly string[]): boolean {
  if (entries.length === 2 && !entries.every((each) => smallWord.test(each))) return false;
  return !entries.some((each) => each.length > 1 && ofSentences.test(each));
}
