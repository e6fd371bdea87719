import { z } from "zod";
import { isHarmlessIn } from "../../lib/hidden-characters.ts";
import { showText } from "../../lib/show.ts";
import type { Grade } from "./scorer.ts";

/** `not`. */
export const notKey = z
  .boolean()
  .default(false)
  .describe("Pass where it would fail, and fail where it would pass. Default: false.");

/** The scale of a scorer that says pass or fail. */
export const passScale = { scale: { kind: "pass" }, lowerIsBetter: false, passes: true } as const;

/** A grade of pass or fail; the reason says what was found, so that it reads right with `not` too. */
export function verdict(holds: boolean, not: boolean, reason: string): Grade {
  const pass = holds !== not;
  return { value: pass ? 1 : 0, pass, reason };
}

/** The longest quote in a reason, in UTF-16 units. */
const longestQuote = 80;

/** A text as a reason quotes it. A million answers have as many reasons: what needs no care is not taken apart. */
export function quote(text: string): string {
  const short = text.length > longestQuote ? text.slice(0, longestQuote) : text;
  if (/["\\\t\n\r]/.test(short) || !isHarmlessIn("message", short)) return showText(text);
  return text.length > longestQuote ? `"${short}..."` : `"${short}"`;
}
