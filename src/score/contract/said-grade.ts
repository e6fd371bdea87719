import { isJsonObject, type JsonValue } from "../../lib/json.ts";

/** The scale of what code of others says, or none. */
type SaidScale = { min: number; max: number } | "unbounded";

/** A grade as code of others says it; null: that part is not said. */
interface SaidGrade {
  value: number | null;
  pass: boolean | null;
  reason: string | null;
}

/** Reads a number, true or false, or an object with a value (by the first of these names), pass and reason. A pass alone is an end of the scale. */
export function saidGrade(said: JsonValue, scale: SaidScale, names: readonly [string, string]): SaidGrade {
  const object = isJsonObject(said) ? said : {};
  const pass = typeof said === "boolean" ? said : typeof object["pass"] === "boolean" ? object["pass"] : null;
  const written = isJsonObject(said) ? (object[names[0]] ?? object[names[1]]) : said;
  const { min, max } = scale === "unbounded" ? { min: 0, max: 1 } : scale;
  const value = typeof written === "number" ? written : pass === null ? null : pass ? max : min;
  const { reason } = object;
  return { value, pass, reason: typeof reason === "string" ? reason : null };
}

/** The value from which an answer passes: the threshold, else the middle of the scale; null: none does. */
export function passMark({ scale, threshold }: { scale: SaidScale; threshold?: number | undefined }): number | null {
  return threshold ?? (scale === "unbounded" ? null : (scale.min + scale.max) / 2);
}
