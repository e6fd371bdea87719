import type { HttpRequest } from "../api/endpoint-call.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import { callOf } from "../api/endpoints.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject } from "../lib/json.ts";

/** The receiver of a request: an endpoint, what runs there, and members that are laid over each case's input. */
export interface Receiver {
  endpoint: EndpointName;
  /** `submit`: in the asynchronous form. */
  part?: "submit" | undefined;
  exampleId: string;
  body: JsonObject;
}

/** The request for a case's input with the target's members laid over it, as its endpoint wants it. */
export function httpRequest({ endpoint, part, exampleId, body }: Receiver, input: JsonObject): HttpRequest {
  return callOf(endpoint, part).request(withTargetBody(input, body), exampleId);
}

/** A case's input with the target's members laid over it, `variables` key by key. */
export function withTargetBody(input: JsonObject, targetBody: JsonObject): JsonObject {
  // The first spread copies a shape at once; names at the end of a literal would be copied one by one.
  const body: JsonObject = Object.keys(targetBody).length === 0 ? { ...input } : { ...input, ...targetBody };
  const [own, over] = [input["variables"], targetBody["variables"]];
  if (isJsonObject(own) && isJsonObject(over)) body["variables"] = { ...own, ...over };
  return body;
}
