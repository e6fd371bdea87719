import type { HttpRequest } from "../api/endpoint-call.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import { callOf, endpointOf } from "../api/endpoints.ts";
import { caseFileIn } from "../api/files/case-file.ts";
import { type FileMarks, fileMarks, noMarks } from "../api/files/file-marks.ts";
import { isJsonObject, valueAt, type JsonObject, type JsonValue } from "../lib/json.ts";
import { withoutColumns } from "../lib/row-columns.ts";
import type { SentFiles } from "../suite/sent-files.ts";
import { filledBody } from "./filled-body.ts";

/** The receiver of a request: an endpoint, what runs there, and members that are laid over each case's input. */
export interface Receiver {
  endpoint: EndpointName;
  /** `submit`: in the asynchronous form. */
  part?: "submit" | undefined;
  exampleId: string;
  body: JsonObject;
  /** The fields of the input that may hold files. */
  files?: SentFiles | undefined;
}

/** The stand-ins for the files of one request. */
export const marksFor = (files: SentFiles | undefined): FileMarks => (files === undefined ? noMarks : fileMarks());

/**
 * The request for a case's input with the target's members laid over it, as its endpoint wants it. `marks` are given where
 * files stand in the input already.
 */
export function httpRequest(
  { endpoint, part, exampleId, body, files }: Receiver,
  input: JsonObject,
  marks: FileMarks = marksFor(files),
): HttpRequest {
  const call = callOf(endpoint, part);
  const { fields, columns } = withoutColumns(input);
  const whole = withTargetBody(fields, filledBody({ endpoint, body }, { fields, columns }));
  if (files === undefined) return call.request(whole, exampleId, marks);
  const { leavesOut } = endpointOf(endpoint);
  // A field that the target fills itself holds no file of the case.
  const own = (field: string): boolean => valueAt(whole, field.split(".")) === valueAt(fields, field.split("."));
  const sent = files.fields.filter((field) => !leavesOut(field, true) && own(field));
  const request = call.request(withMarks(whole, sent, marks), exampleId, marks);
  if (marks.standIn(request.path)) throw new Error("a file stands in the address of the request");
  const pieces = marks.cut(request.body ?? "");
  return pieces === null ? request : { ...request, body: { pieces, roots: files.roots } };
}

/** The input with marks in place of the files in these fields. */
export function withMarks(input: JsonObject, fields: readonly string[], marks: FileMarks): JsonObject {
  return fields.reduce((object, field) => markedAt(object, field.split("."), marks), input);
}

/** The object with marks in place of the files at a path. */
function markedAt(object: JsonObject, [name = "", ...rest]: readonly string[], marks: FileMarks): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined) return object;
  if (rest.length === 0)
    return { ...object, [name]: Array.isArray(value) ? value.map(marked(marks)) : marked(marks)(value) };
  return isJsonObject(value) ? { ...object, [name]: markedAt(value, rest, marks) } : object;
}

const marked =
  (marks: FileMarks) =>
  (value: JsonValue): JsonValue => {
    const file = caseFileIn(value);
    return file === null ? value : marks.mark(file);
  };

/** A case's input with the target's members laid over it, `variables` key by key. */
export function withTargetBody(input: JsonObject, targetBody: JsonObject): JsonObject {
  // The first spread copies a shape at once; names at the end of a literal would be copied one by one.
  const body: JsonObject = Object.keys(targetBody).length === 0 ? { ...input } : { ...input, ...targetBody };
  const [own, over] = [input["variables"], targetBody["variables"]];
  if (isJsonObject(own) && isJsonObject(over)) body["variables"] = { ...own, ...over };
  return body;
}
