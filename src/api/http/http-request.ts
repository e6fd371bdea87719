import { isJsonObject, type JsonObject, type JsonValue, jsonText } from "../../lib/json.ts";
import { valueText } from "../../text/value-text.ts";
import type { MadeRequest } from "../endpoint-call.ts";
import type { FileMarks } from "../files/file-marks.ts";
import { type FormPart, multipartForm } from "../files/multipart.ts";
import { type FieldKind, requestFields } from "../request-fields.ts";
import { stepIn } from "./path-step.ts";
import { compileAddress, compileBody } from "./body-template.ts";
import type { HttpDescription } from "./description.ts";

/** The request of a described endpoint, made ready. */
export interface RequestForm {
  contentType: string | null;
  make: (input: JsonObject, files: FileMarks) => MadeRequest;
  /** Fields of a case that its templates use. */
  uses: string[];
  /** Fields that stand where no file can: in the address, or in a form that holds only texts. */
  takesNoFilesOf: ReadonlySet<string>;
}

/** Name of the history with the prompt at its end, as messages. */
const conversationName = "conversation";

/** Compiles what a description says of the request. Raises an Error for a template that is not Liquid. */
export function requestForm({ method, path, query, form, multipart, body }: HttpDescription): RequestForm {
  const parts = {
    path: compileAddress(path),
    query: compileBody(query ?? {}),
    form: form === undefined ? null : compileBody(form),
    multipart: multipart === undefined ? null : compileBody(multipart),
    body: body === undefined ? null : compileBody(body),
  };
  const payload = (fields: JsonObject, files: FileMarks): Pick<MadeRequest, "body" | "contentType"> => {
    if (parts.multipart !== null) return multipartForm(formParts(parts.multipart.fill(fields)), files);
    if (parts.form !== null) return { body: formText(parts.form.fill(fields)) };
    return { body: parts.body === null ? null : bodyText(parts.body.fill(fields)) };
  };
  const plain = [parts.path, parts.query, parts.form].flatMap((part) => part?.uses ?? []);
  return {
    contentType: contentTypeOf({ form, multipart, body }),
    takesNoFilesOf: new Set(plain),
    uses: [...new Set(Object.values(parts).flatMap((part) => part?.uses ?? []))],
    make(input, files) {
      const fields = fieldsOf(input);
      const asked = formText(parts.query.fill(fields));
      const filled = writtenPath(parts.path.fill(fields));
      return {
        method,
        path: `${filled}${asked === "" ? "" : `?${asked}`}`,
        ...payload(fields, files),
      };
    },
  };
}

function contentTypeOf({ form, multipart, body }: Pick<HttpDescription, "form" | "multipart" | "body">): string | null {
  if (multipart !== undefined) return "multipart/form-data";
  if (form !== undefined) return "application/x-www-form-urlencoded";
  return body === undefined ? null : "application/json";
}

/** The fields in use, which columns of the same name fill. */
export function fieldKinds(uses: readonly string[]): ReadonlyMap<string, FieldKind> {
  const names = uses.flatMap((name) => (name === conversationName ? ["input_prompt", "messages"] : [name]));
  return new Map(names.map((name) => [name, requestFields.get(name) ?? "text"]));
}

/** The fields that a case must bring along: a history is empty where there is none, and a prompt is asked for as such. */
export function neededFields(uses: readonly string[]): string[] {
  return [...fieldKinds(uses).keys()].filter((name) => name !== "messages" && name !== "input_prompt");
}

const asking: ReadonlySet<string> = new Set(["input_prompt", "input_audio", "input_images", "input_documents"]);

/** The fields of a case that ask something; empty where any case will do. */
export function askingFields(uses: readonly string[]): string[] {
  const names = [...fieldKinds(uses).keys()];
  return names.includes("input_prompt") ? names.filter((name) => asking.has(name)) : [];
}

/** The case's fields, with an empty history where it has none, and the conversation with what is asked now at its end. */
function fieldsOf(input: JsonObject): JsonObject {
  const messages = Array.isArray(input["messages"]) ? input["messages"] : [];
  const prompt = input["input_prompt"];
  const asked = typeof prompt === "string" && prompt !== "" ? [{ role: "user", content: prompt }] : [];
  return { ...input, messages, [conversationName]: [...messages, ...asked] };
}

/** A filled path as a request line can hold it. Raises an Error for a step to here or up, which a server takes as another path. */
function writtenPath(filled: JsonValue | undefined): string {
  const path = (typeof filled === "string" ? filled : "").replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
  const step = stepIn(path);
  if (step !== null) throw new Error(`a segment of the path is ${step}, which leads to another path`);
  return path;
}

function formText(value: JsonValue | undefined): string {
  const encoded = new URLSearchParams();
  for (const [name, part] of Object.entries(isJsonObject(value) ? value : {}))
    encoded.append(name, valueText(part) ?? "");
  return encoded.toString();
}

/** The fields of a form that can hold files: a part for each entry of a list. */
function formParts(value: JsonValue | undefined): FormPart[] {
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, field]) =>
    (Array.isArray(field) ? field : [field]).map((entry) => ({ name, value: valueText(entry) ?? "" })),
  );
}

function bodyText(value: JsonValue | undefined): string {
  return typeof value === "object" && value !== null ? jsonText(value) : JSON.stringify(value ?? null);
}
