import { isJsonObject, type JsonValue } from "../lib/json.ts";

/** Tokens that a model read and wrote for an answer. */
export interface Usage {
  input: number;
  output: number;
}

/** The names that services have for what was read, and for what was written. */
const inputNames = ["prompt_tokens", "input_tokens", "promptTokens", "inputTokens", "promptTokenCount"];
const outputNames = ["completion_tokens", "output_tokens", "completionTokens", "outputTokens", "candidatesTokenCount"];

/** Reads the usage that a reply tells; a number alone counts as written. null: it is none. */
export function usageIn(value: JsonValue | undefined): Usage | null {
  if (isCount(value)) return { input: 0, output: value };
  if (!isJsonObject(value)) return null;
  const input = inputNames.map((name) => value[name]).find(isCount);
  const output = outputNames.map((name) => value[name]).find(isCount);
  return input === undefined && output === undefined ? null : { input: input ?? 0, output: output ?? 0 };
}

const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
