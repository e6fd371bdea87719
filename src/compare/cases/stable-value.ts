import type { JsonValue } from "../../lib/json.ts";

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
