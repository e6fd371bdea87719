import { boundedJson, isJsonObject, type JsonValue, parsedJson } from "../lib/json.ts";
import { normalise } from "../text/normalise.ts";
import { valueText } from "../text/value-text.ts";
import { asyncForm } from "./async-form.ts";
import type { Endpoint } from "./endpoint.ts";
import { defaultFileFault } from "./files/file-fault.ts";
import { isNoValue } from "./no-value.ts";
import { requestFields } from "./request-fields.ts";
import { isRunMark } from "./run-marks.ts";
import { serviceCall } from "./service-call.ts";

const call = serviceCall("/v2/functions", (body) => body);

/** A function: it is called with variables and returns a value, which is its answer. */
export const functions: Endpoint = {
  runs: { key: "example_id", word: "saved configuration" },
  operation: "execute_tool",
  call,
  asyncForm: asyncForm("functions", call),

  fields: requestFields,
  needs: [],
  leavesOut: () => false,
  fileFault: defaultFileFault,
  prompt: null,
  promptField: () => "variables.prompt",
  fillsItself: () => false,
  takesColumnsAsVariables: true,

  /** Nothing but an absent or null return value is none: a function may well return `""`, `[]`, `{}` or 0. */
  kindOf(output) {
    const returned = output["return_value"] ?? null;
    const failed = reportsError(output["error"]);
    if (returned === null) return failed ? "function-error" : "empty";
    if (returnsError(returned)) return "function-error";
    return failed ? "warning" : "answered";
  },
  usageOf: () => null,
  tellsUsage: false,
  repeatsItself: true,
  textOf: (output) => valueText(output["return_value"]),
  answersWith: "value",
  readsWhole: false,
  valueOf: (output) => output["return_value"],
  session: null,
  /** A value is no reply in a conversation. */
  lacksHistory: {
    key: null,
    message: "is functions, which are sent nothing of what was said before",
    advice: "If each row stands for itself, map no turns",
  },
  historyFiles: [],
  historyEntry: ({ input_prompt: prompt }) => ({ user: typeof prompt === "string" ? prompt : "", assistant: "" }),

  outputOfCell: (text) => ({ return_value: valueOfCell(text), error: "", logs: [] }),
  outputSaying: (text) => ({ return_value: text }),

  expectedText,
  /** Marks such as `[1]` are post-processing in a bot's answer, but a value in what a function returns. */
  comparableText: normalise,
  /** The value that a function returned is its answer: all of it counts. */
  isOfAnswer: null,
  echoes: null,
  isVolatile: (path) => !isReturned(path) && isRunMark(path),
};

/** True for an error in the return value itself: an object with `error`, or JSON text with `error` or `detail`. */
function returnsError(returned: JsonValue): boolean {
  if (isJsonObject(returned)) return reportsError(returned["error"]);
  if (typeof returned !== "string" || !/^\s*\{/.test(returned)) return false;
  if (!returned.includes('"error"') && !returned.includes('"detail"')) return false;
  try {
    const parsed = boundedJson(returned);
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

/** The value, where a cell holds JSON of it; else the text. */
function valueOfCell(text: string): JsonValue {
  if (text.trim() === "") return null;
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/** Expected JSON in the spelling in which return values are compared; any other text as it is. */
function expectedText(expected: string): string {
  if (!/^\s*[{[]/.test(expected)) return expected;
  return valueText(parsedJson(expected)) ?? expected;
}

function isReturned(path: string): boolean {
  return path === "return_value" || path.startsWith("return_value.") || path.startsWith("return_value[");
}
