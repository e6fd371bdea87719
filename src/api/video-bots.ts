import type { JsonObject, JsonValue } from "../lib/json.ts";
import { asyncForm } from "./async-form.ts";
import { cleanAnswer } from "../text/clean.ts";
import { joinedTexts } from "../text/value-text.ts";
import type { Endpoint } from "./endpoint.ts";
import { defaultFileFault } from "./files/file-fault.ts";
import { isNoValue } from "./no-value.ts";
import { requestFields } from "./request-fields.ts";
import { isRunMark } from "./run-marks.ts";
import { imageParts, saidContent } from "./said-content.ts";
import { serviceCall } from "./service-call.ts";
import { videoBotsMembers } from "./video-bots-schema.ts";

const call = serviceCall("/v2/video-bots", filled, ["input_images", "input_audio", "input_documents"]);

/** A conversational bot: it is asked with a prompt and a history, and replies with texts. */
export const videoBots: Endpoint = {
  runs: { key: "example_id", word: "saved configuration" },
  operation: "invoke_agent",
  call,
  asyncForm: asyncForm("video-bots", call),

  fields: requestFields,
  needs: [],
  leavesOut: () => false,
  fileFault: defaultFileFault,
  prompt: {
    fields: ["input_prompt", "input_audio", "input_images", "input_documents"],
    missing: "no prompt, audio, image or document",
  },
  promptField: (kind) => (kind === "question" ? "input_prompt" : "bot_script"),
  fillsItself: (field) => !["input_prompt", "messages", "variables"].includes(field),
  takesColumnsAsVariables: false,

  kindOf(output) {
    if (!hasReply(output)) return "empty";
    return first(output["finish_reason"]) === "length" ? "truncated" : "answered";
  },
  usageOf: () => null,
  tellsUsage: false,
  repeatsItself: false,
  textOf,
  answersWith: "text",
  readsWhole: false,
  valueOf: (output) => textOf(output) ?? undefined,
  session: null,
  lacksHistory: null,
  historyFiles: ["input_images"],
  historyEntry: ({ input_prompt: prompt, input_images: images }, output) => ({
    user: saidContent(prompt, imageParts(images)) ?? "",
    assistant: firstText(output["output_text"]) ?? firstText(output["raw_output_text"]) ?? "",
  }),

  outputOfCell: (text) => ({ output_text: text.trim() === "" ? [] : [text] }),
  outputSaying: (text) => ({ output_text: text === null ? null : [text] }),

  expectedText: (expected) => expected,
  comparableText: cleanAnswer,
  isOfAnswer: null,
  echoes: (member) => !ofReply.has(member) && !isRunMark(member),
  isVolatile: (path) => unlikeMembers.has(path) || path === "references[].score" || isRunMark(path),
};

/** Fields that are left out are filled from the saved configuration, its demo prompt and history included. */
function filled(body: JsonObject): JsonObject {
  body["input_prompt"] ??= "";
  body["messages"] ??= [];
  return body;
}

/** The replies joined by a blank line; those before post-processing where there are no others. */
function textOf(output: JsonObject): string | null {
  return joinedTexts(output["output_text"]) ?? joinedTexts(output["raw_output_text"]);
}

/** The members of which at least one has a value when the bot replied. */
const replyMembers = ["output_text", "output_audio", "output_video", "output_documents", "raw_output_text"] as const;

function hasReply(output: JsonObject): boolean {
  for (const member of replyMembers) {
    if (!isNoValue(output[member])) return true;
  }
  return false;
}

/**
 * The value of the first reply, which is the one that is read: each of several replies has a finish reason. Fixture 11,
 * whose last of four replies is cut, counts as answered.
 */
function first(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The first reply is the one that the user saw. */
function firstText(value: JsonValue | undefined): string | null {
  const text = first(value);
  return typeof text === "string" ? text : null;
}

/** Members of the reply and of the question: any other member is of the configuration. */
const ofReply = new Set([...videoBotsMembers, "called_functions", "input_prompt", "messages", "variables"]);

/** Members that differ on every run, and the texts of the answer: their distance is measured, and not reported twice. */
const unlikeMembers = new Set([
  "output_text[]",
  "raw_output_text[]",
  "raw_tts_text[]",
  "output_text",
  "raw_output_text",
  "output_audio",
  "output_video",
  "output_documents",
  "metrics",
]);
