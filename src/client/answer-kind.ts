import { replyMembers } from "../api/api.ts";
import type { Endpoint } from "../api/api.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { AnswerKind } from "./outcome.ts";

/** Kind of answer in the output of an `ok` record; the endpoint decides which rules apply. */
export function answerKind(endpoint: Endpoint, output: JsonObject): AnswerKind {
  return endpoint === "functions" ? functionAnswer(output) : botAnswer(output);
}

function botAnswer(output: JsonObject): AnswerKind {
  if (!hasReply(output)) return "empty";
  return finishOfFirstReply(output) === "length" ? "truncated" : "answered";
}

function hasReply(output: JsonObject): boolean {
  for (const member of replyMembers) {
    if (!isNoValue(output[member])) return true;
  }
  return false;
}

/**
 * The finish reason of the first reply, which is the one that is read: each of several replies has a reason. Fixture
 * 11, whose last of four replies is cut, counts as answered.
 */
function finishOfFirstReply(output: JsonObject): JsonValue | undefined {
  const reason = output["finish_reason"];
  return Array.isArray(reason) ? reason[0] : reason;
}

/** The four spellings of "no value" (absent, null, `[]`, `""`), and a list of nothing else. */
function isNoValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) && value.every(isNoValue);
}

/** A function may well return `""`, `[]`, `{}` or 0: only an absent or null return value is none. */
function functionAnswer(output: JsonObject): AnswerKind {
  const returned = output["return_value"] ?? null;
  const failed = reportsError(output["error"]);
  if (returned === null) return failed ? "function-error" : "empty";
  if (returnsError(returned)) return "function-error";
  return failed ? "warning" : "answered";
}

/** True for an error in the return value itself: an object with `error`, or JSON text with `error` or `detail`. */
function returnsError(returned: JsonValue): boolean {
  if (isJsonObject(returned)) return reportsError(returned["error"]);
  if (typeof returned !== "string" || !/^\s*\{/.test(returned)) return false;
  if (!returned.includes('"error"') && !returned.includes('"detail"')) return false;
  try {
    const parsed: unknown = JSON.parse(returned);
    return isJsonObject(parsed) && (reportsError(parsed["error"]) || reportsError(parsed["detail"]));
  } catch {
    return false;
  }
}

/** False for "no value", blank text, and the `false` and `0` of those who say "no error" that way. */
function reportsError(error: JsonValue | undefined): boolean {
  if (typeof error === "string") return error.trim() !== "";
  if (error === false || error === 0 || isNoValue(error)) return false;
  return !isJsonObject(error) || Object.keys(error).length > 0;
}
