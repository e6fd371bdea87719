import { expect, test } from "vitest";
import { makeScorers } from "../../src/score/make.ts";
import type { Score } from "../../src/score/contract/scorer.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { answered } from "./answered.ts";

async function graded(entry: object): Promise<Score> {
  const [made] = await makeScorers(scorerSpecs([entry]), { trust: null, timeoutMs: 1000 });
  if (made?.scorer.kind !== "pure") throw new Error("not a pure scorer");
  return made.scorer.grade(answered("Paris", { expected: "Rome" }));
}

test("with lower_is_better a threshold is the highest value that passes", async () => {
  const far = await graded({ type: "chrf", threshold: 50, lower_is_better: true });
  expect(far).toMatchObject({ pass: true, reason: expect.stringContaining("at most 50") });
  expect(await graded({ type: "chrf", threshold: 50 })).toMatchObject({ pass: false });
  expect(await graded({ type: "wer", threshold: 0.5, lower_is_better: false })).toMatchObject({ value: 1, pass: true });
  expect(await graded({ type: "wer", threshold: 0.5 })).toMatchObject({ value: 1, pass: false });
});

test.each([
  ["STRASSE", "Die Straße ist lang."],
  ["istanbul", "İSTANBUL"],
  ["ΟΔΟΣ", "οδος 5"],
])("capital letters make no difference in any language: %s", async (value, text) => {
  const [made] = await makeScorers(scorerSpecs([{ type: "icontains", value }]), { trust: null, timeoutMs: 1000 });
  if (made?.scorer.kind !== "pure") throw new Error("not a pure scorer");
  expect(made.scorer.grade(answered(text))).toMatchObject({ pass: true });
});
