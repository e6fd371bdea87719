import type { JsonValue } from "../../lib/json.ts";

/** A value as a text; a list has a line for each entry. */
export function valueAsText(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  return Array.isArray(value) ? value.map(valueAsText).join("\n") : JSON.stringify(value);
}

/** The texts of a list, or those between commas. */
export function valueAsList(value: JsonValue): string[] {
  return Array.isArray(value) ? value.map(valueAsText) : textsIn(valueAsText(value));
}

/** One text, or several; one that could be read as a list of texts is written as a list. */
export function valueAsTexts(value: JsonValue): string | string[] {
  if (Array.isArray(value) && value.length > 0) return value.map(valueAsText);
  const text = valueAsText(value);
  return /^\s*\[/.test(text) ? [text] : text;
}

/** Texts between commas, in quotes where they hold one themselves. */
function textsIn(value: string): string[] {
  const parts = value.match(/\s*"(?:[^"\\]|\\[^]|"")*"\s*(?=,|$)|[^,]+/g) ?? [];
  const texts = parts.map((part) => {
    const trimmed = part.trim();
    return /^"[^]*"$/.test(trimmed) && trimmed.length > 1
      ? trimmed.slice(1, -1).replaceAll(/\\([\\"])|"(")/g, "$1$2")
      : trimmed;
  });
  return texts.filter((text) => text !== "");
}

/** The number that a text is; null: it is none. */
export function numberIn(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
