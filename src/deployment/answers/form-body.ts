import { requestFields } from "../../api/request-fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { dataUrl } from "../data-url.ts";
import { jsonAnswer } from "./http-answer.ts";
import { Refusal, unprocessable } from "./refusal.ts";

/**
 * The JSON that a form stands for: its part `json`, with the files of the other parts in their fields, as data URLs. Refuses
 * (400, 422) what is no such form.
 */
export async function readForm(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<string> {
  const form = await formOf(bytes, contentType);
  const written = form.get("json");
  if (typeof written !== "string")
    throw new Refusal(unprocessable([{ type: "missing", loc: ["body", "json"], msg: "Field required", input: null }]));
  const body = parsed(written);
  for (const field of new Set(form.keys())) {
    const files = form.getAll(field).filter((entry) => typeof entry !== "string");
    if (files.length > 0) body[field] = await withFiles(field, files, body[field]);
  }
  return JSON.stringify(body);
}

async function formOf(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new Refusal(jsonAnswer(400, { detail: "There was an error parsing the body" }));
  }
}

function parsed(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // The answer is the same for what is no JSON and for JSON that is no object.
  }
  const fault = { type: "dict_type", loc: ["body", "json"], msg: "Input should be a valid dictionary", input: text };
  throw new Refusal(unprocessable([fault]));
}

async function withFiles(field: string, files: File[], before: JsonValue | undefined): Promise<JsonValue> {
  const kind = requestFields.get(field);
  if (kind !== "list" && kind !== "text")
    throw new Refusal(jsonAnswer(400, { detail: `Invalid file field "${field}"` }));
  const urls: string[] = [];
  for (const file of files) urls.push(dataUrl(Buffer.from(await file.arrayBuffer()), file.type, file.name));
  return kind === "list" ? [...(Array.isArray(before) ? before : []), ...urls] : (urls[0] ?? "");
}
