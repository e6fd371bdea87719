import { runIn } from "../api/service-call.ts";
import { parsedJson, type JsonObject, type JsonValue } from "../lib/json.ts";
import type { RunRecord } from "./outcome.ts";

/** Number of bytes of a broken body that are searched for an id: it stands at the beginning. */
const salvageBytes = 64 * 1024;

/** Number of bytes kept of a body that was not a record. */
const startBytes = 1000;

/**
 * The JSON value of a body, or undefined when it is not JSON. A byte order mark is passed over, bytes that are not
 * UTF-8 are read as U+FFFD, and what is nested too deeply is null.
 */
export function parseBody(body: Buffer): JsonValue | undefined {
  return parsedJson(textOfBody(body));
}

/** The text of a body, without a byte order mark. */
export function textOfBody(body: Buffer): string {
  const text = body.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The text of the reply that a record came in; empty where there is none. */
export const textOfRecord = ({ text, body }: RunRecord): string => text ?? (body === null ? "" : textOfBody(body));

/** True when the first byte that is no space (nor a byte order mark) opens a JSON object, array or text. */
export function beginsLikeJson(body: Buffer): boolean {
  const text = body.toString("utf8", 0, salvageBytes).replace(/^\uFEFF/, "");
  return /^\s*[{["]/.test(text);
}

/** True for a text that begins like JSON and ends before it does; false where it is something else as a whole. */
export function isCutJson(text: string): boolean {
  const open: string[] = [];
  let isQuoted = false;
  const start = text.search(/\S/);
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === "{" || sign === "[") open.push(sign === "{" ? "}" : "]");
    else if ((sign === "}" || sign === "]") && open.pop() !== sign) return false;
    // It has come to an end, so that it is not cut, whatever follows.
    if (open.length === 0 && !isQuoted) return false;
  }
  return start !== -1;
}

/** The identity of a run as an object names it (a record, or the `detail` of an error), with the body it came in. */
export function recordOf(source: JsonObject, body: Buffer): RunRecord {
  const { id, url, createdAt } = runIn(source);
  return { id, url, createdAt, body };
}

/**
 * The identity of a run in a body that is broken or is not a record, looked for in the beginning of its text; null when
 * there is no id. Here an id is one only if it has the form that the service gives its ids, and ends.
 */
export function salvage(body: Buffer): RunRecord | null {
  const text = body.toString("utf8", 0, salvageBytes);
  // An "id" inside the output belongs to something else, such as a reply button.
  const output = text.indexOf('"output"');
  const head = output === -1 ? text : text.slice(0, output);
  const url = /"url"\s*:\s*"(https?:\/\/[^"\\\s]+)"/.exec(head)?.[1] ?? null;
  const id =
    /"id"\s*:\s*"([a-z0-9]{12})"/.exec(head)?.[1] ?? /[?&]run_id=([a-z0-9]{12})(?![A-Za-z0-9_-])/.exec(text)?.[1];
  if (id === undefined) return null;
  const createdAt = /"created_at"\s*:\s*"([^"\\]{10,40})"/.exec(head)?.[1] ?? null;
  return { id, url, createdAt, body: null };
}

/** The first bytes of a body as text, without half a character at the end; null for an empty body. */
export function startOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  return new TextDecoder().decode(body.subarray(0, startBytes), { stream: true });
}
