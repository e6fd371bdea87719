import { canonicalJson, type JsonValue } from "../lib/json.ts";

/** A value as text: text as it is, anything else as JSON; null for no value. */
export function valueText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : canonicalJson(value);
}

/** A list of values, or one, as texts joined by a blank line; null where there are none but empty ones. */
export function joinedTexts(value: JsonValue | undefined): string | null {
  const list = Array.isArray(value) ? value : [value];
  const texts = list.map(valueText).filter((text) => text !== null && text !== "");
  return texts.length === 0 ? null : texts.join("\n\n");
}

/** A member as text: a list of texts joined by a blank line, anything else as a value. */
export function memberText(value: JsonValue | undefined): string | null {
  if (Array.isArray(value) && value.every((each) => typeof each === "string" || each === null))
    return joinedTexts(value);
  return valueText(value);
}
