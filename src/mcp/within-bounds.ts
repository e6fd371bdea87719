import { isJsonObject, type JsonValue } from "../lib/json.ts";
import { visibleControls } from "../report/text/visible.ts";

/** TextBounds of what is told at once: an agent pays for every character that it reads. */
export interface TextBounds {
  /** Characters of one text. */
  text: number;
  /** Where long texts begin to be told. */
  from: number;
  /** Characters of all texts together. */
  total: number;
  /** Members of one list. */
  items: number;
}

/**
 * The same value with long texts and lists cut, each with a word on what is left out. Characters that nobody sees, by which
 * a text may tell an agent more than it shows to a person, become visible.
 */
export function withinBounds(value: JsonValue, bounds: TextBounds): JsonValue {
  let left = bounds.total;
  const textOf = (text: string): string => {
    const start = text.length > bounds.text ? Math.min(bounds.from, text.length) : 0;
    const shown = text.slice(start, start + Math.min(bounds.text, Math.max(0, left))).toWellFormed();
    left -= shown.length;
    const end = start + shown.length;
    const note = start === 0 && end === text.length ? "" : ` [cut: characters ${start} to ${end} of ${text.length}]`;
    return visibleControls(shown) + note;
  };
  const walk = (inner: JsonValue): JsonValue => {
    if (typeof inner === "string") return textOf(inner);
    if (Array.isArray(inner)) {
      const kept = inner.slice(0, bounds.items).map(walk);
      return inner.length > bounds.items ? [...kept, `[cut: ${inner.length - bounds.items} more]`] : kept;
    }
    if (!isJsonObject(inner)) return inner;
    const members = Object.entries(inner);
    const told = members.slice(0, bounds.items).map(([name, each]) => [nameOf(name), walk(each)] as const);
    const more = members.length - told.length;
    return Object.fromEntries(more > 0 ? [...told, ["[cut]", `${more} more`]] : told);
  };
  return walk(value);
}

/** Names of columns and tags are by people too. */
const nameOf = (name: string): string => visibleControls(name.slice(0, mostName).toWellFormed());
const mostName = 200;
