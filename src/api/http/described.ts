import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { markupOf } from "../../lib/markup.ts";
import { cleanAnswer } from "../../text/clean.ts";
import { chatErrorText, toldError } from "../chat/chat-error.ts";
import type { EndpointCall, ReceivedReply, ReplyRun } from "../endpoint-call.ts";
import type { Endpoint } from "../endpoint.ts";
import { defaultFileFault } from "../files/file-fault.ts";
import { isRunMark } from "../run-marks.ts";
import { type HttpDescription, storedDescription } from "./description.ts";
import { sessionField } from "../session-field.ts";
import { askingFields, fieldKinds, neededFields, requestForm, type RequestForm } from "./http-request.ts";
import { compilePath } from "../../text/json-path.ts";
import { joinedTexts, valueText } from "../../text/value-text.ts";
import { endOfStream, eventData, lineData } from "../event-stream.ts";
import { isNoValue } from "../no-value.ts";
import { type Usage, usageIn } from "../usage.ts";

/** The endpoint that a JSON text describes. Raises an Error for a text that describes none. */
export function describedEndpoint(text: string): Endpoint {
  const description = storedDescription.parse(JSON.parse(text));
  const request = requestForm(description);
  const reply = replyForm(description);
  const { textOf } = reply;
  // The service fills it.
  const uses = request.uses.filter((name) => description.session === undefined || name !== sessionField);
  const asking = askingFields(uses);
  return {
    runs: null,
    operation: "invoke_agent",
    call: callOf(description, request, reply),
    asyncForm: null,

    fields: fieldKinds(uses),
    needs: neededFields(uses),
    leavesOut: (field, isFile) => isFile && !request.uses.includes(field.split(".")[0] ?? ""),
    fileFault: (field, type) => fileFault(request, field, type),
    prompt: asking.length === 0 ? null : { fields: asking, missing: "nothing in the fields that ask" },
    promptField: (kind) => promptFields[kind].find((field) => fieldKinds(request.uses).has(field)) ?? null,
    fillsItself: () => false,
    takesColumnsAsVariables: request.uses.includes("variables"),

    kindOf(output) {
      if (textOf(output) === null) return "empty";
      return reply.errorOf(output) === null ? "answered" : "warning";
    },
    usageOf: reply.usageOf,
    tellsUsage: description.usage !== undefined,
    repeatsItself: false,
    textOf,
    answersWith: "text",
    readsWhole: description.answer === undefined,
    valueOf: (output) => textOf(output) ?? undefined,
    session: {
      of: description.session === undefined ? null : reply.sessionOf,
      isSent: request.uses.includes(sessionField),
      path: description.session ?? null,
      uses: [...fieldKinds(uses).keys()].filter((name) => name !== "messages" && !asking.includes(name)),
    },
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
    isOfAnswer: description.answer === undefined ? null : () => false,
    echoes: null,
    isVolatile: (path) => path === "$" || path === "$answer" || isRunMark(path),
  };
}

/** Fields that a prompt file may become, where the description has a place for one of them. */
const promptFields = {
  question: ["input_prompt", "prompt"],
  instructions: ["system_prompt", "prompt", "instructions"],
};

function fileFault({ takesNoFilesOf }: RequestForm, field: string, type: string | null): string | null {
  const [name = ""] = field.split(".");
  if (type !== null && takesNoFilesOf.has(name))
    return "is a file, which the path, query and form of the endpoint cannot hold: write multipart in place of form";
  return defaultFileFault(field, type);
}

function callOf(
  description: HttpDescription,
  { contentType, make }: RequestForm,
  { outputOf, breaksOff, textOf, errorOf, runOf, finds }: ReplyForm,
): EndpointCall {
  const { method, path, headers = {}, statuses = {}, answer, stream = false } = description;
  // Without a path to the answer the whole reply is one, an error as well.
  const saysNothing = (output: JsonObject): boolean =>
    textOf(output) === null || (answer === undefined && holdsErrorAlone(output));
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
    failureIn: (output) => (saysNothing(output) ? (errorOf(output) ?? errorAlone(output)) : null),
    lacksAnswer: (output) => (finds(output) ? null : `${answer} finds nothing in the reply`),
    notOurs: "of another form",
    failedRun: () => null,
    errorText: (json) => (isJsonObject(json) ? errorOf(json) : null) ?? chatErrorText(json),
    meaning: (status) => statuses[String(status)] ?? null,
    salvagesRuns: false,
    bodyOf: (output) => JSON.stringify(output),
  };
}

/** The members that stand beside an error in a reply that tells nothing else. */
const besideError =
  /^(?:errors?|error_?(?:code|message|type|description)|message|detail|code|status|status_?code|type|object|param|title|timestamp|path|request_?id|trace_?id|success|ok)$/i;

const holdsErrorAlone = (output: JsonObject): boolean =>
  toldError(output) !== undefined && Object.keys(output).every((name) => besideError.test(name));

/** The words of an error at the place where most services have it. */
const errorAlone = (output: JsonObject): string | null =>
  toldError(output) === undefined ? null : (chatErrorText(output) ?? valueText(toldError(output)));

/** Where an output keeps a reply that is no object, an answer that stands nowhere in it, and error and usage of a stream. */
const [whole, said, failed, used, kept] = ["$", "$answer", "$error", "$usage", "$session"];

/** The places in a reply that a description names, made ready. */
interface ReplyForm {
  /** The object that a reply is, or what it is below `$`; of a stream the joined answer. */
  outputOf: (reply: ReceivedReply) => JsonObject | null;
  /** True for a stream of JSON whose last event is only the beginning of one. */
  breaksOff: (reply: ReceivedReply) => boolean;
  textOf: (output: JsonObject) => string | null;
  errorOf: (output: JsonObject) => string | null;
  runOf: (reply: ReceivedReply) => ReplyRun;
  usageOf: (output: JsonObject) => Usage | null;
  /** The conversation that a reply says it is of; null: it does not say. */
  sessionOf: (output: JsonObject) => JsonValue | null;
  /** True where there is an answer, or the place of it. */
  finds: (output: JsonObject) => boolean;
}

function replyForm(description: HttpDescription): ReplyForm {
  const { answer, id, url, created_at: createdAt, error, usage, session, stream = false } = description;
  const paths = [answer, id, url, createdAt, error, usage, session].map((path) =>
    path === undefined ? null : compilePath(path),
  );
  const [
    answerAt = null,
    idAt = null,
    urlAt = null,
    createdAtAt = null,
    errorAt = null,
    usageAt = null,
    sessionAt = null,
  ] = paths;
  const answersIn = (value: JsonValue): JsonValue[] => (answerAt === null ? [value] : answerAt.values(value));
  const joined = (events: readonly JsonValue[]): JsonObject => {
    const parts = events.flatMap(answersIn).map((part) => valueText(part) ?? "");
    const reported = firstText(errorAt, events);
    // One that is not looked for has ended the stream: its answer is not whole.
    const broke =
      errorAt === null
        ? events
            .filter(isJsonObject)
            .map(errorAlone)
            .find((words) => words !== null)
        : null;
    // A stream counts on: the last event that tells is right.
    const talk = firstValue(sessionAt, events);
    const tokens = usageAt === null ? undefined : events.flatMap((event) => usageAt.values(event)).at(-1);
    return {
      [said]: typeof broke === "string" ? null : filled(parts.join("")),
      ...((broke ?? reported) !== null && { [failed]: broke ?? reported }),
      ...(tokens !== undefined && { [used]: tokens }),
      ...(talk !== null && { [kept]: talk }),
    };
  };
  const breaksOff = (reply: ReceivedReply): boolean => stream && answerAt !== null && endsInHalf(reply);
  return {
    breaksOff,
    outputOf(reply) {
      if (breaksOff(reply)) return null;
      const events = stream ? eventsOf(reply) : answerAt === null ? null : linesOf(reply);
      const found = events === null ? null : joined(events);
      return found === null || (!stream && found[said] === null) ? plainOutput(reply, answerAt !== null) : found;
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
    sessionOf: (output) => output[kept] ?? firstValue(sessionAt, [unwrapped(output)]),
    finds(output) {
      if (Object.hasOwn(output, said)) return output[said] !== null;
      return answerAt === null || answersIn(unwrapped(output)).length > 0;
    },
  };
}

/** An output that says a text, wherever an endpoint keeps its answer. */
const outputWithAnswer = (text: string | null): JsonObject => ({ [said]: text });

/** The data of the events of a stream, JSON as the value that it is; null for a reply that is none. */
function eventsOf({ json, text }: ReceivedReply): JsonValue[] | null {
  const events = json === undefined ? (eventData(text()) ?? lineData(text())) : null;
  if (events === null) return null;
  return events.filter((data) => data !== endOfStream).map((data) => parsedJson(data) ?? data);
}

/** The objects of a reply that has one a line, all of them whole; null for any other. */
function linesOf({ json, text }: ReceivedReply): JsonValue[] | null {
  const lines = json === undefined ? lineData(text()) : null;
  const objects = lines?.map(parsedJson) ?? [];
  return objects.length > 0 && objects.every(isJsonObject) ? objects : null;
}

/** True where the data of the last event begin like JSON and are none; words that end a stream, `END` or `[END]`, do not. */
function endsInHalf({ json, text }: ReceivedReply): boolean {
  const last =
    json === undefined ? (eventData(text()) ?? lineData(text()))?.findLast((data) => data !== endOfStream) : undefined;
  return last !== undefined && /^\s*(?:[{"]|\[(?!\w*\]\s*$))/.test(last) && parsedJson(last) === undefined;
}

/** Where a path leads into the reply, it must be JSON; a document in HTML or XML is no answer of any endpoint. */
function plainOutput({ json, text }: ReceivedReply, mustBeJson: boolean): JsonObject | null {
  if (isJsonObject(json)) return json;
  if (json !== undefined) return { [whole]: json };
  const plain = text();
  return mustBeJson || markupOf(plain) !== null ? null : { [whole]: plain };
}

type Path = ReturnType<typeof compilePath> | null;

/** The first value at the end of a path into any of the values; null: there is none. */
const firstValue = (path: Path, values: readonly JsonValue[]): JsonValue | null =>
  values.flatMap((value) => path?.values(value) ?? []).find((value) => !isNoValue(value)) ?? null;

/** The same as text. */
function firstText(path: Path, values: readonly JsonValue[]): string | null {
  return valueText(firstValue(path, values));
}

function unwrapped(output: JsonObject): JsonValue {
  const reply = output[whole];
  return reply === undefined || Object.keys(output).length > 1 ? output : reply;
}

/** A text that is more than blank, or null. */
function filled(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
