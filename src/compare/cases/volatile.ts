import type { JsonValue } from "../../lib/json.ts";

/** The texts of a bot's answer: their distance is measured, so a difference of value is not reported twice. */
const answerMembers = new Set([
  "output_text[]",
  "raw_output_text[]",
  "raw_tts_text[]",
  "output_text",
  "raw_output_text",
]);

/** Members whose values differ on every run, at the top of an output. */
const volatileMembers = new Set(["output_audio", "output_video", "output_documents", "metrics"]);

/** Names of members that identify a run or a moment rather than say something. */
const volatileNames = new Set(["id", "run_id", "run_url", "tool_call_id", "created_at", "updated_at", "uid"]);

/**
 * True for a member whose presence, type and count are compared, but not its value. The value that a function returned
 * is its answer: all of it counts.
 */
export function withoutValue(path: string): boolean {
  if (path === "return_value" || path.startsWith("return_value.") || path.startsWith("return_value[")) return false;
  if (answerMembers.has(path) || volatileMembers.has(path) || path === "references[].score") return true;
  return volatileNames.has(path.slice(path.lastIndexOf(".") + 1));
}

/** A value without what differs on every run: the signature of a signed address, a run's page, the port of a local one. */
export function stableValue(value: JsonValue): JsonValue {
  return typeof value === "string" && /^https?:\/\//i.test(value) ? stableAddress(value) : value;
}

const signature = /[?&](?:x-amz-signature|x-goog-signature|signature|sig|token|expires|googleaccessid)=/i;

function stableAddress(address: string): string {
  if (/[?&]run_id=/.test(address)) return "a run's page";
  const place = address.replace(
    /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=[/?#]|$)/i,
    "http://localhost",
  );
  return signature.test(place) ? place.replace(/\?.*$/s, "") : place;
}
