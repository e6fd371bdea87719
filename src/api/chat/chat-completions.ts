import { jsonText } from "../../lib/json.ts";
import { cleanAnswer } from "../../text/clean.ts";
import type { EndpointCall } from "../endpoint-call.ts";
import type { Endpoint } from "../endpoint.ts";
import { usageIn } from "../usage.ts";
import { isRunMark } from "../run-marks.ts";
import { chatBody, chatContent, chatFields, chatFileFault, isSaidAsFile, isServiceField } from "./chat-fields.ts";
import { chatErrorText } from "./chat-error.ts";
import {
  chatAnswer,
  chatFailure,
  chatKind,
  chatMeaning,
  chatOutput,
  chatRun,
  chatSaying,
  isBrokenStream,
} from "./chat-reply.ts";

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
  errorText: chatErrorText,
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
  takesColumnsAsVariables: false,

  kindOf: chatKind,
  usageOf: ({ usage }) => usageIn(usage),
  tellsUsage: true,
  textOf: chatAnswer,
  answersWith: "text",
  valueOf: (output) => chatAnswer(output) ?? undefined,
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
  isVolatile: (at) => unlike.test(at) || isRunMark(at),
};

/** Members that differ on every run, and the texts of the answer, whose distance is measured. */
const unlike =
  /^(?:created|usage|system_fingerprint|service_tier|choices\[\]\.(?:logprobs|message\.(?:content|refusal|reasoning|reasoning_content|annotations)))$/;
