import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Tokens that a model read and wrote for an answer. */
export interface Usage {
  input: number;
  output: number;
  /** Those of `input` that the service took from its cache; left out: none, or it does not say. */
  cached?: number;
}

/** The names that services have for what was read, and for what was written. */
const inputNames = (
  "prompt_tokens input_tokens promptTokens inputTokens promptTokenCount inputTokenCount " +
  "input_token_count prompt_eval_count tokens_evaluated"
).split(" ");
const outputNames = (
  "completion_tokens output_tokens completionTokens outputTokens candidatesTokenCount " +
  "outputTokenCount generated_token_count eval_count tokens_predicted"
).split(" ");
const totalNames = ["total_tokens", "totalTokens", "totalTokenCount"];

/** Tokens of thoughts and of the results of tools, which Gemini counts beside the others. */
const thoughtNames = ["thoughtsTokenCount"];
const toolNames = ["toolUsePromptTokenCount"];
/** Tokens that a cache was read or written for; Anthropic's API counts them beside `input_tokens`. */
const cacheReadNames = ["cache_read_input_tokens", "cacheReadInputTokens"];
const cacheWriteNames = ["cache_creation_input_tokens", "cacheWriteInputTokens"];
/** Tokens from a cache that are a part of what was read. */
const cachedNames = [
  ...cacheReadNames,
  "cached_tokens",
  "cachedContentTokenCount",
  "prompt_cache_hit_tokens",
  "cachedInputTokens",
];
const detailNames = ["prompt_tokens_details", "input_tokens_details"];
/** The name under which Anthropic's API has what was read without its cache. */
const namesBesideCache = ["input_tokens", "inputTokens"];

/**
 * Reads the usage that a reply tells; a number alone counts as written. Where its own total is more than what was read and
 * written, the rest counts too. null: it is none, or holds what is no count.
 */
export function usageIn(value: JsonValue | undefined): Usage | null {
  if (isCount(value)) return { input: 0, output: value };
  if (!isJsonObject(value)) return null;
  // Cohere's API tells what it bills beside all tokens.
  if (isJsonObject(value["tokens"])) return usageIn(value["tokens"]);
  const input = countIn(value, inputNames);
  const output = countIn(value, outputNames);
  const total = countIn(value, totalNames);
  if (input === null || output === null || total === null) return null;
  if (input === undefined && output === undefined) return null;
  const told = { input: input ?? 0, output: output ?? 0 };
  const beside = countedBeside(value, total === undefined ? null : total - told.input - told.output);
  const read = told.input + beside.input;
  const cached = Math.min(read, cachedIn(value));
  return { input: read, output: told.output + beside.output, ...(cached > 0 && { cached }) };
}

/** Tokens that are not among those read and written. `rest`: as many as the total has more than these; null: it tells none. */
function countedBeside(usage: JsonObject, rest: number | null): Pick<Usage, "input" | "output"> {
  const isBesideCache = namesBesideCache.some((name) => isCount(usage[name]));
  const cache = firstCount(usage, cacheReadNames) + firstCount(usage, cacheWriteNames);
  const input = firstCount(usage, toolNames) + (isBesideCache || rest !== null ? cache : 0);
  if (rest === null) return { input, output: firstCount(usage, thoughtNames) };
  const read = Math.max(0, Math.min(rest, input));
  // Reasoning, whatever its name: a total names no other tokens.
  return { input: read, output: Math.max(0, rest - read) };
}

/** Tokens that came from a cache. */
function cachedIn(usage: JsonObject): number {
  const details = detailNames.map((name) => usage[name]).filter(isJsonObject);
  return Math.max(...[usage, ...details].map((each) => firstCount(each, cachedNames)));
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

const firstCount = (usage: JsonObject, names: readonly string[]): number =>
  names.map((name) => usage[name]).find(isCount) ?? 0;

const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
