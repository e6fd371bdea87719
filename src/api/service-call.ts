import { isJsonObject, type JsonObject, type JsonValue, jsonText } from "../lib/json.ts";
import type { EndpointCall, ReceivedReply, ReplyRun } from "./endpoint-call.ts";
import type { FileMarks } from "./files/file-marks.ts";
import { type FormPart, multipartForm } from "./files/multipart.ts";
import { runIdOfUrl } from "./run-record.ts";

/**
 * A call of the service: JSON to a path with the saved configuration in its query; a record with an `output` comes back.
 * Files in the fields `uploads` go in the form of the path, beside the JSON; any other file is a data URL in it.
 */
export function serviceCall(
  path: string,
  fill: (body: JsonObject) => JsonObject,
  uploads: readonly string[] = [],
): EndpointCall {
  return {
    method: "POST",
    path,
    below: () => "",
    contentType: "application/json",
    headers: {},
    keyWord: "bearer",
    needsKey: true,
    request(body, exampleId, files) {
      const query = `?example_id=${encodeURIComponent(exampleId.toWellFormed())}`;
      const filled = fill(body);
      const parts = uploads.flatMap((field) => takeFiles(filled, field, files));
      if (parts.length === 0) return { method: "POST", path: `${path}${query}`, body: jsonText(filled) };
      const form = multipartForm([{ name: "json", value: jsonText(filled) }, ...parts], files);
      return { method: "POST", path: `${path}/form${query}`, ...form };
    },
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

/** Takes the files out of a field, as parts of a form; addresses stay in it. */
function takeFiles(body: JsonObject, field: string, files: FileMarks): FormPart[] {
  const value = body[field];
  if (value === undefined) return [];
  const isFile = (entry: JsonValue): entry is string => files.fileOf(entry) !== null;
  const found = (Array.isArray(value) ? value : [value]).filter(isFile);
  if (found.length === 0) return [];
  const others = Array.isArray(value) ? value.filter((entry) => !isFile(entry)) : [];
  if (others.length > 0) body[field] = others;
  else delete body[field];
  return found.map((mark) => ({ name: field, value: mark }));
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
