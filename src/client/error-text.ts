import { validationError } from "../api/error-bodies.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonValue } from "../lib/json.ts";
import { detailOf } from "../api/service-call.ts";

const longest = 500;

/**
 * The message of an error body, in one line of text: the service's own words, or the places and messages of a refused
 * request. Null when the body has none in a known shape.
 */
export function errorTextOf(parsed: JsonValue | undefined): string | null {
  const error = detailOf(parsed)?.["error"] ?? null;
  if (error !== null) return shortened(asText(error));
  if (!isJsonObject(parsed)) return null;
  const fault = validationError.safeParse(parsed);
  if (fault.success && fault.data.detail.length > 0) {
    return shortened(fault.data.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
  }
  const detail = parsed["detail"] ?? null;
  return detail === null ? null : shortened(asText(detail));
}

/** A text as it is; anything else as JSON text. */
export function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
