import type { EmbeddingsRequest } from "../../api/embeddings-schema.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { tokensIn } from "./served-chat.ts";

/** The request to a bot that makes vectors: its texts, and how many numbers each is to have. */
export function embeddingBody(asked: EmbeddingsRequest): JsonObject {
  const texts = [asked.input].flat();
  const { dimensions } = asked;
  return {
    input_prompt: texts.join("\n\n"),
    messages: [],
    variables: { texts, ...(typeof dimensions === "number" && { dimensions }) },
  };
}

/** The output of such a bot as the reply of an API for embeddings; a reply that is no vector stays a text. */
export function embeddingsAnswer(
  { output_text: replies }: JsonObject,
  { model, input, encoding_format: format }: EmbeddingsRequest,
): JsonObject {
  const data = (Array.isArray(replies) ? replies : []).map((reply, index) => {
    const vector = typeof reply === "string" ? vectorIn(reply) : [];
    return { object: "embedding", index, embedding: format === "base64" ? asFloats(vector) : vector };
  });
  const tokens = [input].flat().reduce((sum, text) => sum + tokensIn(text), 0);
  return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

function vectorIn(reply: string): number[] {
  const value: JsonValue = JSON.parse(reply);
  return Array.isArray(value) ? value.map(Number) : [];
}

function asFloats(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  vector.forEach((number, place) => bytes.writeFloatLE(number, 4 * place));
  return bytes.toString("base64");
}
