import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { type HttpAnswer, jsonAnswer } from "../answers/http-answer.ts";
import { deliver } from "../faults/answer-delivery.ts";
import { readBytes, readText } from "../answers/incoming-body.ts";
import type { JournalEntry } from "./request-journal.ts";
import { keyFrom, maskKey } from "../access/keys.ts";
import { Refusal, unprocessable } from "../answers/refusal.ts";
import { answerCall, uidOf } from "./call.ts";
import type { Service } from "../service.ts";
import { requestFields } from "../../api/request-fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { dataUrl } from "../data-url.ts";

/** One request to an endpoint on its connection. */
export interface ServedRequest {
  endpoint: ServiceEndpoint;
  exampleId: string;
  /** True for the asynchronous form: the run is taken, and its answer fetched later. */
  isAsync: boolean;
  /** `http://host:port` as the caller sees it. */
  origin: string;
  /** It comes as a form that may hold files; left out: as JSON. */
  isForm?: boolean;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** The way in which it is answered; left out: as the service does. */
  answer?: typeof answerCall;
}

/** Receives one POST, writes it down, answers it, and writes down what became of it. Never rejects. */
export async function exchangeRun(service: Service, exchange: ServedRequest): Promise<void> {
  const { endpoint, exampleId, incoming, outgoing, answer = answerCall } = exchange;
  const { authorization } = incoming.headers;
  const sent = await readSent(incoming, exchange.isForm === true).catch((error: unknown) => refusalOf(error));
  if (sent === null) return;
  if (!("text" in sent)) return deliver({ answer: sent, fault: null }, outgoing);
  const { text, contentType } = sent;
  const key = keyFrom(authorization);
  const body = key === null ? text : text.replaceAll(key, "[redacted]");
  const entry = service.journal.receive({ endpoint, exampleId, key: key === null ? null : maskKey(key), body });
  whenClosed(outgoing, () => {
    finish(service, entry, outgoing);
  });
  const call = { ...exchange, authorization, contentType, text, entry };
  await deliver(await answer(service, call), outgoing);
}

/** The content of a request as JSON text, and its type. */
async function readSent(
  incoming: IncomingMessage,
  isForm: boolean,
): Promise<{ text: string; contentType: string | undefined }> {
  const { "content-type": contentType } = incoming.headers;
  if (!isForm) return { text: await readText(incoming), contentType };
  return { text: await readForm(await readBytes(incoming), contentType ?? ""), contentType: "application/json" };
}

function finish(service: Service, entry: JournalEntry | null, outgoing: ServerResponse): void {
  const status = outgoing.writableFinished ? outgoing.statusCode : null;
  service.journal.done(entry, status);
  service.log.debug("request", { status, n: entry?.n, fault: entry?.fault });
}

/** The answer to a body that cannot be taken; null when the caller has gone. */
function refusalOf(error: unknown): HttpAnswer | null {
  return error instanceof Refusal ? error.answer : null;
}

function whenClosed(outgoing: ServerResponse, then: () => void): void {
  if (outgoing.destroyed) then();
  else outgoing.once("close", then);
}

/** The answer of `/v1/balance/` to this caller. */
export function balanceAnswer(service: Service, authorization: string | undefined): HttpAnswer {
  return refusing(() => jsonAnswer(200, { balance: service.credits.balance(service.keys.caller(authorization)) }));
}

/** The state of a run of the asynchronous form, for whoever sent it. */
export function statusAnswer(
  service: Service,
  { endpoint, runId, authorization }: { endpoint: ServiceEndpoint; runId: string; authorization: string | undefined },
): HttpAnswer {
  return refusing(() => service.asyncRuns.status(endpoint, runId, uidOf(service.keys.caller(authorization))));
}

function refusing(answer: () => HttpAnswer): HttpAnswer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/**
 * The JSON that a form stands for: its part `json`, with the files of the other parts in their fields, as data URLs. Refuses
 * (400, 422) what is no such form.
 */
async function readForm(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<string> {
  const form = await formOf(bytes, contentType);
  const written = form.get("json");
  if (typeof written !== "string")
    throw new Refusal(unprocessable([{ type: "missing", loc: ["body", "json"], msg: "Field required", input: null }]));
  const body = parsed(written);
  for (const field of new Set(form.keys())) {
    const files = form.getAll(field).filter((entry) => typeof entry !== "string");
    if (files.length > 0) body[field] = await withFiles(field, files, body[field]);
  }
  return JSON.stringify(body);
}

async function formOf(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new Refusal(jsonAnswer(400, { detail: "There was an error parsing the body" }));
  }
}

function parsed(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // The answer is the same for what is no JSON and for JSON that is no object.
  }
  const fault = { type: "dict_type", loc: ["body", "json"], msg: "Input should be a valid dictionary", input: text };
  throw new Refusal(unprocessable([fault]));
}

async function withFiles(field: string, files: File[], before: JsonValue | undefined): Promise<JsonValue> {
  const kind = requestFields.get(field);
  if (kind !== "list" && kind !== "text")
    throw new Refusal(jsonAnswer(400, { detail: `Invalid file field "${field}"` }));
  const urls: string[] = [];
  for (const file of files) urls.push(dataUrl(Buffer.from(await file.arrayBuffer()), file.type, file.name));
  return kind === "list" ? [...(Array.isArray(before) ? before : []), ...urls] : (urls[0] ?? "");
}
