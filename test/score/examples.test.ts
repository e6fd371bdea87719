import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { faultsOf } from "../../src/lib/fault.ts";
import { trustCode } from "../../src/score/contract/code-trust.ts";
import { makeScorers } from "../../src/score/make.ts";
import { registry } from "../../src/score/registry.ts";
import type { Answer, Scorer, ScorerExample } from "../../src/score/contract/scorer.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { answered } from "./answered.ts";

/** Every example that the reference page shows, of every scorer in the registry. */
const examples = registry.flatMap(({ type, examples: list }) =>
  list.map((example) => ({ type, example, title: `${type}: ${example.about}` })),
);

function answerOf({ answer, expected, with: more }: ScorerExample): Answer {
  return answered(answer, { ...(expected !== undefined && { expected }), ...more });
}

describe("the documented examples of scorers", () => {
  test("there are some for every type", () => {
    expect(registry.filter(({ examples: list }) => list.length === 0).map(({ type }) => type)).toEqual([]);
  });

  test.each(examples)("$title", async ({ type, example }) => {
    const entry = { type, ...example.scorer };
    const registered = registry.find((each) => each.type === type);
    expect(registered === undefined ? null : faultsOf(registered.schema, entry)).toEqual([]);
    const folder = await folderWith(example.files ?? {});
    const scorers = scorerSpecs([entry]);
    const trust = trustCode({ folder, scorers, keyNames: [] });
    const [made] = await makeScorers(scorers, { trust, timeoutMs: 20_000 });
    const score = made === undefined ? null : await scoreOf(made.scorer, example);
    const wanted = scoreOfWord(example.score);
    if ("unscored" in wanted) return expect(score).toHaveProperty("unscored");
    expect(score).toMatchObject({ pass: wanted.pass, value: expect.closeTo(wanted.value, 9) });
  });
});

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-example-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

function scoreOfWord(score: ScorerExample["score"]): Exclude<ScorerExample["score"], string> {
  if (score === "passes") return { value: 1, pass: true };
  return score === "fails" ? { value: 0, pass: false } : score;
}

async function scoreOf(scorer: Scorer, example: ScorerExample): Promise<unknown> {
  const answer = answerOf(example);
  if (scorer.kind === "composite") {
    const scores = scorer.of.map((name) => example.scores?.[name] ?? null);
    return scorer.combine(scores, { checks: answer.case.checks ?? null, target: answer.target });
  }
  if (scorer.kind === "effect") onTestFinished(scorer.close);
  if (scorer.kind !== "judge") return scorer.grade(answer);
  const asked = scorer.ask(answer, example.baseline === undefined ? null : answered(example.baseline));
  if (!Array.isArray(asked)) return asked;
  const replies = (example.replies ?? []).map((reply) => {
    const { record, endpoint } = answered(reply);
    return record === null ? null : { ...record, endpoint };
  });
  expect(asked.length).toBe(replies.length);
  return scorer.read(replies, false, () => asked);
}
