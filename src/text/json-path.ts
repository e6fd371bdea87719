import {
  jsonpath,
  JSONPathEnvironment,
  JSONPathError,
  JSONPathNode,
  JSONPathNodeList,
  JSONPathQuery,
  TokenKind,
  type FilterFunction,
  FunctionExpressionType,
  Nothing,
} from "json-p3";
import { isJsonObject, type JsonValue } from "../lib/json.ts";
import { type GuardedPattern, guardedPattern } from "./pattern.ts";

const { ValueType, LogicalType } = FunctionExpressionType;

/** The characters of a text, as the standard counts them (json-p3 counts a smiley twice), the entries of a list, the members of an object. */
const lengthFunction: FilterFunction = {
  argTypes: [ValueType],
  returnType: ValueType,
  call: (value) => {
    if (typeof value === "string") return Array.from(value).length;
    if (Array.isArray(value)) return value.length;
    return typeof value === "object" && value !== null ? Object.keys(value).length : Nothing;
  },
};

/** `match` (the whole text fits a pattern) or `search` (a part of it does), for which no pattern can stop the program. */
function patternFunction(name: "match" | "search"): FilterFunction {
  const known = new Map<string, GuardedPattern | null>();
  const compiled = (pattern: string): GuardedPattern | null => {
    const found = known.get(pattern);
    if (found !== undefined) return found;
    // A pattern may come from the answer, so that there may be any number of them.
    if (known.size >= mostKnown) known.clear();
    const made = patternOf(name === "match" ? `^(?:${withDots(pattern)})$` : withDots(pattern));
    known.set(pattern, made);
    return made;
  };
  return {
    argTypes: [ValueType, ValueType],
    returnType: LogicalType,
    call: (text, pattern) => {
      if (typeof text !== "string" || typeof pattern !== "string") return false;
      const found = compiled(pattern)?.find(text) ?? null;
      if (typeof found === "object" && found !== null) throw new RangeError(`${name}() of a path: ${found.gaveUp}`);
      return found !== null;
    },
  };
}

const mostKnown = 100;

/** Null for a pattern that is none: nothing fits it, as the standard has it. */
function patternOf(source: string): GuardedPattern | null {
  try {
    return guardedPattern(source, "");
  } catch {
    return null;
  }
}

/** The dot of the standard's patterns (RFC 9485) is all but two line ends; that of JavaScript leaves out two more. */
function withDots(pattern: string): string {
  return pattern.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\./g, (piece) => (piece === "." ? "[^\\n\\r]" : piece));
}

/** A path into a JSON value, made ready. */
export interface JsonPath {
  /** True when it can lead to one value at most: names and positions only. */
  singular: boolean;
  /** The values at its places, in the order of the document; empty if it leads nowhere. */
  values: (root: JsonValue) => JsonValue[];
}

/** Values that one step of a path may give: a recursive wildcard over a large document would not end in memory. */
const mostValues = 100_000;
/** Values that a path may come by on its way, with the paths of its filters, which takes about a second. */
const mostVisits = 1_000_000;

const environment = new JSONPathEnvironment();
environment.functionRegister.set("length", lengthFunction);
for (const name of ["match", "search"] as const) environment.functionRegister.set(name, patternFunction(name));

/**
 * Compiles a path as RFC 9535 has it; the `$` at its beginning may be left out, so that `output_text[0]` is a path.
 * Throws a SyntaxError that says where it went wrong.
 */
export function compilePath(text: string): JsonPath {
  const query = parsed(text);
  if (query.singularQuery()) {
    const steps = query.segments.flatMap(({ selectors: [selector] }) => stepOf(selector) ?? []);
    return { singular: true, values: (root) => childAt(root, steps) };
  }
  return {
    singular: false,
    values: (root) => {
      walk = { root, visits: 0 };
      return follow(query, root).flatMap(({ value }) => (isJson(value) ? [value] : []));
    },
  };
}

const { NameSelector, IndexSelector } = jsonpath.selectors;

function stepOf(selector: unknown): string | number | null {
  if (selector instanceof NameSelector) return selector.name;
  return selector instanceof IndexSelector ? selector.index : null;
}

/** The value at a place, or none: most paths are names and positions only, and every answer is asked for them. */
function childAt(root: JsonValue, steps: readonly (string | number)[]): JsonValue[] {
  let value: JsonValue | undefined = root;
  for (const step of steps) {
    if (typeof step === "number") value = Array.isArray(value) ? value.at(step) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined) return [];
  }
  return [value];
}

type Value = JSONPathNode["value"];

/** The document that a path is led through. */
let walk: { root: Value; visits: number } = { root: null, visits: 0 };

// A filter follows its own paths by this method. The library's has no end for hostile documents, and takes the value that
// a filter looks at for the document when a filter within it says `$`.
JSONPathQuery.prototype.query = function query(from) {
  return new JSONPathNodeList(follow(this, from));
};

/** The places that a path leads to from a value, segment by segment; the library's own way there is recursive and unlimited. */
function follow({ segments }: JSONPathQuery, from: Value): JSONPathNode[] {
  let nodes = [new JSONPathNode(from, [], walk.root)];
  for (const { token, selectors } of segments) {
    const next: JSONPathNode[] = [];
    for (const node of nodes) {
      for (const each of token.kind === TokenKind.DDOT ? withDescendants(node) : [node]) {
        for (const selector of selectors) {
          const found = selector.resolve(each);
          count(1 + found.length);
          for (const child of found) next.push(child);
          if (next.length > mostValues) throw new RangeError(`The path leads to more than ${mostValues} values.`);
        }
      }
    }
    nodes = next;
  }
  return nodes;
}

function count(visits: number): void {
  walk.visits += visits;
  if (walk.visits > mostVisits) throw new RangeError(`The path comes by more than ${mostVisits} values.`);
}

/** The value and everything inside of it, outer before inner; not by recursion, for a document may be nested deeply. */
function* withDescendants(node: JSONPathNode): Generator<JSONPathNode> {
  const waiting = [node.value];
  while (waiting.length > 0) {
    const value = waiting.pop();
    yield new JSONPathNode(value, [], walk.root);
    if (typeof value !== "object" || value === null) continue;
    const children = Array.isArray(value) ? value : Object.values(value);
    for (let place = children.length - 1; place >= 0; place--) waiting.push(children[place]);
  }
}

/** The library counts a missing value among those of JSON. */
function isJson(value: Value): value is JsonValue {
  return value !== undefined;
}

function parsed(given: string): JSONPathQuery {
  const { text, placeOf } = standardPath(given);
  try {
    return environment.compile(text);
  } catch (cause) {
    if (!(cause instanceof JSONPathError)) throw cause;
    const place = placeOf(cause.token.index);
    const got = place >= given.length ? "its end" : JSON.stringify(given.slice(place, place + 10));
    throw new SyntaxError(`has ${got} at character ${place + 1}${reasonOf(cause)}`, { cause });
  }
}

/** The library's reason where it is one for people: the names of its tokens are not. */
function reasonOf({ message }: JSONPathError): string {
  const reason = message.replace(/ \('[^]*':\d+\)$/, "").replace(/ at index \d+$/, "");
  const isPlain = !/TOKEN_|token|selector|backup|end of/.test(reason);
  return isPlain ? ` (${reason})` : ", where it cannot be";
}

/** A path as the standard writes it, with the place in the text that was given for each of its characters. */
interface StandardPath {
  text: string;
  placeOf: (index: number) => number;
}

/** Quoted texts, which stay as they are, and numbers that begin with 0. */
const pieces = /'(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"|(?<![\p{L}\p{M}\p{N}_.-])0[.eE][\d.eE+-]*/gu;

/**
 * Writes a path as RFC 9535 has it: the `$` at its beginning and the dot behind it may be missing, so that
 * `output_text[0]` is a path. Numbers such as 0.5 and 0e1, which json-p3 2.3.1 takes for octal ones, are written with an
 * exponent, as it reads them.
 */
function standardPath(given: string): StandardPath {
  const start = given.startsWith("$") ? "" : given.startsWith("[") || given.startsWith("..") ? "$" : "$.";
  const places: number[] = Array.from(start, () => 0);
  let text = start;
  const add = (piece: string, from: number, length: number): void => {
    text += piece;
    for (let index = 0; index < piece.length; index++) places.push(from + Math.min(index, length));
  };
  let from = 0;
  for (const { 0: found, index } of given.matchAll(pieces)) {
    add(given.slice(from, index), from, index - from);
    add(/^['"]/.test(found) ? found : plainNumber(found), index, found.length);
    from = index + found.length;
  }
  add(given.slice(from), from, given.length - from);
  return { text, placeOf: (index) => places[index] ?? given.length };
}

/** The same number without a 0 before other digits; what is none stays, for the fault to show it. */
function plainNumber(found: string): string {
  const value = Number(found);
  if (Number.isNaN(value) || !/^0(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found)) return found;
  return value === 0 ? "0" : value.toExponential();
}
