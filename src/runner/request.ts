import { endpoints } from "../api/endpoints.ts";
import type { AttemptRequest } from "../client/attempt-request.ts";
import { parseBody } from "../client/run-record.ts";
import { isJsonObject, jsonText, type JsonObject, type JsonValue } from "../lib/json.ts";
import { requestBody } from "../plan/body.ts";
import type { HistoryShape } from "../suite/suite.ts";
import type { Journal, EarlierTurn, PendingJob } from "./journal.ts";
import type { RunTarget } from "./run-target.ts";

/** The request of a job: its case's input, the conversation so far, and over it what the target sets. */
export function requestOf(job: PendingJob, target: RunTarget, journal: Journal, timeoutMs: number): AttemptRequest {
  const body = bodyOf(job.input, job.waitsFor === null ? [] : journal.history(job), target);
  return { endpoint: target.endpoint, exampleId: target.exampleId, body: jsonText(body), timeoutMs };
}

/** The body of a request: a case's input, the turns before it, and over it what the target sets. */
export function bodyOf(
  text: string,
  turns: EarlierTurn[],
  target: Pick<RunTarget, "endpoint" | "body" | "history">,
): JsonObject {
  const input = objectOf(text);
  if (turns.length > 0) input["messages"] = conversation(turns, target);
  return requestBody(target.endpoint, input, objectOf(target.body));
}

/** Texts that we stored ourselves are objects: they were checked before. */
function objectOf(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

/** The history of a conversation: what it opened with, then each prompt and the bot's own reply to it. */
function conversation(turns: EarlierTurn[], target: Pick<RunTarget, "endpoint" | "history">): JsonValue {
  const { user, assistant } = target.history ?? plainHistory;
  const { historyEntry } = endpoints[target.endpoint];
  const messages: JsonValue[] = [];
  for (const [index, turn] of turns.entries()) {
    const input = objectOf(turn.input);
    if (index === 0 && Array.isArray(input["messages"])) messages.push(...input["messages"]);
    const entry = historyEntry(input, outputOf(turn.record));
    messages.push(filled(user, entry.user), filled(assistant, entry.assistant));
  }
  return messages;
}

const plainHistory: HistoryShape = {
  user: { role: "user", content: "{{ text }}" },
  assistant: { role: "assistant", content: "{{ text }}" },
};

/** A shape with what was said in the place of its `{{ text }}`. */
function filled(shape: JsonValue, text: string): JsonValue {
  if (shape === "{{ text }}") return text;
  if (Array.isArray(shape)) return shape.map((inner) => filled(inner, text));
  if (!isJsonObject(shape)) return shape;
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, filled(inner, text)]));
}

/** The output of a run record; one that is not as the API says has nothing in it. */
function outputOf(record: string): JsonObject {
  const parsed = parseBody(Buffer.from(record));
  const output = isJsonObject(parsed) ? parsed["output"] : undefined;
  return isJsonObject(output) ? output : {};
}
