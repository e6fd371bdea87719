import { expect, test } from "vitest";
import { makeScorers } from "../../src/score/make.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { answered } from "./answered.ts";

test.each([
  ["STRASSE", "Die Straße ist lang."],
  ["istanbul", "İSTANBUL"],
  ["ΟΔΟΣ", "οδος 5"],
])("capital letters make no difference in any language: %s", async (value, text) => {
  const [made] = await makeScorers(scorerSpecs([{ type: "icontains", value }]), { trust: null, timeoutMs: 1000 });
  if (made?.scorer.kind !== "pure") throw new Error("not a pure scorer");
  expect(made.scorer.grade(answered(text))).toMatchObject({ pass: true });
});
