import { chatMessages } from "../../api/prompt-messages.ts";
import type { FieldSource } from "../../suite/suite.ts";
import { isTemplate } from "../../lib/liquid-name.ts";

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
