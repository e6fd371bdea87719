import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { sqlDialects, type SqlDialect } from "../../text/sql-dialects.ts";
import { jsonIn, valueAsList, numberIn, valueAsText, valueAsTexts } from "./values.ts";

/** Kinds of promptfoo that look at the functions which a bot called on the way to its answer, as scorers. */
const calledFunctions = {
  "tool-call-f1": (value: JsonValue, limit: number | null) => {
    const names = namesIn(value);
    return names === null ? null : { type: "called-functions-f1", value: names, threshold: limit ?? 1 };
  },
  "trajectory:tool-used": (value: JsonValue) => {
    const names = namesIn(value);
    return names === null ? null : { type: "called-functions", value: names };
  },
  "trajectory:tool-sequence": (value: JsonValue) => {
    const written = readJson(value);
    const names = namesIn(isJsonObject(written) ? (written["steps"] ?? null) : written);
    if (names === null) return null;
    const isExact = isJsonObject(written) && written["mode"] === "exact";
    return { type: "called-functions", value: names, match: isExact ? "in-order" : "in-order-among-others" };
  },
  "trajectory:tool-args-match": (value: JsonValue) => {
    const written = readJson(value);
    return isJsonObject(written) ? argumentsCheck(written) : null;
  },
};

/** The same with `not-`, where it is more than the contrary: none of the functions was called. */
const notCalledFunctions = {
  "trajectory:tool-used": (value: JsonValue) => {
    const names = namesIn(value);
    return names === null ? null : { type: "called-functions", value: names, match: "none" };
  },
};

/** Arguments that a call must have among others; promptfoo's exact mode and its exceptions have no counterpart. */
function argumentsCheck(written: JsonObject): JsonObject | null {
  const { name, mode = "partial", defaults, ignore } = written;
  const wanted = written["args"] ?? written["arguments"];
  if (typeof name !== "string" || mode !== "partial" || !isJsonObject(wanted)) return null;
  if (defaults !== undefined || ignore !== undefined) return null;
  return { type: "called-functions", value: name, arguments: wanted };
}

/** Names of functions, as a list or between commas; null for patterns of names and numbers of calls. */
function namesIn(value: JsonValue): string[] | null {
  const written = readJson(value);
  const list = typeof written === "string" ? valueAsList(written) : written;
  if (!Array.isArray(list)) return null;
  const names = list.flatMap((each) => (typeof each === "string" ? [each.trim()] : []));
  const areNames = names.every((name) => name !== "" && !/[*?]/.test(name));
  return names.length > 0 && names.length === list.length && areNames ? names : null;
}

function readJson(value: JsonValue): JsonValue {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? (jsonIn(value) ?? value) : value;
}

/** A scorer for the value and threshold of an expectation; null where this one has none. */
type Counterpart = (value: JsonValue, limit: number | null) => JsonObject | null;

/** The scorer of an expectation of promptfoo that grades by itself; null where there is none. */
export function counterpartOf(kind: string, not: boolean, value: JsonValue, limit: number | null): JsonObject | null {
  if (not && Object.hasOwn(contraries, kind)) return contraries[kind]?.(value, limit) ?? null;
  const counterpart = Object.hasOwn(counterparts, kind) ? counterparts[kind] : undefined;
  const scorer = counterpart?.(value, limit) ?? null;
  return scorer === null || !not ? scorer : { ...scorer, not: true };
}

const contraries: Record<string, Counterpart> = notCalledFunctions;

/** Kinds of promptfoo that grade by themselves, as scorers. The defaults of their thresholds are promptfoo's. */
const counterparts: Record<string, Counterpart> = {
  equals: (value) =>
    typeof value === "object" && value !== null
      ? { type: "json-schema", schema: { const: value } }
      : { type: "equals", value: valueAsText(value) },
  contains: (value) => ({ type: "contains", value: valueAsText(value) }),
  icontains: (value) => ({ type: "icontains", value: valueAsText(value) }),
  "contains-any": (value) => ({ type: "contains-any", value: valueAsList(value) }),
  "contains-all": (value) => ({ type: "contains-all", value: valueAsList(value) }),
  "icontains-any": (value) => ({ type: "contains-any", value: valueAsList(value), ignore_case: true }),
  "icontains-all": (value) => ({ type: "contains-all", value: valueAsList(value), ignore_case: true }),
  "starts-with": (value) => ({ type: "starts-with", value: valueAsText(value) }),
  regex: (value) => (valueAsText(value) === "" ? null : { type: "regex", value: valueAsText(value) }),
  "is-json": (value) => jsonCheck(value, false),
  "contains-json": (value) => jsonCheck(value, true),
  "is-refusal": () => ({ type: "refusal" }),
  "finish-reason": (value) => (valueAsText(value) === "" ? null : { type: "finish-reason", value: valueAsText(value) }),
  latency: (value, limit) => {
    const most = limit ?? numberIn(valueAsText(value));
    return most === null || most <= 0 ? null : { type: "latency", max: `${most}ms` };
  },
  levenshtein: (value, limit) => ({ type: "edit-distance", value: valueAsText(value), threshold: limit ?? 5 }),
  "rouge-n": (value, limit) => ({ type: "rouge-n", value: valueAsText(value), threshold: limit ?? 0.75 }),
  "rouge-l": (value, limit) => ({ type: "rouge-l", value: valueAsText(value), threshold: limit ?? 0.75 }),
  // promptfoo counts 0.0000001 where nothing of a length is found, which is nothing.
  bleu: (value, limit) => ({ type: "bleu", value: valueAsTexts(value), threshold: limit ?? 0.5, smoothing: "none" }),
  gleu: (value, limit) => ({ type: "gleu", value: valueAsTexts(value), threshold: limit ?? 0.5 }),
  meteor: (value, limit) => ({ type: "meteor", value: valueAsTexts(value), threshold: limit ?? 0.5 }),
  "word-count": wordCount,
  "is-html": () => ({ type: "is-html" }),
  "contains-html": () => ({ type: "is-html", within: true }),
  "is-xml": (value) => xmlCheck(value, false),
  "contains-xml": (value) => xmlCheck(value, true),
  "is-sql": (value) => sqlCheck(value, false),
  "contains-sql": (value) => sqlCheck(value, true),
  cost: (value, limit) => {
    const most = limit ?? numberIn(valueAsText(value));
    return most === null ? null : { type: "cost", max: most };
  },
  ...calledFunctions,
};

/** `10`, or `{"min": 5, "max": 20}`. */
function wordCount(value: JsonValue): JsonObject | null {
  const count = numberIn(valueAsText(value));
  if (count !== null) return { type: "length", unit: "words", min: count, max: count };
  const written = typeof value === "string" ? jsonIn(value) : value;
  if (written === undefined || !isJsonObject(written)) return null;
  const { min, max } = written;
  const bounds = { ...(typeof min === "number" && { min }), ...(typeof max === "number" && { max }) };
  return Object.keys(bounds).length === 0 ? null : { type: "length", unit: "words", ...bounds };
}

/** A check for JSON; a value is the JSON Schema that the answer should fit. */
function jsonCheck(value: JsonValue, within: boolean): JsonObject | null {
  const where = within ? { within } : {};
  if (value === "" || value === null) return { type: "is-json", ...where };
  const schema = typeof value === "string" ? jsonIn(value) : value;
  return schema !== undefined && isJsonObject(schema) ? { type: "json-schema", schema, ...where } : null;
}

/** A check for XML; a value is a list of elements, or has one. */
function xmlCheck(value: JsonValue, within: boolean): JsonObject | null {
  const where = within ? { within } : {};
  if (value === "" || value === null) return { type: "is-xml", ...where };
  const written = typeof value === "string" ? (jsonIn(value) ?? valueAsList(value)) : value;
  const elements = isJsonObject(written) ? written["requiredElements"] : written;
  return Array.isArray(elements) ? { type: "is-xml", ...where, elements: elements.map(valueAsText) } : null;
}

/** A check for SQL; a value names the database and what is allowed. */
function sqlCheck(value: JsonValue, within: boolean): JsonObject | null {
  const where = within ? { within } : {};
  const written = typeof value === "string" ? (jsonIn(value) ?? null) : value;
  if (value === "" || value === null) return { type: "is-sql", ...where };
  if (!isJsonObject(written)) return null;
  const { databaseType = "mysql", allowedTables, allowedColumns } = written;
  const database = databases[valueAsText(databaseType).toLowerCase()];
  if (database === undefined) return null;
  return {
    type: "is-sql",
    ...where,
    database,
    ...(Array.isArray(allowedTables) && { tables: allowedTables.map(valueAsText) }),
    ...(Array.isArray(allowedColumns) && { columns: allowedColumns.map(valueAsText) }),
  };
}

/** Names of databases, in small letters, to ours. */
const databases: Record<string, SqlDialect> = {
  ...Object.fromEntries(sqlDialects.map((name) => [name, name])),
  postgres: "postgresql",
  mssql: "transactsql",
};
