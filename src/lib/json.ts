import { escapedIn } from "./hidden-characters.ts";
import { isWrittenNumber, withLostNumbers } from "./lost-digits.ts";

/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object: member name to value. */
export interface JsonObject {
  [member: string]: JsonValue;
}

/** True for a plain JSON object: not null, not an array, and no number that is kept as it was written. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isWrittenNumber(value);
}

/** Levels of lists and objects in each other; code that walks through values runs out of stack at some thousands. */
const deepestJson = 500;

/** The value of a JSON text. Raises an Error for a text that is not JSON, or is nested too deeply. */
export function boundedJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  // Each level takes two characters.
  if (text.length > 2 * deepestJson && isDeeper(value, deepestJson))
    throw new RangeError(`it is nested deeper than ${deepestJson} levels`);
  return value;
}

/**
 * The value of a JSON text that a service sent; undefined where it is not JSON. A number that would lose digits is as it
 * is written, and what is nested too deeply is null.
 */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    if (text.length <= 2 * deepestJson || !isDeeper(value, deepestJson)) return withLostNumbers(text, value);
    cutBelow(value, deepestJson);
    return value;
  } catch {
    return undefined;
  }
}

/** A value whose numbers are all those of JavaScript, as schemas and modules read them. */
export const withPlainNumbers = <Value extends JsonValue>(value: Value): Value =>
  typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : value;

function cutBelow(value: JsonValue, levels: number): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (levels > 1) cutBelow(inner, levels - 1);
    else if (typeof inner === "object") Object.assign(value, { [name]: null });
  }
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}

/**
 * JSON text with the members of every object in code-unit order, so that equal values have equal text.
 * Arrays keep their order.
 */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_name, inner: JsonValue) =>
    isJsonObject(inner)
      ? Object.fromEntries(
          Object.keys(inner)
            .toSorted()
            .map((name) => [name, inner[name]]),
        )
      : inner,
  );
}

/** JSON text with the controls escaped that JSON lets stand as they are, and that a terminal may obey (DEL, C1). */
export function escapedControls(json: string): string {
  return escapedIn("json", json);
}

/** The value at a path of names; undefined where there is none. */
export function valueAt(input: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = input;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/**
 * JSON text that every parser reads: half of a character, which JavaScript keeps and others refuse, becomes U+FFFD.
 * `space` as for JSON.stringify.
 */
export function jsonText(value: object, space?: number): string {
  return wholeCharacters(JSON.stringify(value, null, space));
}

/** A text that JSON.stringify made, with U+FFFD for half of a character. */
export function wholeCharacters(text: string): string {
  // JSON.stringify writes it as an escape, and nothing else as one of these.
  if (!/\\ud[89a-f]/.test(text)) return text;
  return text.replaceAll(/\\(?:\\|ud[89a-f][0-9a-f]{2})/g, (escape) => (escape === "\\\\" ? escape : "\ufffd"));
}
