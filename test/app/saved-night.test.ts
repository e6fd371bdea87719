import { expect, test } from "vitest";
import { readKeptNight } from "../../src/app/history/saved-night.ts";

test("a night that an earlier tandem kept in the order of its scorers has its primary metric first", () => {
  const metric = (name: string, primary: boolean) => ({ metric: name, primary });
  const score = (name: string) => ({ metric: name, of: "value", cases: 1, mean: 1 });
  const kept = readKeptNight(
    JSON.stringify({
      targets: [{ target: "prod", scores: [score("similar"), score("correct"), score("seconds")] }],
      candidates: [
        {
          candidate: "test",
          baseline: "prod",
          metrics: [metric("similar", false), metric("correct", true), metric("seconds", false)],
        },
      ],
      worse: [
        { candidate: "test", place: 1, slice: null, difference: -1 },
        { candidate: "test", place: 0, slice: null, difference: -1 },
      ],
    }),
  );
  const inOrder = ["correct", "similar", "seconds"];
  expect(kept.targets[0]?.scores.map((each) => each.metric)).toEqual(inOrder);
  expect(kept.candidates[0]?.metrics.map((each) => each.metric)).toEqual(inOrder);
  // What was worse is found by its place among the metrics.
  expect(kept.worse.map(({ place }) => inOrder[place])).toEqual(["correct", "similar"]);
});
