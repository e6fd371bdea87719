import { isJsonObject, type JsonObject, type JsonValue, jsonText } from "../lib/json.ts";
import type { EndpointCall, ReceivedReply, ReplyRun } from "./endpoint-call.ts";
import { runIdOfUrl } from "./run-record.ts";

/** A call of the service: JSON to a path with the saved configuration in its query; a record with an `output` comes back. */
export function serviceCall(path: string, fill: (body: JsonObject) => JsonObject): EndpointCall {
  return {
    method: "POST",
    path,
    below: () => "",
    contentType: "application/json",
    headers: {},
    keyWord: "bearer",
    needsKey: true,
    request: (body, exampleId) => ({
      method: "POST",
      path: `${path}?example_id=${encodeURIComponent(exampleId.toWellFormed())}`,
      body: jsonText(fill(body)),
    }),
    outputOf,
    isBroken: () => false,
    runOf: ({ json }) => runIn(isJsonObject(json) ? json : {}),
    failureIn: () => null,
    lacksAnswer: () => null,
    notOurs: 'without an "output" object',
    failedRun: detailOf,
    errorText: () => null,
    meaning: () => null,
    salvagesRuns: true,
    bodyOf: (output, { id, url, createdAt }) =>
      JSON.stringify({ ...(id !== null && { id }), url: url ?? "", created_at: createdAt ?? "", output }),
  };
}

function outputOf({ json }: ReceivedReply): JsonObject | null {
  return isJsonObject(json) && isJsonObject(json["output"]) ? json["output"] : null;
}

/** The identity of a run as an object names it: a record, or the `detail` of an error. */
export function runIn(source: JsonObject): ReplyRun {
  const url = textOf(source["url"]);
  const id = textOf(source["id"]) ?? (url === null ? null : runIdOfUrl(url));
  return { id, url, createdAt: textOf(source["created_at"]) };
}

/** The `detail` of an error body when it is an object; null otherwise. */
export function detailOf(json: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(json)) return null;
  const detail = json["detail"];
  return isJsonObject(detail) ? detail : null;
}

/** A member's text; null when it is no text or empty. */
function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
