import { isJsonObject } from "../../lib/json.ts";
import { cleanAnswer } from "../../text/clean.ts";
import { chatErrorText } from "../chat/chat-error.ts";
import type { EndpointCall } from "../endpoint-call.ts";
import type { Endpoint } from "../endpoint.ts";
import { usualFileFault } from "../files/file-fault.ts";
import { isRunMark } from "../run-marks.ts";
import { httpDescription, type HttpDescription } from "./description.ts";
import { askingFields, fieldKinds, neededFields, requestForm, type RequestForm } from "./http-request.ts";
import { outputWithAnswer, replyForm, type ReplyForm } from "./http-reply.ts";

/** The endpoint that a JSON text describes. Raises an Error for a text that describes none. */
export function describedEndpoint(text: string): Endpoint {
  const description = httpDescription.parse(JSON.parse(text));
  const request = requestForm(description);
  const reply = replyForm(description);
  const { textOf } = reply;
  const asking = askingFields(request.uses);
  return {
    runs: null,
    operation: "invoke_agent",
    call: callOf(description, request, reply),
    asyncForm: null,

    fields: fieldKinds(request.uses),
    needs: neededFields(request.uses),
    leavesOut: (field, isFile) => isFile && !request.uses.includes(field.split(".")[0] ?? ""),
    fileFault: (field, type) => fileFault(request, field, type),
    prompt: asking.length === 0 ? null : { fields: asking, missing: "nothing in the fields that ask" },
    takesColumnsAsVariables: request.uses.includes("variables"),

    kindOf(output) {
      if (textOf(output) === null) return "empty";
      return reply.errorOf(output) === null ? "answered" : "warning";
    },
    usageOf: reply.usageOf,
    tellsUsage: description.usage !== undefined,
    textOf,
    answersWith: "text",
    valueOf: (output) => textOf(output) ?? undefined,
    lacksHistory: fieldKinds(request.uses).has("messages")
      ? null
      : {
          key: (["body", "form", "multipart", "query"] as const).find((key) => description[key] !== undefined) ?? null,
          message: "has no place for what was said before",
          advice:
            "Put it in under the name that the service gives it, such as `history: $messages` ($conversation is the same with the prompt at its end)",
        },
    historyFiles: [],
    historyEntry: ({ input_prompt: prompt }, output) => ({
      user: typeof prompt === "string" ? prompt : "",
      assistant: textOf(output) ?? "",
    }),

    outputOfCell: (cell) => outputWithAnswer(cell.trim() === "" ? null : cell),
    outputSaying: outputWithAnswer,

    expectedText: (expected) => expected,
    comparableText: cleanAnswer,
    // Which members differ on every run is not known of a reply of any form.
    isVolatile: (path) => path === "$" || path === "$answer" || isRunMark(path),
  };
}

function fileFault({ takesNoFilesOf }: RequestForm, field: string, type: string | null): string | null {
  const [name = ""] = field.split(".");
  if (type !== null && takesNoFilesOf.has(name))
    return "is a file, which the path, query and form of the endpoint cannot hold: write multipart in place of form";
  return usualFileFault(field, type);
}

function callOf(
  description: HttpDescription,
  { contentType, make }: RequestForm,
  { outputOf, breaksOff, textOf, errorOf, runOf, finds }: ReplyForm,
): EndpointCall {
  const { method, path, headers = {}, statuses = {}, answer, stream = false } = description;
  return {
    method,
    path,
    below: () => "",
    contentType,
    headers: stream ? { accept: "text/event-stream", ...headers } : headers,
    keyWord: "Bearer",
    needsKey: false,
    request: (body, _runs, files) => make(body, files),
    outputOf,
    // Which event is the last one is not known of a stream of any form.
    isBroken: breaksOff,
    runOf,
    failureIn: (output) => (textOf(output) === null ? errorOf(output) : null),
    lacksAnswer: (output) => (finds(output) ? null : `${answer} finds nothing in the reply`),
    notOurs: "of another form",
    failedRun: () => null,
    errorText: (json) => (isJsonObject(json) ? errorOf(json) : null) ?? chatErrorText(json),
    meaning: (status) => statuses[String(status)] ?? null,
    salvagesRuns: false,
    bodyOf: (output) => JSON.stringify(output),
  };
}
