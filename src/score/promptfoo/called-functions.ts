import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { jsonIn, valueAsList } from "./values.ts";

/** Kinds of promptfoo that look at the functions which a bot called on the way to its answer, as scorers. */
export const calledFunctions = {
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
export const notCalledFunctions = {
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
