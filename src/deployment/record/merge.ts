import { type Endpoint, videoBotsBody } from "../../api/api.ts";
import { type JsonObject, isJsonObject } from "../../lib/json.ts";

/** The fields of a bot's request in the order in which a wide output echoes them. */
export const mergedFields = [
  "functions",
  "variables",
  "variables_schema",
  "input_prompt",
  "input_audio",
  "input_images",
  "input_documents",
  "messages",
  "bot_script",
  "selected_model",
  "documents",
  "max_references",
  "citation_style",
  "tts_provider",
  "num_outputs",
  "sampling_temperature",
  "max_tokens",
  "user_language",
];

/** Every field that a bot's request may set; others are dropped without a word. */
const knownFields = new Set([...mergedFields, ...Object.keys(videoBotsBody.shape), "settings"]);

/**
 * The request that really runs: every field present in the body replaces the saved one, `variables` merge key by
 * key. A bot's request keeps only fields the service knows; a function reads any field of its body by name.
 */
export function mergeRequest(endpoint: Endpoint, saved: JsonObject, body: JsonObject): JsonObject {
  const fields = Object.entries(body).filter(([name]) => endpoint === "functions" || knownFields.has(name));
  const merged: JsonObject = { ...saved, ...Object.fromEntries(fields) };
  const variables = { ...membersOf(saved.variables), ...membersOf(body.variables) };
  return { ...merged, variables };
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
