import {
  jsonpath,
  JSONPathEnvironment,
  JSONPathError,
  JSONPathNode,
  JSONPathNodeList,
  JSONPathQuery,
  TokenKind,
} from "json-p3";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { lengthFunction, patternFunction } from "./path-functions.ts";
import { standardPath } from "./standard-path.ts";

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
