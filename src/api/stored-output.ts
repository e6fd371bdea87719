import { parsedJson, type JsonObject } from "../lib/json.ts";
import type { EndpointName } from "./endpoint-name.ts";
import { endpointOf } from "./endpoints.ts";

/** The output in a stored body, by the endpoint that it came from; null when it is not as the endpoint answers. */
export function storedOutput(endpoint: EndpointName, body: string | null): JsonObject | null {
  if (body === null) return null;
  const text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
  return endpointOf(endpoint).call.outputOf({ json: parsedJson(text), text: () => text });
}
