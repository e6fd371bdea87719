import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { compilePath } from "../../text/paths/json-path.ts";
import { joinedTexts, valueText } from "../../text/value-text.ts";
import type { ReceivedReply, ReplyRun } from "../endpoint-call.ts";
import { endOfStream, eventData, eventJson } from "../event-stream.ts";
import { isNoValue } from "../no-value.ts";
import { type Usage, usageIn } from "../usage.ts";
import type { HttpDescription } from "./description.ts";

/** Where an output keeps a reply that is no object, an answer that stands nowhere in it, and error and usage of a stream. */
const [whole, said, failed, used] = ["$", "$answer", "$error", "$usage"];

/** The places in a reply that a description names, made ready. */
export interface ReplyForm {
  /** The object that a reply is, or what it is below `$`; of a stream the joined answer. */
  outputOf: (reply: ReceivedReply) => JsonObject | null;
  /** True for a stream of JSON whose last event is only the beginning of one. */
  breaksOff: (reply: ReceivedReply) => boolean;
  textOf: (output: JsonObject) => string | null;
  errorOf: (output: JsonObject) => string | null;
  runOf: (reply: ReceivedReply) => ReplyRun;
  usageOf: (output: JsonObject) => Usage | null;
  /** True where there is an answer, or the place of it. */
  finds: (output: JsonObject) => boolean;
}

export function replyForm(description: HttpDescription): ReplyForm {
  const { answer, id, url, created_at: createdAt, error, usage, stream = false } = description;
  const paths = [answer, id, url, createdAt, error, usage].map((path) =>
    path === undefined ? null : compilePath(path),
  );
  const [answerAt = null, idAt = null, urlAt = null, createdAtAt = null, errorAt = null, usageAt = null] = paths;
  const answersIn = (value: JsonValue): JsonValue[] => (answerAt === null ? [value] : answerAt.values(value));
  const joined = (events: readonly JsonValue[]): JsonObject => {
    const parts = events.flatMap(answersIn).map((part) => valueText(part) ?? "");
    const told = firstText(errorAt, events);
    // A stream counts on: the last event that tells is right.
    const tokens = usageAt === null ? undefined : events.flatMap((event) => usageAt.values(event)).at(-1);
    return {
      [said]: filled(parts.join("")),
      ...(told !== null && { [failed]: told }),
      ...(tokens !== undefined && { [used]: tokens }),
    };
  };
  const breaksOff = (reply: ReceivedReply): boolean => stream && answerAt !== null && endsInHalf(reply);
  return {
    breaksOff,
    outputOf(reply) {
      if (breaksOff(reply)) return null;
      const events = stream ? eventsOf(reply) : null;
      return events === null ? plainOutput(reply, answerAt !== null) : joined(events);
    },
    textOf(output) {
      if (Object.hasOwn(output, said)) return valueText(output[said]);
      const answers = answersIn(unwrapped(output));
      return answerAt === null ? filled(valueText(answers[0])) : joinedTexts(answers);
    },
    errorOf: (output) => valueText(output[failed]) ?? firstText(errorAt, [unwrapped(output)]),
    runOf(reply) {
      const values = (stream ? eventsOf(reply) : null) ?? (reply.json === undefined ? [] : [reply.json]);
      return { id: firstText(idAt, values), url: firstText(urlAt, values), createdAt: firstText(createdAtAt, values) };
    },
    usageOf(output) {
      if (usageAt === null) return null;
      return usageIn(Object.hasOwn(output, used) ? output[used] : usageAt.values(unwrapped(output))[0]);
    },
    finds(output) {
      if (Object.hasOwn(output, said)) return output[said] !== null;
      return answerAt === null || answersIn(unwrapped(output)).length > 0;
    },
  };
}

/** An output that says a text, wherever an endpoint keeps its answer. */
export const outputWithAnswer = (text: string | null): JsonObject => ({ [said]: text });

/** The data of the events of a stream, JSON as the value that it is; null for a reply that is none. */
function eventsOf({ json, text }: ReceivedReply): JsonValue[] | null {
  const events = json === undefined ? eventData(text()) : null;
  if (events === null) return null;
  return events.filter((data) => data !== endOfStream).map((data) => eventJson(data) ?? data);
}

/** True where the data of the last event begin like JSON and are none; words that end a stream, `END` or `[END]`, do not. */
function endsInHalf({ json, text }: ReceivedReply): boolean {
  const last = json === undefined ? eventData(text())?.findLast((data) => data !== endOfStream) : undefined;
  return last !== undefined && /^\s*(?:[{"]|\[(?!\w*\]\s*$))/.test(last) && eventJson(last) === undefined;
}

/** Where a path leads into the reply, it must be JSON; a page of HTML is no answer of any endpoint. */
function plainOutput({ json, text }: ReceivedReply, mustBeJson: boolean): JsonObject | null {
  if (isJsonObject(json)) return json;
  if (json !== undefined) return { [whole]: json };
  const plain = text();
  return mustBeJson || /^\s*</.test(plain) ? null : { [whole]: plain };
}

type Path = ReturnType<typeof compilePath> | null;

/** The first value at the end of a path into any of the values, as text. */
function firstText(path: Path, values: readonly JsonValue[]): string | null {
  if (path === null) return null;
  return valueText(values.flatMap((value) => path.values(value)).find((value) => !isNoValue(value)));
}

function unwrapped(output: JsonObject): JsonValue {
  const reply = output[whole];
  return reply === undefined || Object.keys(output).length > 1 ? output : reply;
}

/** A text that is more than blank, or null. */
function filled(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
