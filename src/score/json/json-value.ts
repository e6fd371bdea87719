import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import type { JsonValue } from "../../lib/json.ts";
import { jsonValuesIn, parseJson } from "../../text/json-in-text.ts";
import { pathKey, valueReader } from "../contract/text-selection.ts";
import type { Answer } from "../contract/scorer.ts";

/** The keys of scorers that look at a JSON value. */
export const jsonSelectionKeys = {
  on: pathKey.optional(),
  parse: z
    .boolean()
    .optional()
    .describe(
      "Read a text as JSON first. Default: true for a bot's answer, false with on and for a function's return value.",
    ),
  within: z
    .boolean()
    .default(false)
    .describe("Take the first JSON object or list inside of the text, such as in a code fence. Default: false."),
};

/** A JSON value of an answer, or why there is none. */
export type ReadJson = { value: JsonValue } | { missing: string };

/** Reads the JSON value that is looked at. */
export function jsonReader(options: {
  on?: string | undefined;
  parse?: boolean | undefined;
  within: boolean;
}): (answer: Answer) => ReadJson {
  const { on, within } = options;
  const read = on === undefined ? wholeAnswer : valueReader(on);
  const what = on ?? "the answer";
  return (answer) => {
    const value = read(answer);
    if (value === undefined) return { missing: `there is no ${what === "the answer" ? "answer" : what}` };
    const parses = options.parse ?? (on === undefined && endpointOf(answer.endpoint).answersWith === "text");
    if (typeof value !== "string" || !(parses || within)) return { value };
    const parsed = within ? jsonValuesIn(value)[0] : parseJson(value);
    return parsed === undefined
      ? { missing: `${what} ${within ? "holds no JSON" : "is not JSON"}` }
      : { value: parsed };
  };
}

function wholeAnswer({ endpoint, record }: Answer): JsonValue | undefined {
  return record === null ? undefined : endpointOf(endpoint).valueOf(record.output);
}
