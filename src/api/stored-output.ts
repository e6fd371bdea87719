import { parsedJson, type JsonObject } from "../lib/json.ts";
import { lostNumber, withLostNumbers } from "../lib/lost-digits.ts";
import type { EndpointName } from "./endpoint-name.ts";
import { endpointOf } from "./endpoints.ts";

/** The same with every digit of its numbers, where some of them have more than a number keeps; null: none has. */
export function exactOutput(endpoint: EndpointName, body: string | null): JsonObject | null {
  try {
    if (body === null || lostNumber(body) === null) return null;
  } catch {
    return null;
  }
  return endpointOf(endpoint).call.outputOf({ json: withLostNumbers(body), text: () => body });
}

/** The output in a stored body, by the endpoint that it came from; null when it is not as the endpoint answers. */
export function storedOutput(endpoint: EndpointName, body: string | null): JsonObject | null {
  if (body === null) return null;
  const text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body;
  return endpointOf(endpoint).call.outputOf({ json: parsedJson(text), text: () => text });
}
