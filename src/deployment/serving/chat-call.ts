import { type ChatRequest, chatRequest } from "../../api/chat/chat-schema.ts";
import { runIn } from "../../api/service-call.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { type HttpAnswer, jsonAnswer } from "../answers/http-answer.ts";
import { Refusal } from "../answers/refusal.ts";
import { botBody, chatReply, serviceError, streamOf } from "../endpoints/served-chat.ts";
import type { AnswerDelivery } from "../faults/answer-delivery.ts";
import type { Service } from "../service.ts";
import { answerCall, type Call } from "./call.ts";

/** Answers a chat's request by the bot whose id is the model: the same checks, limits, credits and faults, told as a chat tells them. */
export async function answerChat(service: Service, call: Call): Promise<AnswerDelivery> {
  try {
    service.keys.caller(call.authorization);
    const asked = readChat(call.text);
    if (call.entry !== null) call.entry.exampleId = asked.model;
    const made = {
      ...call,
      exampleId: asked.model,
      contentType: "application/json",
      text: JSON.stringify(botBody(asked)),
    };
    const { answer, fault } = await answerCall(service, made);
    return { answer: toldAsChat(answer, asked), fault };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: toldAsChat(error.answer, null), fault: null };
  }
}

function readChat(text: string): ChatRequest {
  const sent = parsed(text);
  if (sent === undefined) throw new Refusal(chatError(400, "We could not parse the JSON body of your request."));
  const checked = chatRequest.safeParse(sent);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const param = (issue?.path ?? []).map(String).join(".");
    throw new Refusal(chatError(400, `Invalid '${param}': ${issue?.message ?? "it does not fit"}.`, { param }));
  }
  if (checked.data.model.trim() === "") throw new Refusal(chatError(400, "you must provide a model parameter"));
  return checked.data;
}

/** The service's answer in the forms of a chat; pages of proxies, and answers that have its form already, stay as they are. */
function toldAsChat(answer: HttpAnswer, asked: ChatRequest | null): HttpAnswer {
  const body = parsed(answer.body.toString());
  if (!isJsonObject(body) || body["error"] !== undefined) return answer;
  const { status, headers } = answer;
  if (status === 200) return asked === null ? answer : completed(body, asked, answer);
  const { text, hasRun } = serviceError(body);
  const said = text ?? `HTTP ${status}`;
  if (status === 402)
    return chatError(429, "You exceeded your current quota.", {
      type: "insufficient_quota",
      code: "insufficient_quota",
    });
  if (hasRun || status >= 500) return chatError(status >= 500 ? status : 500, said, { type: "server_error" });
  if (status === 401 || status === 403) return chatError(401, said, { code: "invalid_api_key" });
  if (status === 404) {
    const message = `The model \`${asked?.model ?? ""}\` does not exist.`;
    return chatError(404, message, { code: "model_not_found" });
  }
  if (status !== 429) return chatError(400, `The request does not fit: ${JSON.stringify(body["detail"])}`);
  const limited = chatError(429, said, { type: "requests", code: "rate_limit_exceeded" });
  return { ...limited, headers: { ...headers, ...limited.headers } };
}

function completed(record: JsonObject, asked: ChatRequest, answer: HttpAnswer): HttpAnswer {
  const { output } = record;
  const { id, createdAt } = runIn(record);
  if (!isJsonObject(output) || id === null || createdAt === null) return answer;
  const created = Math.floor(Date.parse(createdAt) / 1000);
  const reply = chatReply({ id, created, output }, asked);
  if (asked.stream !== true) return { ...answer, body: JSON.stringify(reply) };
  return { ...answer, headers: { ...answer.headers, "content-type": "text/event-stream" }, body: streamOf(reply) };
}

function chatError(
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
