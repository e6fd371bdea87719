import { z } from "zod";
import { durationMs, durationPattern, unitOfTime } from "../../lib/duration.ts";
import { sizeBytes, sizePattern } from "../../api/files/file-size.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { showValue } from "../../lib/show.ts";
import { storedAs } from "./kept.ts";

/** The forms that the sections of the suite file share; each says in its message what it takes and what was got. */

/** A duration as written: 10m, 20s. */
export const durationForm = matching(durationPattern, "a duration such as 10m, 20s, 500ms or 3h");

/** A size as written: 20MB, 500kB. */
export const sizeForm = matching(sizePattern, "a size such as 20MB, 500kB or 1GB");

/** A duration, kept in milliseconds. */
export const inMs = <Written extends z.ZodType<string>>(written: Written) =>
  storedAs(written, z.number().min(0), (text) => durationMs(text) ?? 0);

/** A size, kept in bytes. */
export const inBytes = <Written extends z.ZodType<string>>(written: Written) =>
  storedAs(written, z.int().min(0), (text) => sizeBytes(text) ?? 0);

const ratePattern = /^([1-9]\d{0,8})\/(s|m|h)$/;

const keptRate = z.object({ count: z.int().min(1), windowMs: z.number().min(1) });

/** A limit of at most `count` requests in any `windowMs` milliseconds. */
export interface Rate extends z.output<typeof keptRate> {}

/** A rate as written: 2/s, 10/m, 100/h. */
export const rateForm = storedAs(matching(ratePattern, "a rate such as 10/m, 2/s or 100/h"), keptRate, (text): Rate => {
  const [, count, unit = ""] = ratePattern.exec(text) ?? [];
  return { count: Number(count), windowMs: unitOfTime(unit) ?? 0 };
});

/** A text that is not blank. */
export const text = z.string().regex(/\S/, { error: "must not be blank" });

/** A column of the dataset. */
export const column = text.describe("A column name, or a Liquid template when it holds {{ or {%.");

/** A JSON object. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** Any value of JSON. */
export const jsonValue: z.ZodType<JsonValue> = z.json();

/** A value that is neither a list nor a map. */
export const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type PlainValue = z.output<typeof plainValue>;

/** A text of a form; the message says which, and what was got instead. */
export function matching(pattern: RegExp, what: string): z.ZodString {
  const error = (issue: { input?: unknown }): string => `must be ${what}, got ${showValue(issue.input)}`;
  return z.string({ error }).regex(pattern, { error });
}

/** The message for what is none of several forms. */
export function notA(what: string): (issue: { input?: unknown }) => string {
  return ({ input }) => `must be ${what}, got ${showValue(input)}`;
}
