import type { Endpoint } from "../api/api.ts";
import { canonicalJson } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";

/**
 * The text of an output: the replies of a bot joined by a blank line (those before post-processing if there are no
 * others), or a function's return value, text as it is and anything else as JSON. Null when it has none.
 */
export function answerOf(endpoint: Endpoint, output: JsonObject): string | null {
  if (endpoint === "functions") return textOf(output["return_value"]);
  return replies(output["output_text"]) ?? replies(output["raw_output_text"]);
}

/** A member as text: text as it is, a list of texts joined by a blank line, anything else as JSON; null for no value. */
export function memberText(value: JsonValue | undefined): string | null {
  if (Array.isArray(value) && value.every((each) => typeof each === "string" || each === null)) return replies(value);
  return textOf(value);
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
