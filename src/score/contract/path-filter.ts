import { canonicalJson } from "../../lib/json.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { PathReader } from "./path-reader.ts";

/** Decides whether a child is selected. */
type Filter = (value: JsonValue, root: JsonValue) => boolean;

/** One side of a comparison; undefined where a path leads nowhere. */
type Operand = (value: JsonValue, root: JsonValue) => JsonValue | undefined;

/** Reads a path inside of a filter; what it gives leads from a value to others. */
type ReadPath = (reader: PathReader) => (from: JsonValue, root: JsonValue) => JsonValue[];

/** Reads what follows `[?`: comparisons and the existence of paths, with `&&`, `||`, `!` and brackets. */
export function readFilter(reader: PathReader, readPath: ReadPath): Filter {
  const sides = [readAnd(reader, readPath)];
  while (taken(reader, "||")) sides.push(readAnd(reader, readPath));
  return (value, root) => sides.some((side) => side(value, root));
}

function readAnd(reader: PathReader, readPath: ReadPath): Filter {
  const sides = [readBasic(reader, readPath)];
  while (taken(reader, "&&")) sides.push(readBasic(reader, readPath));
  return (value, root) => sides.every((side) => side(value, root));
}

function readBasic(reader: PathReader, readPath: ReadPath): Filter {
  reader.space();
  if (reader.at("!") && !reader.at("!=")) {
    reader.take("!");
    const inner = readBasic(reader, readPath);
    return (value, root) => !inner(value, root);
  }
  if (reader.take("(")) {
    const inner = readFilter(reader, readPath);
    reader.space();
    reader.expect(")");
    return inner;
  }
  const left = readOperand(reader, readPath);
  reader.space();
  const operator = operators.find((each) => reader.take(each));
  if (operator === undefined) return (value, root) => left(value, root) !== undefined;
  const right = readOperand(reader, readPath);
  return (value, root) => compare(operator, left(value, root), right(value, root));
}

const operators = ["==", "!=", "<=", ">=", "<", ">"] as const;

function readOperand(reader: PathReader, readPath: ReadPath): Operand {
  reader.space();
  const fromRoot = reader.take("$");
  if (fromRoot || reader.take("@")) {
    const path = readPath(reader);
    return (value, root) => path(fromRoot ? root : value, root)[0];
  }
  const literal = reader.quoted() ?? reader.number() ?? readWord(reader);
  return () => literal;
}

function readWord(reader: PathReader): boolean | null {
  if (reader.take("true")) return true;
  if (reader.take("false")) return false;
  return reader.take("null") ? null : reader.fail("@, $, a number, a quoted text, true, false or null");
}

function compare(
  operator: (typeof operators)[number],
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  switch (operator) {
    case "==":
      return equal(left, right);
    case "!=":
      return !equal(left, right);
    case "<":
      return less(left, right);
    case ">":
      return less(right, left);
    case "<=":
      return less(left, right) || equal(left, right);
    case ">=":
      return less(right, left) || equal(left, right);
  }
}

function equal(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return canonicalJson(left) === canonicalJson(right);
}

function less(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (typeof left === "number" && typeof right === "number") return left < right;
  return typeof left === "string" && typeof right === "string" && left < right;
}

function taken(reader: PathReader, token: string): boolean {
  reader.space();
  return reader.take(token);
}
