import { jsonText, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { cleanAnswer } from "../../text/clean.ts";
import type { EndpointCall } from "../endpoint-call.ts";
import type { Endpoint } from "../endpoint.ts";
import { usageIn } from "../usage.ts";
import { isRunMark } from "../run-marks.ts";
import {
  chatAnswer,
  chatFailure,
  chatKind,
  chatMeaning,
  chatOutput,
  chatReason,
  chatRun,
  chatSaying,
  isBrokenStream,
} from "./chat-reply.ts";
import { fileNameOf } from "../files/case-file.ts";
import { defaultFileFault } from "../files/file-fault.ts";
import { asBase64, type FileMarks } from "../files/file-marks.ts";
import { type FieldKind, requestFields } from "../request-fields.ts";
import { imageParts, saidContent } from "../said-content.ts";

/** The fields of a case that become messages. */
const saidFields = ["system_prompt", "messages", "input_prompt", "input_images"] as const;

/** The fields of a chat's request that columns of the same name fill. */
const chatFields: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ["input_prompt", "text"],
  ["messages", "messages"],
  ["system_prompt", "text"],
  ["input_images", "list"],
  ["temperature", "number"],
  ["top_p", "number"],
  ["max_tokens", "number"],
  ["max_completion_tokens", "number"],
  ["seed", "number"],
  ["tools", "json"],
  ["response_format", "json"],
]);

/** True for a field that the service knows and a chat does not: a case that goes to both leaves it out here. */
function isServiceField(field: string): boolean {
  const [name = ""] = field.split(".");
  return requestFields.has(name) && !chatFields.has(name);
}

/** Formats of sound that a chat takes, by their media types. */
const soundFormats: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
]);

/** True for a field that a chat takes as a file and not as an address. */
const isSaidAsFile = (field: string): boolean => field === "input_audio" || field === "input_documents";

/** The reason why a file, or an address (null), cannot stand in a field of a chat. */
function chatFileFault(field: string, type: string | null): string | null {
  if (type === null) return isSaidAsFile(field) ? "is an address, and a chat takes it as a file only" : null;
  if (field === "input_audio" && !soundFormats.has(type)) return `is ${type}, and a chat takes sound as WAV or MP3`;
  return defaultFileFault(field, type);
}

/** The body of a chat's request: what a case says becomes messages, what a chat does not know is left out, the rest stays. */
function chatBody(input: JsonObject, { model, files }: { model: string; files: FileMarks }): JsonObject {
  const rest = Object.entries(input).filter(
    ([name]) => !saidFields.some((field) => field === name) && !isServiceField(name),
  );
  return { ...Object.fromEntries(rest), model, messages: messagesOf(input, files) };
}

function messagesOf(input: JsonObject, files: FileMarks): JsonValue[] {
  const { system_prompt: system, messages } = input;
  const before = Array.isArray(messages) ? messages : [];
  const said = chatContent(input, files);
  const hasSystem = before.some((entry) => isJsonObject(entry) && entry["role"] === "system");
  return [
    // A conversation carries its own from turn to turn.
    ...(typeof system === "string" && system.trim() !== "" && !hasSystem ? [{ role: "system", content: system }] : []),
    ...before,
    ...(said === null ? [] : [{ role: "user", content: said }]),
  ];
}

/** The content of what the user says in a case; null: nothing, the history ends with it. */
function chatContent(input: JsonObject, files: FileMarks): JsonValue | null {
  return saidContent(input["input_prompt"], shownParts(input, files));
}

/** Images by their addresses or as files, sound and documents as files. */
function shownParts(input: JsonObject, files: FileMarks): JsonValue[] {
  const { input_images: images, input_audio: audio, input_documents: documents } = input;
  const sound = files.fileOf(audio);
  return [
    ...imageParts(images),
    ...(audio === undefined || sound === null
      ? []
      : [{ type: "input_audio", input_audio: { data: asBase64(audio), format: soundFormats.get(sound.type) ?? "" } }]),
    ...(Array.isArray(documents) ? documents : []).flatMap((mark): JsonValue[] => {
      const file = files.fileOf(mark);
      return file === null ? [] : [{ type: "file", file: { filename: fileNameOf(file), file_data: mark } }];
    }),
  ];
}

const path = "/chat/completions";

const call: EndpointCall = {
  method: "POST",
  path,
  // Whoever names a host alone means the usual place; any other base URL says where the API begins.
  below: (basePath) => (basePath === "" ? "/v1" : ""),
  contentType: "application/json",
  headers: {},
  keyWord: "Bearer",
  // Servers on one's own machine have none.
  needsKey: false,
  request: (body, model, files) => ({ method: "POST", path, body: jsonText(chatBody(body, { model, files })) }),
  outputOf: chatOutput,
  isBroken: isBrokenStream,
  runOf: chatRun,
  failureIn: chatFailure,
  lacksAnswer: () => null,
  notOurs: 'without "choices"',
  failedRun: () => null,
  errorText: chatReason,
  meaning: chatMeaning,
  salvagesRuns: false,
  bodyOf: (output, { id }) => JSON.stringify(id === null ? output : { id, ...output }),
};

/** A chat as OpenAI's API has it, and everything that speaks like it. */
export const chatCompletions: Endpoint = {
  runs: { key: "model", word: "model" },
  operation: "chat",
  call,
  asyncForm: null,

  fields: chatFields,
  needs: [],
  leavesOut: (field, isFile) => isServiceField(field) && !(isFile && isSaidAsFile(field)),
  fileFault: chatFileFault,
  prompt: {
    fields: ["input_prompt", "messages", "input_images", "input_audio", "input_documents"],
    missing: "no prompt, message or image",
  },
  promptField: (kind) => (kind === "question" ? "input_prompt" : "system_prompt"),
  fillsItself: () => false,
  takesColumnsAsVariables: false,

  kindOf: chatKind,
  usageOf: ({ usage }) => usageIn(usage),
  tellsUsage: true,
  repeatsItself: false,
  textOf: chatAnswer,
  answersWith: "text",
  readsWhole: false,
  valueOf: (output) => chatAnswer(output) ?? undefined,
  session: null,
  lacksHistory: null,
  historyFiles: ["input_images", "input_audio", "input_documents"],
  historyEntry: (input, output, files) => ({
    user: chatContent(input, files) ?? "",
    assistant: chatAnswer(output) ?? "",
  }),

  outputOfCell: (text) => chatSaying(text.trim() === "" ? null : text),
  outputSaying: chatSaying,

  expectedText: (expected) => expected,
  comparableText: cleanAnswer,
  isOfAnswer: (at) => called.test(at),
  echoes: null,
  isVolatile: (at) => unlike.test(at) || isRunMark(at),
};

/** The functions that an answer asks to be called, which a reply may say in place of a text. */
const called =
  /^choices\[\]\.message\.(?:tool_calls(?:\[\]|\[\]\.function(?:\.name|\.arguments)?)?|function_call(?:\.name|\.arguments)?)$/;

/** Members that differ on every run, and the texts of the answer, whose distance is measured. */
const unlike =
  /^(?:created|usage|system_fingerprint|service_tier|choices\[\]\.(?:logprobs|message\.(?:content|refusal|reasoning|reasoning_content|annotations)))$/;
