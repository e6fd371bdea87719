import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../lib/json.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import { jsonFault } from "./json-syntax.ts";
import { Refusal, unprocessable } from "./refusal.ts";
import { bodyFaults } from "./validation.ts";

/** The content of a request: nothing, a JSON value, or a text that does not claim to be JSON. */
export type SentBody = { kind: "nothing" } | { kind: "json"; value: JsonValue } | { kind: "text"; text: string };

/** Reads the bytes of a request; refuses (422 `json_invalid`) what claims to be JSON and is not, key or no key. */
export function readBody(text: string, contentType: string | undefined): SentBody {
  if (text === "") return { kind: "nothing" };
  if (!isJsonType(contentType)) return { kind: "text", text };
  try {
    const value: JsonValue = JSON.parse(text);
    return { kind: "json", value };
  } catch {
    const { position, error } = jsonFault(text) ?? { position: 0, error: "Expecting value" };
    const fault = {
      type: "json_invalid",
      loc: ["body", position],
      msg: "JSON decode error",
      input: {},
      ctx: { error },
    };
    throw new Refusal(unprocessable([fault]));
  }
}

/** A request without a content type is taken for JSON, as the service does it. */
function isJsonType(contentType: string | undefined): boolean {
  return contentType === undefined || /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType);
}

/** The body as an object that fits the endpoint's schema; refuses (422) with everything that does not fit. */
export function checkBody(endpoint: ServiceEndpoint, body: SentBody): JsonObject {
  if (body.kind === "nothing" || (body.kind === "json" && body.value === null)) {
    throw new Refusal(unprocessable([{ type: "missing", loc: ["body"], msg: "Field required", input: null }]));
  }
  const value = body.kind === "json" ? body.value : body.text;
  if (!isJsonObject(value)) {
    const msg = "Input should be a valid dictionary or object to extract fields from";
    throw new Refusal(unprocessable([{ type: "model_attributes_type", loc: ["body"], msg, input: value }]));
  }
  const checked = servedEndpoints[endpoint].body.safeParse(value);
  if (!checked.success) throw new Refusal(unprocessable(bodyFaults(checked.error.issues, value)));
  return value;
}
