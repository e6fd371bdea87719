import type { ChatMessage, ChatRequest } from "../../api/chat/chat-schema.ts";
import { soundUrl } from "../data-url.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";

/** The request to a bot that a chat's request stands for: the last message of the user is the prompt, those before it the history. */
export function botBody({ messages, temperature, n }: ChatRequest): JsonObject {
  const last = messages.at(-1);
  const asks = last?.role === "user" ? last : undefined;
  return {
    input_prompt: asks === undefined ? "" : textOf(asks),
    input_images: [],
    ...(asks !== undefined && shownIn(asks)),
    messages: (asks === undefined ? messages : messages.slice(0, -1)).map(entryOf),
    ...(typeof temperature === "number" && { sampling_temperature: temperature }),
    ...(typeof n === "number" && { num_outputs: n }),
  };
}

/** The service knows fewer roles. */
function entryOf(message: ChatMessage): JsonObject {
  const { role } = message;
  const known = role === "developer" ? "system" : role === "function" ? "tool" : role;
  return { role: known, content: textOf(message) };
}

function textOf({ content }: ChatMessage): string {
  if (!Array.isArray(content)) return content ?? "";
  return content.flatMap(({ text }) => text ?? []).join("\n");
}

/** The images, the sound and the documents of a message. */
function shownIn({ content }: ChatMessage): JsonObject {
  const parts = Array.isArray(content) ? content : [];
  const [sound] = parts.flatMap(({ input_audio: audio }) => (audio === undefined ? [] : [audio]));
  const documents = parts.flatMap((part) => part.file?.file_data ?? []);
  return {
    input_images: parts.flatMap((part) => part.image_url?.url ?? []),
    ...(documents.length > 0 && { input_documents: documents }),
    ...(sound !== undefined && { input_audio: soundUrl(sound.data, sound.format) }),
  };
}

/** A run as a chat tells of it: a choice for each reply, cut at `max_tokens`, and the tokens that were used. */
export function chatReply(run: { id: string; created: number; output: JsonObject }, asked: ChatRequest): JsonObject {
  const { output_text: texts, finish_reason: reasons } = run.output;
  const replies = (Array.isArray(texts) ? texts : []).map((text) => (typeof text === "string" ? text : ""));
  const most = asked.max_tokens ?? Infinity;
  const choices = (replies.length === 0 ? [null] : replies).map((text, index) =>
    choiceOf(text, { index, reasons, most }),
  );
  const prompt = asked.messages.reduce((sum, message) => sum + tokensIn(textOf(message)), 0);
  const completion = choices.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    id: `chatcmpl-${run.id}`,
    object: "chat.completion",
    created: run.created,
    model: asked.model,
    choices: choices.map(({ choice }) => choice),
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

function choiceOf(
  text: string | null,
  { index, reasons, most }: { index: number; reasons: JsonValue | undefined; most: number },
): { choice: JsonObject; tokens: number } {
  const isCut = text !== null && tokensIn(text) > most;
  const content = isCut
    ? Array.from(text)
        .slice(0, 4 * most)
        .join("")
    : text;
  const given = Array.isArray(reasons) ? reasons[index] : undefined;
  const reason = isCut ? "length" : typeof given === "string" ? given : "stop";
  return {
    choice: { index, message: { role: "assistant", content, refusal: null }, finish_reason: reason },
    tokens: tokensIn(content ?? ""),
  };
}

/** A reply as a stream of server-sent events: a chunk for each word, the reasons, what was used, and the end. */
export function streamOf({ choices, usage, ...reply }: JsonObject): string {
  const head = { ...reply, object: "chat.completion.chunk" };
  const all = (Array.isArray(choices) ? choices : []).filter(isJsonObject);
  const pieces = all.flatMap(({ index = 0, message, finish_reason: reason = null }) => {
    const content = isJsonObject(message) ? message["content"] : null;
    const words = typeof content === "string" ? (content.match(/\s*\S+|\s+$/g) ?? []) : [];
    return [
      { index, delta: { role: "assistant", content: "" }, finish_reason: null },
      ...words.map((word) => ({ index, delta: { content: word }, finish_reason: null })),
      { index, delta: {}, finish_reason: reason },
    ];
  });
  const chunks = [...pieces.map((piece) => ({ ...head, choices: [piece] })), { ...head, choices: [], usage }];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}

/** A token for every four characters or part of them: no model counts here, and what is counted can be checked by hand. */
export function tokensIn(text: string): number {
  return Math.ceil(Array.from(text).length / 4);
}

/** The words of an error of the service; null when it has none. */
export function serviceError(body: JsonValue | undefined): { text: string | null; hasRun: boolean } {
  const detail = isJsonObject(body) ? body["detail"] : undefined;
  if (!isJsonObject(detail)) return { text: typeof detail === "string" ? detail : null, hasRun: false };
  const { error, id } = detail;
  return { text: typeof error === "string" ? error : null, hasRun: id !== undefined };
}
