import type { JsonValue } from "../../lib/json.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { FieldSource } from "../../suite/suite.ts";
import { isTemplate } from "./template.ts";

/** A message of a prompt that is written as a chat. */
interface PromptMessage {
  role: string;
  content: string;
}

/**
 * The request fields of a prompt that is a text with places for columns, or a chat in JSON: the last message of the
 * user is the prompt, those before it are the history. A history that has places itself is set before the prompt as
 * text, because `messages` takes the same value for every case.
 */
export function promptFields(text: string): Record<string, FieldSource> {
  const messages = chatMessages(text);
  if (messages === null) return { input_prompt: text };
  const last = messages.findLastIndex(({ role }) => role === "user");
  const before = messages.slice(0, last);
  const prompt = messages[last]?.content ?? "";
  if (before.some(({ content }) => isTemplate(content))) {
    return { input_prompt: [...before.map(({ content }) => content), prompt].join("\n\n") };
  }
  const input: Record<string, FieldSource> = { input_prompt: isTemplate(prompt) ? prompt : { value: prompt } };
  if (before.length > 0) input["messages"] = { value: before.map(({ role, content }) => ({ role, content })) };
  return input;
}

/** The messages of a chat in JSON that ends with the user; null for any other text. */
function chatMessages(text: string): PromptMessage[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return messagesOf(value);
}

/** A list of `{role, content}` with texts, of which one is the user's; null for anything else. */
function messagesOf(value: JsonValue): PromptMessage[] | null {
  if (!Array.isArray(value)) return null;
  const messages = value.flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    const { role, content } = entry;
    return typeof role === "string" && typeof content === "string" ? [{ role, content }] : [];
  });
  return messages.length === value.length && messages.some(({ role }) => role === "user") ? messages : null;
}
