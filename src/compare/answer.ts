import type { Endpoint } from "../api.ts";
import { canonicalJson, isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";

/**
 * What a target said, from a stored body: the replies of a bot joined by a blank line (those before post-processing
 * where there are no others), or a function's return value, text as it is and anything else as JSON. Null when it said
 * nothing or the body is no record.
 */
export function answerText(endpoint: Endpoint, body: string | null): string | null {
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

/** What an output says, as `answerText` puts it. */
export function answerOf(endpoint: Endpoint, output: JsonObject): string | null {
  if (endpoint === "functions") return textOf(output["return_value"]);
  return replies(output["output_text"]) ?? replies(output["raw_output_text"]);
}

function replies(value: JsonValue | undefined): string | null {
  const list = Array.isArray(value) ? value : [value];
  const texts = list.map(textOf).filter((text) => text !== null && text !== "");
  return texts.length === 0 ? null : texts.join("\n\n");
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : canonicalJson(value);
}
