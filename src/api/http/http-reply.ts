import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { compilePath } from "../../text/paths/json-path.ts";
import { joinedTexts, valueText } from "../../text/value-text.ts";
import type { ReceivedReply, ReplyRun } from "../endpoint-call.ts";
import { isNoValue } from "../no-value.ts";
import type { HttpDescription } from "./description.ts";

/** Where an output keeps a reply that is no object, and an answer that was given elsewhere. */
const [whole, said] = ["$", "$answer"];

/** The reply of a described endpoint: the object that it is, or what it is below `$`. */
export function httpOutput(hasAnswerPath: boolean, { json, text }: ReceivedReply): JsonObject | null {
  if (isJsonObject(json)) return json;
  if (json !== undefined) return { [whole]: json };
  // Where a path leads into the reply, it must be JSON; a page of HTML is no answer of any endpoint.
  const plain = text();
  return hasAnswerPath || /^\s*</.test(plain) ? null : { [whole]: plain };
}

/** An output that says a text, wherever an endpoint keeps its answer. */
export const outputWithAnswer = (text: string | null): JsonObject => ({ [said]: text });

/** The places in a reply that a description names, made ready. */
export interface ReplyForm {
  textOf: (output: JsonObject) => string | null;
  errorOf: (reply: JsonValue | undefined) => string | null;
  runOf: (reply: JsonValue | undefined) => ReplyRun;
  /** True where there is an answer, or the place of it. */
  finds: (output: JsonObject) => boolean;
}

export function replyForm({ answer, id, url, created_at: createdAt, error }: HttpDescription): ReplyForm {
  const paths = [answer, id, url, createdAt, error].map((path) => (path === undefined ? null : compilePath(path)));
  const [answerAt = null, idAt = null, urlAt = null, createdAtAt = null, errorAt = null] = paths;
  return {
    textOf(output) {
      if (Object.hasOwn(output, said)) return valueText(output[said]);
      if (answerAt === null) return textOfWhole(unwrapped(output));
      return joinedTexts(answerAt.values(unwrapped(output)));
    },
    errorOf: (reply) => first(errorAt, reply),
    runOf: (reply) => ({ id: first(idAt, reply), url: first(urlAt, reply), createdAt: first(createdAtAt, reply) }),
    finds: (output) =>
      answerAt === null || Object.hasOwn(output, said) || answerAt.values(unwrapped(output)).length > 0,
  };
}

/** The first value at the end of a path, as text. */
function first(path: Path, reply: JsonValue | undefined): string | null {
  return path === null || reply === undefined ? null : valueText(path.values(reply).find((value) => !isNoValue(value)));
}

type Path = ReturnType<typeof compilePath> | null;

function unwrapped(output: JsonObject): JsonValue {
  const reply = output[whole];
  return reply === undefined || Object.keys(output).length > 1 ? output : reply;
}

function textOfWhole(reply: JsonValue): string | null {
  const text = valueText(reply);
  return text === null || text.trim() === "" ? null : text;
}
