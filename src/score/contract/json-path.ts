import { isJsonObject } from "../../lib/json.ts";
import type { JsonValue } from "../../lib/json.ts";
import { pathReader } from "./path-reader.ts";
import { readFilter } from "./path-filter.ts";

/** A path into a JSON value, made ready. */
export interface JsonPath {
  /** It can lead to one value at most: names and positions only. */
  singular: boolean;
  /** The values at its places, in the order of the document; empty if it leads nowhere. */
  values: (root: JsonValue) => JsonValue[];
}

/** A step of a path: which children of a value it goes to, or of the value and all that is inside of it. */
interface Segment {
  descend: boolean;
  selectors: Selector[];
}

/** Adds the children that it selects. */
type Selector = { singular: boolean; select: (value: JsonValue, root: JsonValue, into: JsonValue[]) => void };

/** Values that one path may give: a recursive wildcard over a large document would not end in memory. */
const mostValues = 100_000;

/**
 * Compiles a path as RFC 9535 has it: names, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..name`, `['a','b']`, `[?@.a == 1]`; of its
 * functions `length`, `count`, `value`, `match` and `search` are left out. The `$` at its beginning may be left out too,
 * so that `output_text[0]` is a path. Throws a SyntaxError that says where it went wrong.
 */
export function compilePath(text: string): JsonPath {
  const reader = pathReader(text);
  const segments = readSegments(reader, true);
  reader.end();
  const singular = segments.every(
    ({ descend, selectors }) => !descend && selectors.length === 1 && (selectors[0]?.singular ?? false),
  );
  return { singular, values: (root) => follow(segments, root, root) };
}

type Reader = ReturnType<typeof pathReader>;

/** Reads segments until what follows is none. At the beginning of a path `$` and the first dot may be missing. */
function readSegments(reader: Reader, atStart: boolean): Segment[] {
  const segments: Segment[] = [];
  if (atStart && !reader.take("$")) {
    const name = reader.name();
    if (name !== null) segments.push({ descend: false, selectors: [nameSelector(name)] });
    else if (!reader.at("[") && !reader.at("..")) reader.fail("a name, [ or $");
  }
  for (;;) {
    if (reader.take("..")) {
      segments.push({ descend: true, selectors: reader.at("[") ? readBracket(reader) : [readDotted(reader)] });
    } else if (reader.take(".")) segments.push({ descend: false, selectors: [readDotted(reader)] });
    else if (reader.at("[")) segments.push({ descend: false, selectors: readBracket(reader) });
    else return segments;
  }
}

/** The values that segments lead to from a value. */
function follow(segments: readonly Segment[], from: JsonValue, root: JsonValue): JsonValue[] {
  let values = [from];
  for (const { descend, selectors } of segments) {
    const next: JsonValue[] = [];
    for (const value of descend ? values.flatMap(withDescendants) : values) {
      for (const { select } of selectors) select(value, root, next);
      if (next.length > mostValues) throw new RangeError(`The path leads to more than ${mostValues} values.`);
    }
    values = next;
  }
  return values;
}

/** A path that begins with `@` or `$` inside of a filter. */
function readInner(reader: Reader): (from: JsonValue, root: JsonValue) => JsonValue[] {
  const segments = readSegments(reader, false);
  return (from, root) => follow(segments, from, root);
}

function readDotted(reader: Reader): Selector {
  if (reader.take("*")) return wildcard;
  const name = reader.name();
  return name === null ? reader.fail("a name or *") : nameSelector(name);
}

function readBracket(reader: Reader): Selector[] {
  reader.expect("[");
  const selectors: Selector[] = [];
  do {
    reader.space();
    selectors.push(readSelector(reader));
    reader.space();
  } while (reader.take(","));
  reader.expect("]");
  return selectors;
}

function readSelector(reader: Reader): Selector {
  if (reader.take("*")) return wildcard;
  if (reader.take("?")) return filterSelector(readFilter(reader, readInner));
  const quoted = reader.quoted();
  if (quoted !== null) return nameSelector(quoted);
  const start = reader.integer();
  reader.space();
  if (!reader.take(":"))
    return start === null ? reader.fail("a position, a quoted name, * or ?") : indexSelector(start);
  reader.space();
  const end = reader.integer();
  reader.space();
  const step = reader.take(":") ? (reader.space(), reader.integer()) : null;
  return sliceSelector(start, end, step ?? 1);
}

function nameSelector(name: string): Selector {
  const select: Selector["select"] = (value, _root, into) => {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return;
    const child = value[name];
    if (child !== undefined) into.push(child);
  };
  return { singular: true, select };
}

function indexSelector(index: number): Selector {
  const select: Selector["select"] = (value, _root, into) => {
    const child = Array.isArray(value) ? value.at(index) : undefined;
    if (child !== undefined) into.push(child);
  };
  return { singular: true, select };
}

const wildcard: Selector = { singular: false, select: (value, _root, into) => into.push(...childrenOf(value)) };

function filterSelector(holds: (value: JsonValue, root: JsonValue) => boolean): Selector {
  const select: Selector["select"] = (value, root, into) => {
    for (const child of childrenOf(value)) if (holds(child, root)) into.push(child);
  };
  return { singular: false, select };
}

function sliceSelector(start: number | null, end: number | null, step: number): Selector {
  const select: Selector["select"] = (value, _root, into) => {
    if (!Array.isArray(value) || step === 0) return;
    const { length } = value;
    const place = (index: number): number => (index < 0 ? length + index : index);
    const from = place(start ?? (step > 0 ? 0 : length - 1));
    const to = end === null ? (step > 0 ? length : -1) : place(end);
    if (step > 0) for (let i = Math.max(from, 0); i < Math.min(to, length); i += step) into.push(value[i] ?? null);
    else for (let i = Math.min(from, length - 1); i > Math.max(to, -1); i += step) into.push(value[i] ?? null);
  };
  return { singular: false, select };
}

function childrenOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** The value and everything inside of it, outer before inner; not by recursion, for a document may be nested deeply. */
function withDescendants(value: JsonValue): JsonValue[] {
  const found: JsonValue[] = [];
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    if (found.length > mostValues) throw new RangeError(`The path leads to more than ${mostValues} values.`);
    waiting.push(...childrenOf(next).toReversed());
  }
  return found;
}
