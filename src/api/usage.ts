import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Tokens that a model read and wrote for an answer. */
export interface Usage {
  input: number;
  output: number;
}

/** The names that services have for what was read, and for what was written. */
const inputNames = ["prompt_tokens", "input_tokens", "promptTokens", "inputTokens", "promptTokenCount"];
const outputNames = ["completion_tokens", "output_tokens", "completionTokens", "outputTokens", "candidatesTokenCount"];

/** Reads the usage that a reply tells; a number alone counts as written. null: it is none, or holds what is no count. */
export function usageIn(value: JsonValue | undefined): Usage | null {
  if (isCount(value)) return { input: 0, output: value };
  if (!isJsonObject(value)) return null;
  const input = countIn(value, inputNames);
  const output = countIn(value, outputNames);
  if (input === null || output === null || (input === undefined && output === undefined)) return null;
  return { input: input ?? 0, output: output ?? 0 };
}

/** The count under the first of the names that has one; undefined: no name is there, null: a value under one is no count. */
function countIn(usage: JsonObject, names: readonly string[]): number | null | undefined {
  const reported = names.map((name) => usage[name]).filter((value) => value !== undefined);
  const counts = reported.filter(isCount);
  // A name beside the one in use may be null.
  const isWrong = reported.some((value) => value !== null && !isCount(value));
  if (isWrong || (reported.length > 0 && counts.length === 0)) return null;
  return counts[0];
}

const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
