import type { EndpointName } from "../api/endpoint-name.ts";
import { endpoints } from "../api/endpoints.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject } from "../lib/json.ts";

/** The body of a request: a case's input with the target's members laid over it, as its endpoint wants it. */
export function requestBody(endpoint: EndpointName, input: JsonObject, targetBody: JsonObject): JsonObject {
  return endpoints[endpoint].fillBody(withTargetBody(input, targetBody));
}

/** A case's input with the target's members laid over it, `variables` key by key. */
export function withTargetBody(input: JsonObject, targetBody: JsonObject): JsonObject {
  // The first spread copies a shape at once; names at the end of a literal would be copied one by one.
  const body: JsonObject = Object.keys(targetBody).length === 0 ? { ...input } : { ...input, ...targetBody };
  const [own, over] = [input["variables"], targetBody["variables"]];
  if (isJsonObject(own) && isJsonObject(over)) body["variables"] = { ...own, ...over };
  return body;
}
