import { z } from "zod";
import { durationPattern } from "../../lib/duration.ts";
import { sizePattern } from "../../api/files/file-size.ts";
import { showValue } from "../../lib/show.ts";

/** The forms that the sections of the suite file share; each says in its message what it takes and what was got. */

/** A duration as written: 10m, 20s. */
export const durationForm = matching(durationPattern, "a duration such as 10m, 20s, 500ms or 3h");

/** A size as written: 20MB, 500kB. */
export const sizeForm = matching(sizePattern, "a size such as 20MB, 500kB or 1GB");

/** A text that is not blank. */
export const text = z.string().regex(/\S/, { error: "must not be blank" });

/** A column of the dataset. */
export const column = text.describe("A column name, or a Liquid template when it holds {{ or {%.");

/** A JSON object. */
export const jsonObject = z.record(z.string(), z.json());

/** A text of a form; the message says which, and what was got instead. */
export function matching(pattern: RegExp, what: string): z.ZodString {
  const error = (issue: { input?: unknown }): string => `must be ${what}, got ${showValue(issue.input)}`;
  return z.string({ error }).regex(pattern, { error });
}

/** The message for what is none of several forms. */
export function notA(what: string): (issue: { input?: unknown }) => string {
  return ({ input }) => `must be ${what}, got ${showValue(input)}`;
}
