import { cleanAnswer } from "./clean.ts";
import { foldCase } from "./fold.ts";
import { normalise } from "./normalise.ts";

/**
 * True when the answer holds the expected text once both are normalised and their case is folded. Citations, buttons
 * and thoughts are no part of an answer, unless the expected text is made of nothing else. A blank text is held by all.
 */
export function contains(answer: string, expected: string): boolean {
  const cleaned = cleanAnswer(expected);
  if (cleaned !== "") {
    const said = cleanAnswer(answer);
    // Most answers that hold it have it letter by letter, and to fold a text costs more than to look through it.
    return said.includes(cleaned) || foldCase(said).includes(foldCase(cleaned));
  }
  return foldCase(normalise(answer)).includes(foldCase(normalise(expected)));
}
