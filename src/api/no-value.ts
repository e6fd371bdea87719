import type { JsonValue } from "../lib/json.ts";

/** The four spellings of "no value" (absent, null, `[]`, `""`), and a list of nothing else. */
export function isNoValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) && value.every(isNoValue);
}
