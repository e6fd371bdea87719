import { type EmbeddingsRequest, embeddingsRequest } from "../../api/embeddings-schema.ts";
import { runIn } from "../../api/service-call.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { HttpAnswer } from "../answers/http-answer.ts";
import { Refusal } from "../answers/refusal.ts";
import { embeddingBody, embeddingsAnswer } from "../endpoints/served-embeddings.ts";
import type { AnswerDelivery } from "../faults/answer-delivery.ts";
import type { Service } from "../service.ts";
import type { Call } from "./call.ts";
import { answerInOpenAi, openAiError } from "./openai-call.ts";

/** Answers a request for embeddings by the bot whose id is the model, if that bot makes vectors. */
export function answerEmbeddings(service: Service, call: Call): Promise<AnswerDelivery> {
  return answerInOpenAi<EmbeddingsRequest>(service, call, {
    schema: embeddingsRequest,
    bodyOf(asked) {
      const bot = service.configurations.find("video-bots", asked.model);
      if (bot !== null && !bot.embeds) {
        throw new Refusal(openAiError(400, `The model \`${asked.model}\` makes no embeddings.`, { param: "model" }));
      }
      return embeddingBody(asked);
    },
    complete: (record, asked, answer): HttpAnswer => {
      const { output } = record;
      if (!isJsonObject(output) || runIn(record).id === null) return answer;
      return { ...answer, body: JSON.stringify(embeddingsAnswer(output, asked)) };
    },
  });
}
