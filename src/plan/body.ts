import type { Endpoint } from "../api/api.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject } from "../lib/json.ts";

/**
 * The body of a request: a case's input with the target's members laid over it, `variables` key by key.
 * video-bots always gets `input_prompt` and `messages`: what is left out there is filled from the saved configuration,
 * its demo prompt and history included. functions get what is mapped.
 */
export function requestBody(endpoint: Endpoint, input: JsonObject, targetBody: JsonObject): JsonObject {
  // The first spread copies a shape at once; names at the end of a literal would be copied one by one.
  const body: JsonObject = Object.keys(targetBody).length === 0 ? { ...input } : { ...input, ...targetBody };
  const [own, over] = [input["variables"], targetBody["variables"]];
  if (isJsonObject(own) && isJsonObject(over)) body["variables"] = { ...own, ...over };
  if (endpoint === "video-bots") {
    body["input_prompt"] ??= "";
    body["messages"] ??= [];
  }
  return body;
}
