import { isJsonObject, jsonText, type JsonObject, type JsonValue } from "../lib/json.ts";
import { chatErrorText, toldError } from "./chat/chat-error.ts";
import { chatMeaning } from "./chat/chat-reply.ts";
import type { EndpointCall } from "./endpoint-call.ts";
import type { Endpoint } from "./endpoint.ts";
import { defaultFileFault } from "./files/file-fault.ts";
import type { FieldKind } from "./request-fields.ts";
import { isRunMark } from "./run-marks.ts";
import { usageIn } from "./usage.ts";
import { valueText } from "../text/value-text.ts";

const path = "/embeddings";

const call: EndpointCall = {
  method: "POST",
  path,
  // As for a chat: whoever names a host alone means the usual place.
  below: (basePath) => (basePath === "" ? "/v1" : ""),
  contentType: "application/json",
  headers: {},
  keyWord: "Bearer",
  needsKey: false,
  request: ({ input_prompt: text = "", ...rest }, model) => ({
    method: "POST",
    path,
    body: jsonText({ ...rest, model, input: text }),
  }),
  outputOf: ({ json }) =>
    isJsonObject(json) && (Array.isArray(json["data"]) || toldError(json) !== undefined) ? json : null,
  isBroken: () => false,
  runOf: () => ({ id: null, url: null, createdAt: null }),
  failureIn: (output) => chatErrorText(output) ?? valueText(toldError(output)),
  lacksAnswer: () => null,
  notOurs: 'without "data"',
  failedRun: () => null,
  errorText: chatErrorText,
  meaning: chatMeaning,
  salvagesRuns: false,
  bodyOf: (output) => JSON.stringify(output),
};

/** Texts as vectors, as OpenAI's API and those that speak like it make them. Scorers ask it about one text at a time; it answers no case. */
export const embeddings: Endpoint = {
  runs: { key: "model", word: "model" },
  operation: "embeddings",
  call,
  asyncForm: null,

  fields: new Map<string, FieldKind>([["input_prompt", "text"]]),
  needs: [],
  leavesOut: () => false,
  fileFault: defaultFileFault,
  prompt: { fields: ["input_prompt"], missing: "no text" },
  promptField: () => null,
  fillsItself: () => false,
  takesColumnsAsVariables: false,

  kindOf: (output) => ("fault" in vectorIn(output) ? "empty" : "answered"),
  usageOf: ({ usage }) => usageIn(usage),
  tellsUsage: true,
  repeatsItself: true,
  textOf: vectorText,
  answersWith: "vector",
  readsWhole: false,
  valueOf: (output) => vectorText(output) ?? undefined,
  session: null,
  lacksHistory: null,
  historyFiles: [],
  historyEntry: ({ input_prompt: text = "" }) => ({ user: text, assistant: "" }),

  outputOfCell: saying,
  outputSaying: (text) => saying(text ?? ""),

  expectedText: (expected) => expected,
  comparableText: (answer) => answer,
  isOfAnswer: null,
  echoes: null,
  isVolatile: isRunMark,
};

/** A text as the numbers of its characters: no model was asked. */
function saying(text: string): JsonObject {
  return { data: [{ index: 0, embedding: Array.from(text, (letter) => letter.codePointAt(0) ?? 0) }] };
}

/** The vector of a reply, or the reason why there is none, after "the reply ...". */
export type FoundVector = { vector: Float64Array } | { fault: string };

/** Reads the vector of the one text that was sent: a list of numbers, or, where base64 was asked for, 32-bit floats. */
export function vectorIn(output: JsonObject): FoundVector {
  const { data } = output;
  if (!Array.isArray(data) || data.length === 0) return { fault: "holds no vector" };
  if (data.length > 1) return { fault: `holds ${data.length} vectors for one text` };
  const [first] = data;
  const written = isJsonObject(first) ? first["embedding"] : undefined;
  const numbers = typeof written === "string" ? floatsIn(written) : numbersIn(written);
  if ("fault" in numbers) return numbers;
  const { vector } = numbers;
  if (vector.length === 0) return { fault: "holds an empty vector" };
  if (vector.some((number) => !Number.isFinite(number))) return { fault: "holds a vector with what is no number" };
  if (vector.every((number) => number === 0)) return { fault: "holds a vector of zeros" };
  return { vector };
}

function numbersIn(written: JsonValue | undefined): FoundVector {
  if (!Array.isArray(written)) return { fault: "holds no list of numbers as the embedding" };
  if (!written.every((each) => typeof each === "number")) return { fault: "holds a vector with what is no number" };
  return { vector: Float64Array.from(written) };
}

/** Little-endian floats of 32 bits in base64. */
function floatsIn(text: string): FoundVector {
  const bytes = Buffer.from(text, "base64");
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
  if (!isBase64 || bytes.length % 4 !== 0)
    return { fault: "holds a text as the embedding that is no base64 of floats" };
  return { vector: Float64Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatLE(4 * place)) };
}

const shownNumbers = 4;

/** A vector as a person reads it; null: there is none. */
function vectorText(output: JsonObject): string | null {
  const found = vectorIn(output);
  if ("fault" in found) return null;
  const first = Array.from(found.vector.slice(0, shownNumbers), (number) => Number(number.toPrecision(4)));
  const more = found.vector.length > shownNumbers ? ", ..." : "";
  return `${found.vector.length} numbers: ${first.join(", ")}${more}`;
}
