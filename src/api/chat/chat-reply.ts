import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { valueText } from "../../text/value-text.ts";
import { chatErrorText, choiceFailure, toldError } from "./chat-error.ts";
import { toldReason } from "../told-reason.ts";
import { isNoValue } from "../no-value.ts";
import type { AnswerKind } from "../answer-kind.ts";
import type { ReceivedReply, ReplyRun } from "../endpoint-call.ts";
import type { StatusMeaning } from "../outcomes.ts";
import { endOfStream, eventData, lineData } from "../event-stream.ts";

/** The whole reply is the output, a stream as the reply that it would be without one: it has choices, or tells an error. */
export function chatOutput({ json, text }: ReceivedReply): JsonObject | null {
  if (json === undefined) {
    const stream = joinedStream(text());
    return stream?.state === "whole" ? stream.reply : null;
  }
  if (!isJsonObject(json)) return null;
  const isReply = Array.isArray(json["choices"]) || isJsonObject(json["error"]) || toldError(json) !== undefined;
  return isReply ? json : null;
}

/** True for a stream that ended before the reply did. */
export function isBrokenStream({ json, text }: ReceivedReply): boolean {
  return json === undefined && joinedStream(text())?.state === "broken";
}

/** The error of a reply with a good status: some tell it there, or in the middle of a stream, whose answer is then not whole. */
export function chatFailure(output: JsonObject): string | null {
  return chatErrorText(output) ?? valueText(toldError(output)) ?? choiceFailure(firstChoice(output));
}

/** The reason in the body of an error: its own, or what the reply that it is says. */
export function chatReason(json: JsonValue | undefined): string | null {
  if (!isJsonObject(json)) return null;
  return chatFailure(json) ?? chatAnswer(json) ?? toldReason(json);
}

/** A chat's run has an id and a moment, and no page. */
export function chatRun(reply: ReceivedReply): ReplyRun {
  const { id, created } = chatOutput(reply) ?? {};
  return { id: typeof id === "string" && id !== "" ? id : null, url: null, createdAt: momentOf(created) };
}

/** Seconds since 1970 as ISO 8601. */
function momentOf(created: JsonValue | undefined): string | null {
  // Beyond this no date can be written.
  if (typeof created !== "number" || created <= 0 || created > 8.64e12) return null;
  return new Date(created * 1000).toISOString();
}

/** The first of the choices, which is the one that is read. */
function firstChoice(output: JsonObject): JsonObject {
  const choice = Array.isArray(output["choices"]) ? output["choices"][0] : undefined;
  return isJsonObject(choice) ? choice : {};
}

function messageOf(output: JsonObject): JsonObject {
  const message = firstChoice(output)["message"];
  return isJsonObject(message) ? message : {};
}

/** The kind of a reply: a refusal and tool calls come with `content: null`. */
export function chatKind(output: JsonObject): AnswerKind {
  const { refusal, tool_calls: calls, content } = messageOf(output);
  const reason = firstChoice(output)["finish_reason"];
  if (contentText(content) !== null) return reason === "length" ? "truncated" : "answered";
  if (!isNoValue(refusal) || reason === "content_filter") return "refusal";
  return isNoValue(calls) ? "empty" : "tool-calls";
}

/** The answer: the content, or the words of a refusal, or the calls that are asked for as JSON. */
export function chatAnswer(output: JsonObject): string | null {
  const { refusal, tool_calls: calls, content } = messageOf(output);
  const said = contentText(content);
  if (said !== null) return said;
  if (typeof refusal === "string" && refusal !== "") return refusal;
  return Array.isArray(calls) && calls.length > 0 ? JSON.stringify(calls.map(calledFunction)) : null;
}

/** The text of a message's content, which may come in parts; null: none. */
function contentText(content: JsonValue | undefined): string | null {
  const parts = (Array.isArray(content) ? content : [content]).flatMap((part) => {
    const text = isJsonObject(part) ? part["text"] : part;
    return typeof text === "string" ? [text] : [];
  });
  return parts.join("") || null;
}

/** A call without its id, which differs on every run. */
function calledFunction(call: JsonValue): JsonValue {
  const called = isJsonObject(call) && isJsonObject(call["function"]) ? call["function"] : {};
  return { name: called["name"] ?? null, arguments: called["arguments"] ?? null };
}

/** The least reply that says a text. */
export function chatSaying(text: string | null): JsonObject {
  const message = { role: "assistant", content: text };
  return { choices: [{ index: 0, message, finish_reason: "stop" }] };
}

/** An account without credits answers 429 like one that is too fast: its code tells them apart. 529 and 503 are overload. */
export function chatMeaning(status: number, json: JsonValue | undefined): StatusMeaning | null {
  const error = isJsonObject(json) && isJsonObject(json["error"]) ? json["error"] : {};
  if (status === 429 && [error["code"], error["type"]].includes("insufficient_quota")) return "credits";
  return status === 503 || status === 529 ? "throttled" : null;
}

/** A stream of chunks, joined into the reply that it would be without a stream. */
type JoinedStream = { state: "whole"; reply: JsonObject } | { state: "broken" };

/**
 * Joins a text of server-sent events, or of lines, whose data are chunks of a chat; null for a text that is none. It is broken where
 * neither a finish reason nor the end of the stream has come, or a chunk is no JSON.
 */
function joinedStream(text: string): JoinedStream | null {
  const events = eventData(text);
  const data = events ?? lineData(text);
  if (data === null) return null;
  const chunks = data.filter((each) => each !== endOfStream).map(parsedJson);
  const objects = chunks.filter(isJsonObject).map(asChunk);
  if (events === null && !objects.some(({ choices }) => Array.isArray(choices))) return null;
  if (objects.length < chunks.length) return { state: "broken" };
  const error = objects.map(toldError).find((reported) => reported !== undefined);
  const reply = { ...joinedHead(objects), choices: joinedChoices(objects), ...(error !== undefined && { error }) };
  const isFinished = reply.choices.some((choice) => choice["finish_reason"] !== null || choiceFailure(choice) !== null);
  if (isFinished || error !== undefined || data.includes(endOfStream)) return { state: "whole", reply };
  return { state: "broken" };
}

/** A chunk in the form of Ollama's own API, `{"message": {"content": "a"}, "done": false}`, as one of a chat; any other as it is. */
function asChunk(chunk: JsonObject): JsonObject {
  const { message, done, done_reason: reason, choices } = chunk;
  if (choices !== undefined || !isJsonObject(message) || typeof done !== "boolean") return chunk;
  return { ...chunk, choices: [{ index: 0, delta: message, finish_reason: done ? (reason ?? "stop") : null }] };
}

/** The members beside the choices, each as it came last. */
function joinedHead(chunks: readonly JsonObject[]): JsonObject {
  const head: JsonObject = {};
  for (const chunk of chunks) {
    for (const [name, value] of Object.entries(chunk)) if (name !== "choices" && value !== null) head[name] = value;
  }
  return head;
}

function joinedChoices(chunks: readonly JsonObject[]): JsonObject[] {
  const messages = new Map<number, { message: JsonObject; finish: JsonValue; error?: JsonValue }>();
  for (const choice of chunks.flatMap(({ choices }) => (Array.isArray(choices) ? choices : [])).filter(isJsonObject)) {
    const index = placeOf(choice);
    const known = messages.get(index) ?? { message: { role: "assistant", content: null }, finish: null };
    if (isJsonObject(choice["delta"])) known.message = joined(known.message, choice["delta"]);
    known.finish = choice["finish_reason"] ?? known.finish;
    const error = toldError(choice);
    if (error !== undefined) known.error = error;
    messages.set(index, known);
  }
  return [...messages]
    .toSorted(([a], [b]) => a - b)
    .map(([index, { message, finish, error }]) => ({
      index,
      message,
      finish_reason: finish,
      ...(error !== undefined && { error }),
    }));
}

const placeOf = ({ index }: JsonObject): number => (typeof index === "number" ? index : 0);

/** Members whose texts come whole with each piece, instead of as a part. */
const whole = new Set(["role", "id", "type"]);

/** A message with one more piece: texts are joined, and calls by their place. */
function joined(message: JsonObject, delta: JsonObject): JsonObject {
  const next = { ...message };
  for (const [name, piece] of Object.entries(delta)) {
    const before = next[name];
    if (piece === null) next[name] ??= null;
    else if (name === "tool_calls" && Array.isArray(piece)) next[name] = joinedCalls(before, piece);
    else if (isJsonObject(piece)) next[name] = joined(isJsonObject(before) ? before : {}, piece);
    else if (typeof piece === "string" && typeof before === "string" && !whole.has(name)) next[name] = before + piece;
    else next[name] = piece;
  }
  return next;
}

function joinedCalls(before: JsonValue | undefined, pieces: readonly JsonValue[]): JsonValue[] {
  const calls: JsonObject[] = (Array.isArray(before) ? before : []).filter(isJsonObject);
  for (const piece of pieces.filter(isJsonObject)) {
    const place = calls.findIndex((call) => placeOf(call) === placeOf(piece));
    if (place === -1) calls.push(joined({}, piece));
    else calls[place] = joined(calls[place] ?? {}, piece);
  }
  return calls;
}
