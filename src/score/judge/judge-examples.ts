import { type JsonObject, type JsonValue, isJsonObject } from "../../lib/json.ts";
import { normalise } from "../../text/normalise.ts";
import type { ScorerSpec } from "../contract/spec.ts";
import type { Answer } from "../contract/scorer.ts";
import { questionOf } from "./judge-prompt.ts";

/** The facts of a case by which it is known as one that was used to write a judge. */
export type ExampleFacts = Pick<Answer["case"], "key" | "tags" | "columns" | "input">;

/**
 * Tells which cases were used to write a judge: those that the suite names as its `examples`, and those whose question stands in
 * the judge's own prompt. `body`: what the judge is always sent. Null: none can be.
 */
export function usedToWrite(
  { examples, options = {} }: Pick<ScorerSpec, "examples"> & Partial<Pick<ScorerSpec, "options">>,
  body: JsonObject,
): ((found: ExampleFacts) => boolean) | null {
  const { keys = [], tags = {} } = examples ?? {};
  const named = new Set(keys);
  const wanted = Object.entries(tags);
  const written = [options, body].flatMap(textsIn).map(normalise).join("\n");
  const isPrompt = Buffer.byteLength(written) >= shortest;
  if (named.size === 0 && wanted.length === 0 && !isPrompt) return null;
  return (found) => {
    if (named.has(found.key)) return true;
    if (wanted.some(([tag, values]) => values.includes(found.tags[tag] ?? ""))) return true;
    return isPrompt && standsIn(written, normalise(questionOf(found)));
  };
}

/** A shorter question may stand in a prompt by chance, in bytes: about 24 Latin letters, or 8 Chinese ones. */
const shortest = 24;

const standsIn = (written: string, question: string): boolean =>
  Buffer.byteLength(question) >= shortest && written.includes(question);

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
