import type { Endpoint } from "../../api/api.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../lib/json.ts";
import { answerOf } from "../../text/answer.ts";

/**
 * The answer of a target, from a stored body: the replies of a bot joined by a blank line (those before post-processing
 * if there are no others), or a function's return value, text as it is and anything else as JSON. Null when there is no
 * answer or the body is no record.
 */
export function answerTextOf(endpoint: Endpoint, body: string | null): string | null {
  const output = outputOf(body);
  return output === null ? null : answerOf(endpoint, output);
}

/** The `output` of a stored body; null when the body does not parse or has none. */
export function outputOf(body: string | null): JsonObject | null {
  if (body === null) return null;
  try {
    const record: unknown = JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
    return isJsonObject(record) && isJsonObject(record["output"]) ? record["output"] : null;
  } catch {
    return null;
  }
}
