import { boundedJson, type JsonValue } from "../lib/json.ts";
import { withLostNumbers } from "../lib/lost-digits.ts";

/** Openings that are tried, and characters that are looked at, in a text full of brackets that never close. */
const mostOpenings = 2_000;
const mostSteps = 5_000_000;

/** A value in a text, and where it stands. */
export interface JsonPart {
  value: JsonValue;
  from: number;
  /** The place behind its last character. */
  to: number;
}

/**
 * The JSON objects and lists that stand in a text, whatever is around them (prose, code fences), in their order; none
 * inside of another. A text that is JSON as a whole gives its value.
 */
export function jsonValuesIn(text: string, parse = parseJson): JsonValue[] {
  return jsonPartsIn(text, parse).map(({ value }) => value);
}

/** The same with their places. */
export function jsonPartsIn(text: string, parse = parseJson): JsonPart[] {
  const whole = parse(text.trim());
  if (whole !== undefined) return [{ value: whole, from: 0, to: text.length }];
  const found: JsonPart[] = [];
  let steps = 0;
  let openings = 0;
  for (let at = nextOpening(text, 0); at !== -1 && openings < mostOpenings && steps < mostSteps; openings++) {
    const end = closingOf(text, at, mostSteps - steps);
    steps += (end === -1 ? text.length : end) - at;
    const value = end === -1 ? undefined : parse(text.slice(at, end + 1));
    if (value !== undefined) found.push({ value, from: at, to: end + 1 });
    at = nextOpening(text, value === undefined ? at + 1 : end + 1);
  }
  return found;
}

/** The value of a JSON text; undefined when it is none. A byte order mark is passed over. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return boundedJson(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** The same, in which a number that would lose digits is as it is written. */
export function parseExactJson(text: string): JsonValue | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : withLostNumbers(text.startsWith("\ufeff") ? text.slice(1) : text, value);
}

function nextOpening(text: string, from: number): number {
  const [brace, bracket] = [text.indexOf("{", from), text.indexOf("[", from)];
  return brace === -1 ? bracket : bracket === -1 ? brace : Math.min(brace, bracket);
}

/** Finds the end of the bracket that opens at a place; -1 when it has none. */
function closingOf(text: string, from: number, most: number): number {
  let depth = 0;
  let inText = false;
  for (let i = from; i < text.length && i - from < most; i++) {
    const char = text[i];
    if (inText) {
      if (char === "\\") i++;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return i;
    }
  }
  return -1;
}
