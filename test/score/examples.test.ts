import { describe, expect, test } from "vitest";
import { faultsOf } from "../../src/lib/fault.ts";
import { makeScorers } from "../../src/score/make.ts";
import { registry } from "../../src/score/registry.ts";
import type { Answer, ScorerExample } from "../../src/score/scorer.ts";
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
    if (made === undefined || made.scorer.kind === "judge" || made.scorer.kind === "composite") return;
    const score = await made.scorer.grade(answerOf(example));
    if ("unscored" in example.score) return expect(score).toHaveProperty("unscored");
    expect(score).toMatchObject({ pass: example.score.pass, value: expect.closeTo(example.score.value, 9) });
  });
});
