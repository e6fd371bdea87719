import { type ChatRequest, chatRequest } from "../../api/chat/chat-schema.ts";
import { runIn } from "../../api/service-call.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { HttpAnswer } from "../answers/http-answer.ts";
import { botBody, chatReply, streamOf } from "../endpoints/served-chat.ts";
import type { AnswerDelivery } from "../faults/answer-delivery.ts";
import type { Service } from "../service.ts";
import type { Call } from "./call.ts";
import { answerInOpenAi } from "./openai-call.ts";

/** Answers a chat's request by the bot whose id is the model. */
export function answerChat(service: Service, call: Call): Promise<AnswerDelivery> {
  return answerInOpenAi<ChatRequest>(service, call, {
    schema: chatRequest,
    bodyOf: botBody,
    complete: (record, asked, answer): HttpAnswer => {
      const { output } = record;
      const { id, createdAt } = runIn(record);
      if (!isJsonObject(output) || id === null || createdAt === null) return answer;
      const created = Math.floor(Date.parse(createdAt) / 1000);
      const reply = chatReply({ id, created, output }, asked);
      if (asked.stream !== true) return { ...answer, body: JSON.stringify(reply) };
      return { ...answer, headers: { ...answer.headers, "content-type": "text/event-stream" }, body: streamOf(reply) };
    },
  });
}
