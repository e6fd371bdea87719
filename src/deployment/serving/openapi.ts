import { z } from "zod";
import { type ServiceEndpoint, serviceEndpoints } from "../../api/endpoint-name.ts";
import { chatCompletion, chatError, chatRequest } from "../../api/chat/chat-schema.ts";
import { embeddingsReply, embeddingsRequest } from "../../api/embeddings-schema.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { errorText, errorWithRun, validationError } from "../../api/error-bodies.ts";
import { runRecord } from "../../api/run-record.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { version } from "../../lib/version.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";

const errors = { ErrorWithRun: errorWithRun, ErrorText: errorText, ValidationError: validationError };
const openAi = {
  ChatRequest: chatRequest,
  ChatCompletion: chatCompletion,
  ChatError: chatError,
  EmbeddingsRequest: embeddingsRequest,
  Embeddings: embeddingsReply,
};

/** Name to schema: the body and the record of each endpoint, then the errors. */
function allSchemas(): [string, z.ZodType][] {
  const ofEndpoints = serviceEndpoints.flatMap((name): [string, z.ZodType][] => {
    const { schemaName, body, output } = servedEndpoints[name];
    return [
      [`${schemaName}Body`, body],
      [`${schemaName}Record`, runRecord.extend({ output })],
    ];
  });
  return [...ofEndpoints, ...Object.entries(openAi), ...Object.entries(errors)];
}

/** The API as an OpenAPI 3.1 document, made from the schemas of src/api. */
export function openApi(): JsonObject {
  return {
    openapi: "3.1.0",
    info: { title: "Bot-conversation and function-execution API (local deployment)", version },
    security: [{ bearer: [] }],
    paths: {
      ...Object.fromEntries(serviceEndpoints.map((name) => [endpointOf(name).call.path, { post: operation(name) }])),
      "/v1/chat/completions": {
        post: openAiOperation({
          operationId: "chat-completions",
          summary: "The bots as a chat of OpenAI's API: the model is the id of a bot",
          request: "ChatRequest",
          reply: "ChatCompletion",
        }),
      },
      "/v1/embeddings": {
        post: openAiOperation({
          operationId: "embeddings",
          summary: "Texts as vectors, as OpenAI's API makes them: the model is the id of a bot with `embedding`",
          request: "EmbeddingsRequest",
          reply: "Embeddings",
        }),
      },
      "/v1/balance/": { get: { summary: "Credits that are left", responses: { "200": { description: "A balance" } } } },
      "/status": { get: { summary: "Says OK", security: [], responses: { "200": { description: '"OK"' } } } },
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(allSchemas().map(([name, schema]) => [name, jsonSchema(schema)])),
    },
  };
}

function operation(endpoint: ServiceEndpoint): JsonObject {
  const { summary, schemaName } = servedEndpoints[endpoint];
  return {
    operationId: endpoint,
    summary,
    parameters: [
      {
        name: "example_id",
        in: "query",
        schema: { type: "string" },
        description: "The saved configuration; without one, a default configuration runs.",
      },
    ],
    requestBody: { required: true, content: json(`${schemaName}Body`) },
    responses: {
      "200": { description: "The record of the run", content: json(`${schemaName}Record`) },
      "401": { description: "No or malformed Authorization", content: json("ErrorWithRun") },
      "402": { description: "Out of credits", content: json("ErrorWithRun") },
      "403": { description: "Unknown key", content: json("ErrorWithRun") },
      "404": { description: "Unknown example_id", content: json("ErrorText") },
      "405": { description: "Another method than POST", content: json("ErrorText") },
      "422": { description: "The body does not fit, or is not JSON", content: json("ValidationError") },
      "429": {
        description: "Too many requests in a window, or too many runs at once",
        headers: { "Retry-After": { schema: { type: "string" }, description: "Seconds, a decimal number" } },
        content: json("ErrorWithRun"),
      },
      "500": { description: "The run failed (`detail.id`), or the service itself", content: json("ErrorWithRun") },
    },
  };
}

function openAiOperation(given: { operationId: string; summary: string; request: string; reply: string }): JsonObject {
  const error = (description: string): JsonObject => ({ description, content: json("ChatError") });
  return {
    operationId: given.operationId,
    summary: given.summary,
    requestBody: { required: true, content: json(given.request) },
    responses: {
      "200": { description: "The reply", content: json(given.reply) },
      "400": error("The body does not fit, or is not JSON"),
      "401": error("No key, or an unknown one"),
      "404": error("Unknown model"),
      "429": error("Too many requests, or no credits left (`insufficient_quota`)"),
      "500": error("The run failed, or the service itself"),
    },
  };
}

function json(name: string): JsonObject {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}

function jsonSchema(schema: z.ZodType): JsonValue {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: "input", reused: "inline" }));
  const { $schema: _, ...rest }: JsonObject = JSON.parse(text);
  return moved(rest);
}

/** z.json() refers to a definition of its own; in a component such a reference would lead nowhere. */
function moved(schema: JsonObject): JsonObject {
  const { $defs: _, ...rest } = schema;
  const text = JSON.stringify(rest, (name, value: JsonValue) => (name === "$ref" ? undefined : value));
  const plain: JsonObject = JSON.parse(text);
  return plain;
}
