import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { toldError } from "./chat-error.ts";
import { endOfStream, eventData, eventJson } from "../event-stream.ts";

/** A stream of chunks, joined into the reply that it would be without a stream. */
export type JoinedStream = { state: "whole"; reply: JsonObject } | { state: "broken" };

/**
 * Joins a text of server-sent events whose data are chunks of a chat; null for a text that is none. It is broken where
 * neither a finish reason nor the end of the stream has come, or a chunk is no JSON.
 */
export function joinedStream(text: string): JoinedStream | null {
  const data = eventData(text);
  if (data === null) return null;
  const chunks = data.filter((each) => each !== endOfStream).map(eventJson);
  const objects = chunks.filter(isJsonObject);
  if (objects.length < chunks.length) return { state: "broken" };
  const error = objects.map(toldError).find((told) => told !== undefined);
  const reply = { ...joinedHead(objects), choices: joinedChoices(objects), ...(error !== undefined && { error }) };
  const isFinished = reply.choices.some((choice) => choice["finish_reason"] !== null);
  if (isFinished || error !== undefined || data.includes(endOfStream)) return { state: "whole", reply };
  return { state: "broken" };
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
  const messages = new Map<number, { message: JsonObject; finish: JsonValue }>();
  for (const choice of chunks.flatMap(({ choices }) => (Array.isArray(choices) ? choices : [])).filter(isJsonObject)) {
    const index = placeOf(choice);
    const known = messages.get(index) ?? { message: { role: "assistant", content: null }, finish: null };
    if (isJsonObject(choice["delta"])) known.message = joined(known.message, choice["delta"]);
    known.finish = choice["finish_reason"] ?? known.finish;
    messages.set(index, known);
  }
  return [...messages]
    .toSorted(([a], [b]) => a - b)
    .map(([index, { message, finish }]) => ({ index, message, finish_reason: finish }));
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
