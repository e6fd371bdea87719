import { sentenceList } from "./sentence-list.ts";
import { z } from "zod";
import { isJsonObject } from "./json.ts";
import { showText, showValue } from "./show.ts";
import { replacementOf } from "./replaced.ts";
import { didYouMean } from "./suggest.ts";

/** Place in a document: map keys and list positions from the root. */
export type FaultPath = readonly (string | number)[];

/** One thing that is wrong with a document, before it is known in which file and line. */
export interface Fault {
  path: FaultPath;
  message: string;
  hint: string | null;
  /** The fault is about the last key of the path itself, not about its value. */
  atKey: boolean;
  /** The value would fit as a text. */
  fitsInQuotes?: boolean;
}

/** A fault of the value at a path. */
export function fault(path: FaultPath, message: string, hint: string | null = null): Fault {
  return { path, message, hint, atKey: false };
}

/** A fault of the last key of a path. */
export function keyFault(path: FaultPath, message: string, hint: string | null = null): Fault {
  return { path, message, hint, atKey: true };
}

type Issue = z.core.$ZodIssue;

/** Everything about a value that does not fit a schema; empty when it fits. Messages say what was got. */
export function faultsOf(schema: z.ZodType, value: unknown): Fault[] {
  const result = schema.safeParse(value, { reportInput: true, error: defaultMessage });
  return result.success ? [] : result.error.issues.flatMap((issue) => faultsOfIssue(schema, value, issue));
}

function faultsOfIssue(schema: z.ZodType, value: unknown, issue: Issue): Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, value, path);
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `unknown key ${showText(key)}`,
      hint:
        replacementOf("key", key) ??
        placeOf(key, schema) ??
        didYouMean(key, known) ??
        (known.length > 0 ? `Known keys: ${known.join(", ")}.` : null),
      atKey: true,
    }));
  }
  if (issue.code === "invalid_union" && issue.discriminator !== undefined) {
    return [unknownKind(issue.discriminator, path, issue)];
  }
  if (issue.code === "invalid_union") {
    const inner = closestBranch(issue.errors, issue.input);
    if (inner !== null) {
      return inner.flatMap((each) => faultsOfIssue(schema, value, { ...each, path: [...issue.path, ...each.path] }));
    }
  }
  const branches =
    issue.code === "invalid_union" ? issue.errors.flat().filter((each) => each.path.length === 0) : [issue];
  const values = branches.flatMap((each) => (each.code === "invalid_value" ? each.values : []));
  const { input } = issue;
  const hint =
    typeof input === "string" ? (replacementOf("value", input) ?? didYouMean(input, values.map(String))) : null;
  const wanted = issue.code === "invalid_type" && input !== null ? schemaAt(schema, value, path) : null;
  const fitsInQuotes = wanted instanceof z.ZodString && wanted.safeParse(String(input)).success;
  return [{ path, message: issue.message, hint, atKey: false, fitsInQuotes }];
}

/** Where a key belongs that stands in the wrong map; null: in none, or in several. */
function placeOf(key: string, schema: z.ZodType): string | null {
  const [path, ...others] = schemaKeys(schema).filter((each) => each.endsWith(`.${key}`));
  return path === undefined || others.length > 0 ? null : `It belongs in \`${path.slice(0, -key.length - 1)}\`.`;
}

/** The branch of a union that fails only inside: it is the one that was meant. */
function closestBranch(branches: readonly Issue[][], input: unknown): Issue[] | null {
  if (typeof input !== "object" || input === null) return null;
  return branches.find((issues) => issues.every((issue) => issue.path.length > 0)) ?? null;
}

/** The sentence for an issue whose schema does not bring its own. */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const got = showValue(issue.input);
  if (issue.code === "invalid_type") {
    return issue.input === undefined
      ? "is required"
      : `must be ${kindNames[issue.expected] ?? issue.expected}, got ${got}`;
  }
  if (issue.code === "invalid_value") return `must be ${sentenceList(issue.values.map(String), "or")}, got ${got}`;
  if (issue.code === "too_small") return `must ${amount("at least", issue.minimum, issue.origin)}, got ${got}`;
  if (issue.code === "too_big") return `must ${amount("at most", issue.maximum, issue.origin)}, got ${got}`;
  if (issue.code === "invalid_union") {
    return issue.input === undefined ? "is required" : `has none of the allowed forms, got ${got}`;
  }
  return undefined;
}

const kindNames: Partial<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map of keys",
  record: "a map of keys",
};

function amount(bound: string, limit: number | bigint, origin: string): string {
  if (origin === "array" || origin === "set") return `have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return origin === "string" ? `have ${bound} ${limit} characters` : `be ${bound} ${limit}`;
}

/** A map whose kind is told by one of its keys (such as `type`) names none that there is. */
function unknownKind(key: string, path: FaultPath, issue: z.core.$ZodIssueInvalidUnion): Fault {
  const named = isJsonObject(issue.input) ? issue.input[key] : undefined;
  const known = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  const meant = typeof named === "string" ? (replacementOf("scorer", named) ?? didYouMean(named, known)) : null;
  const hint = meant ?? `Known: ${known.join(", ")}.`;
  if (named === undefined) return { path, message: "is required", hint, atKey: false };
  return { path, message: `is ${showValue(named)}, which does not exist`, hint, atKey: false };
}

/** The keys that the schema knows at a path of a value; empty where keys are free or the path leads nowhere. */
function keysAt(schema: z.ZodType, value: unknown, path: FaultPath): string[] {
  const at = schemaAt(schema, value, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The schema of a path of a value; null where it leads nowhere. */
function schemaAt(schema: z.ZodType, value: unknown, path: FaultPath): unknown {
  let inside = value;
  let at: unknown = unwrap(schema, inside);
  for (const part of path) {
    if (at instanceof z.ZodObject) at = at.shape[part];
    else if (at instanceof z.ZodRecord) at = at.valueType;
    else if (at instanceof z.ZodArray) at = at.element;
    else return null;
    inside = childOf(inside, part);
    at = unwrap(at, inside);
  }
  return at;
}

/** The keys of the objects in a schema, with dots; what is free in it, such as the names in a map, is left out. */
export function schemaKeys(schema: z.ZodType): string[] {
  const at = unwrap(schema, undefined);
  if (!(at instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(at.shape).flatMap(([key, inner]) => {
    const inside = schemaKeys(inner);
    return inside.length === 0 ? [key] : inside.map((each) => `${key}.${each}`);
  });
}

function childOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return typeof part === "number" ? value[part] : undefined;
  return isJsonObject(value) ? value[String(part)] : undefined;
}

function unwrap(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodLazy) return unwrap(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return unwrap(schema.in, value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const kind = isJsonObject(value) ? value[discriminator] : undefined;
    return schema.options.find((option) => option instanceof z.ZodObject && isKind(option.shape[discriminator], kind));
  }
  if (schema instanceof z.ZodUnion) {
    const wanted = Array.isArray(value) ? z.ZodArray : z.ZodObject;
    return schema.options.map((option) => unwrap(option, value)).find((option) => option instanceof wanted);
  }
  return schema;
}

function isKind(literal: unknown, kind: unknown): boolean {
  return literal instanceof z.ZodLiteral && [...literal.values].some((each) => each === kind);
}
