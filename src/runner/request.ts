import type { HttpRequest } from "../api/endpoint-call.ts";
import { endpointOf } from "../api/endpoints.ts";
import { sessionField } from "../api/session-field.ts";
import { storedOutput } from "../api/stored-output.ts";
import type { FileMarks } from "../api/files/file-marks.ts";
import type { AttemptRequest } from "../client/attempt-request.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { isTemplate } from "../lib/liquid-name.ts";
import { withoutColumns } from "../lib/row-columns.ts";
import { httpRequest, marksFor, withMarks } from "../plan/body.ts";
import { filledBody } from "../plan/filled-body.ts";
import { storedObject } from "../lib/stored-json.ts";
import type { HistoryShape } from "../suite/suite.ts";
import type { Journal, EarlierTurn, PendingJob } from "./journal.ts";
import type { RunTarget } from "./run-target.ts";

/** The request of a job: its case's input, the conversation so far, and over it what the target sets. */
export function requestOf(job: PendingJob, target: RunTarget, journal: Journal, timeoutMs: number): AttemptRequest {
  const { endpoint, failedWhen } = target;
  const part = partOf(target);
  const turns = job.waitsFor === null ? [] : journal.history(job);
  try {
    return { endpoint, part, ...requestFor(job.input, turns, target), failedWhen, timeoutMs };
  } catch (error) {
    // A template that cannot be filled for a case is the fault of that case alone.
    const fault = error instanceof Error ? error.message : String(error);
    return { endpoint, method: "", path: "", body: null, timeoutMs, fault };
  }
}

/** The request for a case's input, with the turns before it, and over it what the target sets. */
export function requestFor(
  text: string,
  turns: EarlierTurn[],
  target: Pick<RunTarget, "endpoint" | "mode" | "exampleId" | "body" | "history" | "files">,
): HttpRequest {
  const { endpoint, exampleId, files } = target;
  const input = objectOf(text);
  const marks = marksFor(files);
  const { lacksHistory, session } = endpointOf(endpoint);
  if (turns.length > 0 && session !== null && session.of !== null && session.isSent)
    input[sessionField] = sessionOf(turns, endpoint);
  if (turns.length > 0 && lacksHistory === null) input["messages"] = conversation(turns, target, marks);
  return httpRequest({ endpoint, part: partOf(target), exampleId, body: objectOf(target.body), files }, input, marks);
}

/** The conversation that the replies so far name. Raises an Error where none does: the turn would begin another. */
function sessionOf(turns: readonly EarlierTurn[], endpoint: RunTarget["endpoint"]): JsonValue {
  const { session } = endpointOf(endpoint);
  const named = turns.flatMap(({ record }) => session?.of?.(storedOutput(endpoint, record) ?? {}) ?? []);
  const latest = named.at(-1);
  if (latest === undefined)
    throw new Error(`no reply of the conversation so far names it: session (${session?.path}) finds nothing`);
  return latest;
}

const partOf = ({ mode }: Pick<RunTarget, "mode">): "submit" | undefined => (mode === "async" ? "submit" : undefined);

const objectOf = (text: string): JsonObject => storedObject(text, "an input");

/** The history of a conversation: what it opened with, then each prompt and the bot's own reply to it. */
function conversation(
  turns: EarlierTurn[],
  target: Pick<RunTarget, "endpoint" | "history" | "files" | "body">,
  marks: FileMarks,
): JsonValue {
  const { user, assistant } = target.history ?? plainHistory;
  const { historyEntry, historyFiles } = endpointOf(target.endpoint);
  const shown = target.files?.fields.filter((field) => historyFiles.includes(field)) ?? [];
  const messages: JsonValue[] = [];
  const body = objectOf(target.body);
  for (const [index, turn] of turns.entries()) {
    const input = asked(objectOf(turn.input), target.endpoint, body);
    if (index === 0 && Array.isArray(input["messages"])) messages.push(...input["messages"]);
    const output = storedOutput(target.endpoint, turn.record) ?? {};
    const entry = historyEntry(withMarks(input, shown, marks), output, marks);
    messages.push(filled(user, entry.user), filled(assistant, entry.assistant));
  }
  return messages;
}

/** The input of an earlier turn with the prompt that was sent, where the target makes it by a template. */
function asked(input: JsonObject, endpoint: RunTarget["endpoint"], body: JsonObject): JsonObject {
  const { fields, columns } = withoutColumns(input);
  const { input_prompt: template } = body;
  if (typeof template !== "string" || !isTemplate(template)) return fields;
  return { ...fields, ...filledBody({ endpoint, body: { input_prompt: template } }, { fields, columns }) };
}

const plainHistory: HistoryShape = {
  user: { role: "user", content: "{{ text }}" },
  assistant: { role: "assistant", content: "{{ text }}" },
};

/** A shape with what was said in the place of its `{{ text }}`. */
function filled(shape: JsonValue, text: JsonValue): JsonValue {
  if (shape === "{{ text }}") return text;
  if (Array.isArray(shape)) return shape.map((inner) => filled(inner, text));
  if (!isJsonObject(shape)) return shape;
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, filled(inner, text)]));
}
