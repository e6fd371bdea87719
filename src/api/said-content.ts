import type { JsonValue } from "../lib/json.ts";

/** The content of what a user says: a text, or its parts where something is shown with it; null: nothing. */
export function saidContent(prompt: JsonValue | undefined, shown: readonly JsonValue[]): JsonValue | null {
  const text = typeof prompt === "string" ? prompt : "";
  if (shown.length === 0) return text.trim() === "" ? null : text;
  return text.trim() === "" ? [...shown] : [{ type: "text", text }, ...shown];
}

/** Images as parts of a message, by their addresses. */
export function imageParts(images: JsonValue | undefined): JsonValue[] {
  return (Array.isArray(images) ? images : []).map((url) => ({ type: "image_url", image_url: { url } }));
}
