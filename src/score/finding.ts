import { z } from "zod";
import { showText } from "../lib/show.ts";
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

/** A text as a reason quotes it. */
export function quote(text: string): string {
  return showText(text);
}
