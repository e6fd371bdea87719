import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the chat service received it. */
export interface Asked {
  path: string;
  authorization: string;
  body: { [member: string]: unknown };
  /** The text of the last message. */
  said: string;
}

export interface ChatService {
  url: string;
  asked: Asked[];
  close: () => Promise<void>;
}

/** A reply to a chat: `message` and what goes with it, or an error. */
export interface ChatReply {
  message?: { [member: string]: unknown };
  finish?: string;
  status?: number;
  error?: { message: string; type: string; param?: string | null; code?: string | null };
  headers?: Record<string, string>;
  /** Members of the reply itself, such as `system_fingerprint`. */
  top?: { [member: string]: unknown };
}

/** The members of a request for a chat completion, by OpenAI's public schema. */
const members = new Set(
  "messages model audio frequency_penalty logit_bias logprobs max_completion_tokens max_tokens metadata modalities n parallel_tool_calls prediction presence_penalty reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options".split(
    " ",
  ),
);
const roles = new Set(["developer", "system", "user", "assistant", "tool", "function"]);

const invalid = (message: string, param: string | null = null, code: string | null = null): ChatReply => ({
  status: 400,
  error: { message, type: "invalid_request_error", param, code },
});

/** The fault of a request by the schema; null: it is sound. */
function faultOf(body: { [member: string]: unknown }, models: readonly string[]): ChatReply | null {
  const unknown = Object.keys(body).find((name) => !members.has(name));
  if (unknown !== undefined) return invalid(`Unrecognized request argument supplied: ${unknown}`);
  const { model, messages, temperature } = body;
  if (typeof model !== "string") return invalid("you must provide a model parameter");
  if (!models.includes(model)) {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`;
    return { status: 404, error: { message, type: "invalid_request_error", param: null, code: "model_not_found" } };
  }
  if (!Array.isArray(messages) || messages.length === 0) return invalid("[] is too short - 'messages'", "messages");
  for (const [place, message] of (messages as { [member: string]: unknown }[]).entries()) {
    if (!roles.has(String(message["role"]))) return invalid("Invalid value", `messages[${place}].role`);
    const { content } = message;
    const isSound = typeof content === "string" || (Array.isArray(content) && content.length > 0);
    if (!isSound) return invalid("Invalid type for 'content'", `messages[${place}].content`);
  }
  if (temperature !== undefined && (typeof temperature !== "number" || temperature < 0 || temperature > 2))
    return invalid("Invalid 'temperature'", "temperature", "decimal_above_max_value");
  return null;
}

/**
 * A server of chat completions, written from OpenAI's public schema and not from tandem: it refuses what that schema does
 * not have. It ends with the test.
 */
export async function startChat(
  answer: (asked: Asked) => ChatReply,
  { models = ["gpt-test"], key = "sk-chat-0123456789", prefix = "/v1" } = {},
): Promise<ChatService> {
  const service: ChatService = { url: "", asked: [], close: async () => {} };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const authorization = request.headers.authorization ?? "";
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text === "" ? "{}" : text) as { [member: string]: unknown };
    const last = Array.isArray(body["messages"]) ? (body["messages"] as { content?: unknown }[]).at(-1)?.content : "";
    const asked = { path: request.url ?? "", authorization, body, said: typeof last === "string" ? last : "" };
    service.asked.push(asked);
    send(response, replyTo(asked), body);
  }
  function replyTo(asked: Asked): ChatReply {
    if (asked.path !== `${prefix}/chat/completions`)
      return { status: 404, error: { message: `Invalid URL (POST ${asked.path})`, type: "invalid_request_error" } };
    if (asked.authorization !== `Bearer ${key}`) {
      const message = `Incorrect API key provided: ${asked.authorization.slice(7)}.`;
      return {
        status: 401,
        error: { message, type: "invalid_request_error", param: null, code: "invalid_api_key" },
      };
    }
    return faultOf(asked.body, models) ?? answer(asked);
  }
  let number = 0;
  function send(response: ServerResponse, reply: ChatReply, body: { [member: string]: unknown }): void {
    const { status = 200, error, headers = {}, message = {}, finish = "stop", top = {} } = reply;
    const content = JSON.stringify(
      error === undefined
        ? {
            id: `chatcmpl-${(number++).toString().padStart(6, "0")}`,
            object: "chat.completion",
            created: 1_796_000_000 + number,
            model: body["model"],
            choices: [
              {
                index: 0,
                message: { role: "assistant", content: null, ...message },
                logprobs: null,
                finish_reason: finish,
              },
            ],
            usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
            system_fingerprint: "fp_test",
            ...top,
          }
        : { error: { param: null, code: null, ...error } },
    );
    response.writeHead(status, { "content-type": "application/json", "x-request-id": `req_${number}`, ...headers });
    response.end(content);
  }
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(() => service.close());
  return service;
}
