import type { JsonObject } from "../../src/lib/json.ts";
import type { Answer } from "../../src/score/contract/scorer.ts";

/** An answer of a bot (a text, or its whole output) to a case; what is not said is ordinary. */
export function answered(
  output: string | JsonObject,
  more: Partial<Omit<Answer, "case">> & Partial<Answer["case"]> & { case?: Partial<Answer["case"]> } = {},
): Answer {
  const { key = "1", input = {}, expected = null, cluster = "1", turn = 1, tags = {}, columns = {}, ...rest } = more;
  const { case: about, ...fields } = rest;
  return {
    target: "test",
    endpoint: "video-bots",
    repeat: 1,
    outcome: "ok",
    answer: "answered",
    record: {
      id: "abc",
      url: "https://service.example/run",
      createdAt: "2026-11-21T10:00:00+00:00",
      output: typeof output === "string" ? { output_text: [output] } : output,
    },
    error: null,
    latencyMs: 1200,
    firstMs: 300,
    usage: null,
    attempts: 1,
    ...fields,
    case: { key, input, expected, cluster, turn, tags, columns, ...about },
  };
}
