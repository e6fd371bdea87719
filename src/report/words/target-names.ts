import { sentenceList } from "../../lib/sentence-list.ts";
import { number } from "./quantity.ts";

const mostNames = 5;

/** `a`, `a and b`, `a, b and 4 more` */
export function names(all: readonly string[], joint: "and" | "or" = "and"): string {
  const shown =
    all.length > mostNames ? [...all.slice(0, mostNames - 1), `${number(all.length - mostNames + 1)} more`] : all;
  return sentenceList(shown, joint);
}

/** `a is`, `a and b are` */
export const subject = (all: readonly string[]): string => `${names(all)} ${all.length === 1 ? "is" : "are"}`;
