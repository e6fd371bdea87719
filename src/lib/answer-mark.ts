import { hashText } from "./hash.ts";

/** A mark of an answer's text, by which a label knows which one it is of. White space at its ends is no other answer. */
export function answerMark(answer: string): string {
  return hashText(answer.trim(), 16);
}
