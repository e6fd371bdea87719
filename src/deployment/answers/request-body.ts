import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../lib/json.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import { jsonFault } from "./json-syntax.ts";
import { Refusal, unprocessable, type BodyFault } from "./refusal.ts";
import type { z } from "zod";

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

type Issue = z.core.$ZodIssue;

/** The service's names for values that should have been of another type. */
const typeFaults: Record<string, { type: string; msg: string }> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  number: { type: "float_type", msg: "Input should be a valid number" },
  int: { type: "int_from_float", msg: "Input should be a valid integer, got a number with a fractional part" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  object: { type: "dict_type", msg: "Input should be a valid dictionary" },
  record: { type: "dict_type", msg: "Input should be a valid dictionary" },
};

/** Faults of a body, in the words and order of the service: `type`, `loc`, `msg`, `input`. */
function bodyFaults(issues: readonly Issue[], body: JsonValue): BodyFault[] {
  return issues.flatMap((issue) => faultsOf(issue, [], body));
}

function faultsOf(issue: Issue, base: PropertyKey[], body: JsonValue): BodyFault[] {
  const path = [...base, ...issue.path];
  const input = valueAt(body, path);
  const loc = ["body", ...path.map((part) => (typeof part === "number" ? part : String(part)))];
  if (input === undefined) {
    return [{ type: "missing", loc, msg: "Field required", input: valueAt(body, path.slice(0, -1)) ?? null }];
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return issue.errors.flatMap((branch) => branch.flatMap((inner) => faultsOf(inner, path, body)));
  }
  const { type, msg, ctx } = wording(issue);
  return [{ type, loc, msg, input, ...(ctx === undefined ? {} : { ctx }) }];
}

function wording(issue: Issue): Pick<BodyFault, "type" | "msg" | "ctx"> {
  if (issue.code === "invalid_type") {
    return typeFaults[issue.expected] ?? { type: "value_error", msg: issue.message };
  }
  if (issue.code === "invalid_value") {
    const expected = choices(issue.values.map(String));
    return { type: "literal_error", msg: `Input should be ${expected}`, ctx: { expected } };
  }
  if (issue.code === "invalid_union") {
    return { type: "union_tag_invalid", msg: "Input tag does not match any of the expected tags" };
  }
  return { type: "value_error", msg: issue.message };
}

/** `'a', 'b' or 'c'` */
function choices(values: string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}

function valueAt(body: JsonValue, path: PropertyKey[]): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Array.isArray(value) ? value[Number(part)] : value[String(part)];
  }
  return value;
}
