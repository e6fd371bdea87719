import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { parseJson } from "../../text/json-in-text.ts";
import { valueAsList, numberIn, valueAsText, valueAsTexts } from "./values.ts";

/** Kinds of promptfoo that look at the functions which a bot called on the way to its answer, as scorers. */
const calledFunctions = {
  "tool-call-f1": (value: JsonValue, limit: number | null) => {
    const names = namesIn(value);
    return names === null ? null : { type: "called-functions-f1", value: names, threshold: limit ?? 1, use: "value" };
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
  return typeof value === "string" && /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value;
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

/** Texts are compared as they are, character by character. */
const exact = { exact: true };
/** The value of these counts in the mean of a test, and not whether they pass. Nothing is taken away around an answer. */
const byValue = { clean: false, use: "value" };
const spaced = { words: "spaces", ...byValue };

/** Kinds of promptfoo that grade by themselves, as scorers. The defaults of their thresholds are promptfoo's. */
const counterparts: Record<string, Counterpart> = {
  equals: (value) =>
    typeof value === "object" && value !== null
      ? { type: "json-schema", schema: { const: value } }
      : { type: "equals", value: valueAsText(value), ...exact },
  contains: (value) => textual(value, { type: "contains", ...exact }),
  icontains: (value) => textual(value, { type: "contains", ignore_case: true, ...exact }),
  "contains-any": (value) => listed(value, { type: "contains-any", ...exact }),
  "contains-all": (value) => listed(value, { type: "contains-all", ...exact }),
  "icontains-any": (value) => listed(value, { type: "contains-any", ignore_case: true, ...exact }),
  "icontains-all": (value) => listed(value, { type: "contains-all", ignore_case: true, ...exact }),
  "starts-with": (value) => textual(value, { type: "starts-with", ...exact }),
  regex: (value) => {
    const pattern = unicodePattern(valueAsText(value));
    return pattern === null ? null : { type: "regex", value: pattern };
  },
  "is-json": (value) => jsonCheck(value, false),
  "contains-json": (value) => jsonCheck(value, true),
  "is-refusal": () => ({ type: "refusal" }),
  "finish-reason": (value) => (valueAsText(value) === "" ? null : { type: "finish-reason", value: valueAsText(value) }),
  latency: (value, limit) => {
    const most = limit ?? numberIn(valueAsText(value));
    return most === null || most <= 0 ? null : { type: "latency", max: `${most}ms` };
  },
  levenshtein: (value, limit) => ({
    type: "edit-distance",
    value: valueAsText(value),
    threshold: limit ?? 5,
    unit: "code-points",
    clean: false,
  }),
  "rouge-n": (value, limit) => ({
    type: "rouge-n",
    value: valueAsText(value),
    threshold: limit ?? 0.75,
    words: "treebank",
    ...byValue,
  }),
  "rouge-l": (value, limit) => ({
    type: "rouge-l",
    value: valueAsText(value),
    threshold: limit ?? 0.75,
    words: "treebank",
    ...byValue,
  }),
  bleu: (value, limit) => ({
    type: "bleu",
    value: valueAsTexts(value),
    threshold: limit ?? 0.5,
    smoothing: "tiny",
    ...spaced,
  }),
  "word-count": wordCount,
  cost: (value, limit) => {
    const most = limit ?? numberIn(valueAsText(value));
    return most === null ? null : { type: "cost", max: most };
  },
  ...calledFunctions,
};

/** `10`, or `{"min": 5, "max": 20}`. */
function wordCount(value: JsonValue): JsonObject | null {
  const count = numberIn(valueAsText(value));
  if (count !== null) return { ...length, min: count, max: count };
  const written = typeof value === "string" ? parseJson(value) : value;
  if (written === undefined || !isJsonObject(written)) return null;
  const { min, max } = written;
  const bounds = { ...(typeof min === "number" && { min }), ...(typeof max === "number" && { max }) };
  return Object.keys(bounds).length === 0 ? null : { ...length, ...bounds };
}

const length = { type: "length", unit: "words", words: "spaces" };

/** A check for one text; promptfoo takes none that is empty. */
function textual(value: JsonValue, scorer: JsonObject): JsonObject | null {
  const text = valueAsText(value);
  return text === "" ? null : { value: text, ...scorer };
}

/** A check for several texts. */
function listed(value: JsonValue, scorer: JsonObject): JsonObject | null {
  const texts = valueAsList(value);
  return texts.length === 0 ? null : { value: texts, ...scorer };
}

/**
 * A pattern as the flag u takes it, which refuses marks that need no backslash: `\\-` and `\\'` are `-` and `'`. Null for one
 * that it refuses all the same.
 */
function unicodePattern(pattern: string): string | null {
  const escaped = /\\(?:c[A-Za-z]|u\{?[\dA-Fa-f]+|x[\dA-Fa-f]{2}|[pPk]|[^])/g;
  const plain = pattern.replaceAll(escaped, (mark) =>
    /^\\[^A-Za-z0-9^$\\.*+?()[\]{}|/-]$/.test(mark) ? mark.slice(1) : mark,
  );
  // A hyphen may have a backslash within brackets alone, and a brace needs one outside of them.
  const braced = plain.replaceAll(/\\-(?![^[]*\])/g, "-");
  return pattern === "" ? null : ([pattern, plain, braced].find(isPattern) ?? null);
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** A check for JSON; a value is the JSON Schema that the answer should fit. */
function jsonCheck(value: JsonValue, within: boolean): JsonObject | null {
  const isAny = value === "" || value === null || value === false;
  if (isAny) return within ? { type: "json-schema", schema: anyObject, within: "any" } : { type: "is-json" };
  const schema = typeof value === "string" ? parseJson(value) : value;
  if (schema === undefined || !isJsonObject(schema)) return null;
  // promptfoo reads a schema without a version as draft-07, and takes any JSON of the answer that fits.
  return { type: "json-schema", schema: { $schema: draft7, ...schema }, ...(within && { within: "any" }) };
}

const draft7 = "http://json-schema.org/draft-07/schema#";
/** A list alone, such as the mark of a source, is no JSON that promptfoo finds in a text. */
const object = { type: "object" };
const anyObject = { $schema: draft7, anyOf: [object, { type: "array", contains: object }] };
