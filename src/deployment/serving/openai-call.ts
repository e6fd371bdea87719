import type { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { type HttpAnswer, jsonAnswer } from "../answers/http-answer.ts";
import { Refusal } from "../answers/refusal.ts";
import { serviceError } from "../endpoints/served-chat.ts";
import type { AnswerDelivery } from "../faults/answer-delivery.ts";
import type { Service } from "../service.ts";
import { answerCall, type Call } from "./call.ts";

/** An endpoint of OpenAI's API that a bot of this deployment serves. */
interface OpenAiEndpoint<Asked extends { model: string }> {
  schema: z.ZodType<Asked>;
  /** The request to the bot; raises Refusal for one that it cannot take. */
  bodyOf: (asked: Asked) => JsonObject;
  /** The answer that tells of a run in the form of the API; the same answer where it is no run. */
  complete: (record: JsonObject, asked: Asked, answer: HttpAnswer) => HttpAnswer;
}

/** Answers a request by the bot whose id is the model: the same checks, limits, credits and faults, told as that API tells them. */
export async function answerInOpenAi<Asked extends { model: string }>(
  service: Service,
  call: Call,
  { schema, bodyOf, complete }: OpenAiEndpoint<Asked>,
): Promise<AnswerDelivery> {
  try {
    service.keys.caller(call.authorization);
    const asked = readAsked(call.text, schema);
    if (call.entry !== null) call.entry.exampleId = asked.model;
    const text = JSON.stringify(bodyOf(asked));
    const made = { ...call, exampleId: asked.model, contentType: "application/json", text };
    const { answer, fault } = await answerCall(service, made);
    const body = ownBody(answer);
    if (body === null) return { answer, fault };
    if (answer.status === 200) return { answer: complete(body, asked, answer), fault };
    return { answer: toldError(body, answer, asked.model), fault };
  } catch (error) {
    return { answer: toldRefusal(error), fault: null };
  }
}

/** The answer of `/v1/models`: every bot is a model. */
export function modelsAnswer(service: Service, authorization: string | undefined): HttpAnswer {
  try {
    service.keys.caller(authorization);
  } catch (error) {
    return toldRefusal(error);
  }
  const data = service.configurations
    .of("video-bots")
    .map(({ id }) => ({ id, object: "model", created: 0, owned_by: "tandem" }));
  return jsonAnswer(200, { object: "list", data });
}

function toldRefusal(error: unknown): HttpAnswer {
  if (!(error instanceof Refusal)) throw error;
  const body = ownBody(error.answer);
  return body === null ? error.answer : toldError(body, error.answer, "");
}

function readAsked<Asked extends { model: string }>(text: string, schema: z.ZodType<Asked>): Asked {
  const sent = parsed(text);
  if (sent === undefined) throw new Refusal(openAiError(400, "We could not parse the JSON body of your request."));
  const checked = schema.safeParse(sent);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const param = (issue?.path ?? []).map(String).join(".");
    throw new Refusal(openAiError(400, `Invalid '${param}': ${issue?.message ?? "it does not fit"}.`, { param }));
  }
  if (checked.data.model.trim() === "") throw new Refusal(openAiError(400, "you must provide a model parameter"));
  return checked.data;
}

/** The body of an answer of the service; null for pages of proxies, and answers that have the form of the API already. */
function ownBody({ body: text }: HttpAnswer): JsonObject | null {
  const body = parsed(text.toString());
  return isJsonObject(body) && body["error"] === undefined ? body : null;
}

/** The service's refusal in the form of the API. */
function toldError(body: JsonObject, { status, headers }: HttpAnswer, model: string): HttpAnswer {
  const { text, hasRun } = serviceError(body);
  const said = text ?? `HTTP ${status}`;
  if (status === 402)
    return openAiError(429, "You exceeded your current quota.", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    });
  if (hasRun || status >= 500) return openAiError(status >= 500 ? status : 500, said, { type: "server_error" });
  if (status === 401 || status === 403) return openAiError(401, said, { code: "invalid_api_key" });
  if (status === 404) {
    return openAiError(404, `The model \`${model}\` does not exist.`, { code: "model_not_found" });
  }
  if (status !== 429) return openAiError(400, `The request does not fit: ${JSON.stringify(body["detail"])}`);
  const limited = openAiError(429, said, { type: "requests", code: "rate_limit_exceeded" });
  return { ...limited, headers: { ...headers, ...limited.headers } };
}

/** An error as that API tells it. */
export function openAiError(
  status: number,
  message: string,
  {
    type = "invalid_request_error",
    param = null,
    code = null,
  }: { type?: string; param?: string | null; code?: string | null } = {},
): HttpAnswer {
  return jsonAnswer(status, { error: { message, type, param, code } });
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
