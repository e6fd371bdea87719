import { boundedJson, isJsonObject, type JsonValue } from "../lib/json.ts";

/** A message of a prompt that is written as a chat. */
interface PromptMessage {
  role: string;
  content: string;
}

/** The messages of a chat in JSON with at least one of the user; null for any other text. */
export function chatMessages(text: string): PromptMessage[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  let value: JsonValue;
  try {
    value = boundedJson(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const messages = value.flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    const { role, content } = entry;
    return typeof role === "string" && typeof content === "string" ? [{ role, content }] : [];
  });
  return messages.length === value.length && messages.some(({ role }) => role === "user") ? messages : null;
}
