import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpoints } from "../../api/endpoints.ts";
import { boundedJson, isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../lib/json.ts";

/**
 * The answer of a target, from a stored body: the replies of a bot joined by a blank line (those before post-processing
 * if there are no others), or a function's return value, text as it is and anything else as JSON. Null when there is no
 * answer or the body is no record.
 */
export function answerTextOf(endpoint: EndpointName, body: string | null): string | null {
  const output = outputOf(body);
  return output === null ? null : endpoints[endpoint].textOf(output);
}

/** The `output` of a stored body; null when the body does not parse or has none. */
export function outputOf(body: string | null): JsonObject | null {
  if (body === null) return null;
  try {
    const record = boundedJson(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
    return isJsonObject(record) && isJsonObject(record["output"]) ? record["output"] : null;
  } catch {
    return null;
  }
}
