import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../lib/json.ts";
import { numeralOf } from "../lib/lost-digits.ts";

/** Characters of an answer that is read as JSON. */
const longest = 20_000;
/** Fields that are named. */
const mostFields = 6;
/** Objects within each other whose fields are told apart. */
const mostLevels = 3;

/** The JSON object that a text is; null for any other text. */
export function fieldsIn(text: string): JsonObject | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || trimmed.length > longest) return null;
  const value = parsedJson(trimmed);
  return isJsonObject(value) ? value : null;
}

/**
 * The fields in which an object differs from the one before: `fee: # instead of #; status: late instead of on time`. Where none
 * does, or there is none before, all its fields: `fee: #; status: late`.
 */
export function saidFields(fields: JsonObject, before: JsonObject | null): string {
  const [now, was] = [marksOf(fields), before === null ? null : marksOf(before)];
  const differing =
    was === null ? [] : [...new Set([...now.keys(), ...was.keys()])].filter((name) => isOther(name, now, was));
  const told = (differing.length === 0 ? [...now.keys()] : differing).toSorted();
  const parts = told
    .slice(0, mostFields)
    .map((name) =>
      was === null || differing.length === 0 ? `${name}: ${now.get(name)?.mark ?? ""}` : changeWords(name, now, was),
    );
  const more = told.length - parts.length;
  return [...parts, ...(more > 0 ? [`${more} more fields`] : [])].join("; ");
}

/** A value by its mark, and whole. */
type Marks = ReadonlyMap<string, { mark: string; whole: string }>;

const isOther = (name: string, now: Marks, was: Marks): boolean => now.get(name)?.whole !== was.get(name)?.whole;

function changeWords(name: string, now: Marks, was: Marks): string {
  const [own, other] = [now.get(name), was.get(name)];
  if (own === undefined) return `${name}: missing`;
  if (other === undefined) return `${name}: ${own.mark}, new`;
  return `${name}: ${own.mark} instead of ${other.mark}`;
}

/** The marks of the fields by their paths, such as `loan.days`. */
function marksOf(fields: JsonObject): Marks {
  const marks = new Map<string, { mark: string; whole: string }>();
  const walk = (object: JsonObject, path: string, level: number): void => {
    for (const [name, value] of Object.entries(object)) {
      const own = `${path}${name}`;
      if (isJsonObject(value) && level < mostLevels && Object.keys(value).length > 0) walk(value, `${own}.`, level + 1);
      else marks.set(own, { mark: markOf(value), whole: JSON.stringify(value) });
    }
  };
  walk(fields, "", 1);
  return marks;
}

/** A word or two without names and numbers is one of few values: `late`, `on time`, `NOT_FOUND`. */
const constant = /^(?:\p{Ll}[\p{Ll}_-]{0,23}(?: [\p{Ll}_-]{1,24}){0,2}|\p{Lu}[\p{Lu}_]{0,23})$/u;

function markOf(value: JsonValue): string {
  if (numeralOf(value) !== null) return "#";
  if (typeof value === "string") return value === "" ? "empty" : constant.test(value) ? value : "…";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  return isJsonObject(value) ? "{…}" : String(value);
}
