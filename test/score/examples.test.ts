import { describe, expect, test } from "vitest";
import { faultsOf } from "../../src/lib/fault.ts";
import { makeScorers } from "../../src/score/make.ts";
import { registry } from "../../src/score/registry.ts";
import type { Answer, Scorer, ScorerExample } from "../../src/score/scorer.ts";
import { scorerSpecs } from "../../src/score/spec.ts";
import { answered } from "./answered.ts";

/** Every example that the reference page shows, of every scorer in the registry. */
const examples = registry.flatMap(({ type, examples: list }) =>
  list.map((example) => ({ type, example, title: `${type}: ${example.about}` })),
);

function answerOf({ answer, expected, with: more }: ScorerExample): Answer {
  return answered(answer, { ...(expected !== undefined && { expected }), ...more });
}

describe("the documented examples of scorers", () => {
  test("there are at least two for every type, one for those with little to show", () => {
    expect(registry.filter(({ examples: list }) => list.length === 0).map(({ type }) => type)).toEqual([]);
  });

  test.each(examples)("$title", async ({ type, example }) => {
    const entry = { type, ...example.scorer };
    const registered = registry.find((each) => each.type === type);
    expect(registered === undefined ? null : faultsOf(registered.schema, entry)).toEqual([]);
    const [made] = await makeScorers(scorerSpecs([entry]), { folder: null, timeoutMs: 1000 });
    const score = made === undefined ? null : await scoreOf(made.scorer, example);
    if ("unscored" in example.score) return expect(score).toHaveProperty("unscored");
    expect(score).toMatchObject({ pass: example.score.pass, value: expect.closeTo(example.score.value, 9) });
  });
});

async function scoreOf(scorer: Scorer, example: ScorerExample): Promise<unknown> {
  const answer = answerOf(example);
  if (scorer.kind === "composite") return scorer.combine(scorer.of.map((name) => example.scores?.[name] ?? null));
  if (scorer.kind !== "judge") return scorer.grade(answer);
  const asked = scorer.ask(answer, example.baseline === undefined ? null : answered(example.baseline));
  if (!Array.isArray(asked)) return asked;
  const replies = (example.replies ?? []).map((reply) => answered(reply).record);
  expect(asked.length).toBe(replies.length);
  return scorer.read(replies, false, () => asked);
}
