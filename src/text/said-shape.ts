import { messageShape } from "./message-shape.ts";
import { fieldsIn, saidFields } from "./said-fields.ts";

/** Characters of an answer that are looked at. */
const longest = 400;
/** Words of a shape: with fewer, the next sentence belongs to it. */
const fewWords = 6;

const sentenceEnd = /(?<=[.!?。！？।؟]["'”’»)\]]*)\s+|\n+/u;
const quoted = /"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|‘[^’\n]{1,200}’|「[^」\n]{1,200}」/gu;
/** One or more words with a capital letter behind another word; `I` is none. */
const names = /(?<=[\p{Ll}\p{N},;:)] )(?:(?!I\b)\p{Lu}[\p{L}\p{M}\p{N}'’-]*)(?: (?!I\b)\p{Lu}[\p{L}\p{M}\p{N}'’-]*)*/gu;

/**
 * The words with which an answer begins, without names, numbers, ids and what is quoted: the same for answers that say the
 * same of different things. `I am sorry, I could not find Anna Kern's order 512.` and `I am sorry, I could not find Bo's
 * order 7.` are `I am sorry, I could not find …'s order #.` It is the first sentence, or as many as have six words. A JSON object has
 * instead the fields in which it differs from the answer before.
 */
export function saidShape(answer: string, before: string | null = null): string {
  const fields = fieldsIn(answer);
  if (fields !== null) return beginning(saidFields(fields, before === null ? null : fieldsIn(before)));
  const start = beginning(answer).trim();
  let shape = "";
  for (const sentence of start.split(sentenceEnd)) {
    const part = masked(sentence);
    if (part === "") continue;
    shape = shape === "" ? part : `${shape} ${part}`;
    if (shape.split(" ").length >= fewWords) break;
  }
  return shape;
}

/** As much of a text as is looked at, never half a character at its end: no address could hold that. */
const beginning = (text: string): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/u, "");

function masked(sentence: string): string {
  // Titles and shouts are all in capitals: then they are words like others.
  const words = sentence.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const large = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  const unnamed = large * 2 > words.length ? sentence : sentence.replaceAll(names, "…");
  return messageShape(unnamed.replaceAll(quoted, "…"));
}
