import { z } from "zod";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { messageEntry } from "../../api/messages.ts";
import type { FieldKind } from "../../api/request-fields.ts";
import type { JsonValue } from "../../lib/json.ts";
import { isLost, lostNumber } from "../../lib/lost-digits.ts";
import { showText, showValue } from "../../lib/show.ts";
import { parseJsonText } from "../table/json-text.ts";

/** The kind of a field, by the endpoints it goes to; one that none of them knows is a text. */
export function fieldKind(field: string, asked: readonly EndpointName[]): FieldKind {
  for (const name of asked) {
    const kind = endpointOf(name).fields.get(field);
    if (kind !== undefined) return kind;
  }
  return "text";
}

/** A field's value from a cell, undefined where the cell leaves it out; or why the cell does not fit. */
export type FieldValue = { ok: true; value: JsonValue | undefined } | { ok: false; message: string; hint: string };

/**
 * Reads a cell as the kind of its field. An empty cell of a list is no entries, of messages no history,
 * of an object no members, of a number, a boolean or JSON nothing. A list is a JSON array, or a text that becomes its only entry.
 */
export function readField(kind: FieldKind, text: string): FieldValue {
  if (kind === "text") return { ok: true, value: text };
  if (kind === "number") return readNumber(text);
  if (kind === "boolean") return readBoolean(text);
  if (kind === "json")
    return text.trim() === "" ? { ok: true, value: undefined } : readJson(text, null, z.json(), jsonHint);
  if (kind === "list") return readList(text);
  if (kind === "messages") return readJson(text, [], messages, messagesHint);
  return readJson(text, {}, members, 'It must be a JSON object such as {"tone": "formal"}.');
}

const messages = z.array(messageEntry);
const members = z.record(
  z.string().refine((name) => name !== "__proto__", { error: "must not be named __proto__" }),
  z.json(),
);
const jsonHint = "Texts need quotes of their own in JSON, also as values.";
const messagesHint = 'It must be a JSON list such as [{"role": "user", "content": "Hello"}].';

function readNumber(text: string): FieldValue {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: true, value: undefined };
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed))
    return isLost(trimmed) ? wouldChange(trimmed) : { ok: true, value: Number(trimmed) };
  return {
    ok: false,
    message: `must be a number, got ${showText(text)}`,
    hint: "Write it with a point, without units.",
  };
}

function wouldChange(number: string): FieldValue {
  return {
    ok: false,
    message: `holds the number ${number}, which would be sent as ${String(Number(number))}`,
    hint: "Send it as a text: type: text in the mapping, or quotes around it in JSON.",
  };
}

function readBoolean(text: string): FieldValue {
  const word = text.trim().toLowerCase();
  if (word === "") return { ok: true, value: undefined };
  if (["true", "yes", "1"].includes(word)) return { ok: true, value: true };
  if (["false", "no", "0"].includes(word)) return { ok: true, value: false };
  return {
    ok: false,
    message: `must be true or false, got ${showText(text)}`,
    hint: "yes, no, 1 and 0 will do as well.",
  };
}

function readList(text: string): FieldValue {
  if (text.trim() === "") return { ok: true, value: [] };
  if (!text.trimStart().startsWith("[")) return { ok: true, value: [text] };
  return readJson(text, [], z.array(z.string()), 'It must be one text, or a JSON list such as ["a", "b"].');
}

function readJson(text: string, empty: JsonValue, schema: z.ZodType, hint: string): FieldValue {
  if (text.trim() === "") return { ok: true, value: empty };
  const parsed = parseJsonText(text);
  if (!parsed.ok) return { ok: false, message: `is not JSON: ${parsed.message}`, hint };
  const lost = lostNumber(text);
  if (lost !== null) return wouldChange(lost);
  const checked = schema.safeParse(parsed.value, { reportInput: true });
  if (checked.success) return { ok: true, value: parsed.value };
  const [issue] = checked.error.issues;
  const where = (issue?.path ?? []).map((part) => (typeof part === "number" ? `entry ${part + 1}` : String(part)));
  const at = where.length === 0 ? "" : ` at ${where.join(", ")}`;
  return { ok: false, message: `does not fit the request${at}: got ${showValue(issue?.input)}`, hint };
}
