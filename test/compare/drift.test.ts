import { expect, test } from "vitest";
import { driftOf, shapeTally } from "../../src/compare/tallies/drift.ts";

const shapeOf = (outputs: Parameters<ReturnType<typeof shapeTally>["add"]>[0][], ignore: string[] = []) => {
  const tally = shapeTally("video-bots", ignore);
  for (const [place, output] of outputs.entries()) tally.add(output, place * 1_000);
  return tally.shape();
};

const before = Array.from({ length: 40 }, () => ({ model: "gpt-1", metrics: { n: 1 }, references: [{ title: "a" }] }));
const after = Array.from({ length: 40 }, () => ({ model: "gpt-2", references: null }));

test("members that vanish and settings that change are told", () => {
  expect(driftOf(shapeOf(before), shapeOf(after))).toMatchObject({
    members: { baseline: 3, candidate: 2 },
    vanished: ["metrics"],
  });
  expect(shapeOf([...before, ...after]).changes.map(({ path }) => path)).toEqual(["model"]);
});

test("what is ignored is no drift, nor what is below it, however it is written", () => {
  const ignore = ["output.metrics", "model", "references[].title"];
  const [from, to] = [shapeOf(before, ignore), shapeOf(after, ignore)];
  expect(from.members.map(({ path }) => path)).toEqual(["references"]);
  expect(driftOf(from, to)).toMatchObject({ members: { baseline: 1, candidate: 1 }, vanished: [], appeared: [] });
  expect(shapeOf([...before, ...after], ignore).changes).toEqual([]);
});
