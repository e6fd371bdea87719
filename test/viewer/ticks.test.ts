import { expect, test } from "vitest";
import { knownSides, ticked } from "../../src/viewer/app/batches/ticks.ts";

const batch = (id: number, name: string, suite = "desk") => ({ id, name, suite, targets: ["prod", "test"] });
const known = knownSides(
  [batch(3, "new"), batch(2, "mid"), batch(1, "old"), batch(4, "other", "else")],
  [{ name: "release", batches: ["new"], targets: ["prod"] }],
);
const tick = (ticks: readonly string[], name: string): string[] => ticked(ticks, { name, isTicked: true }, known);

test("the older of two ticked batches of a suite is the baseline, in whatever order they are ticked", () => {
  expect(tick(tick([], "new"), "old")).toEqual(["old", "new"]);
  expect(tick(tick([], "old"), "new")).toEqual(["old", "new"]);
  expect(tick(["mid:test"], "old")).toEqual(["old", "mid:test"]);
});

test("a pin, or a batch of another suite, is the candidate of what was ticked first", () => {
  expect(tick(["new"], "release")).toEqual(["new", "release"]);
  expect(tick(["release"], "old")).toEqual(["release", "old"]);
  expect(tick(["other"], "old")).toEqual(["other", "old"]);
});

test("a third batch takes the place of the second, and a tick that is taken away leaves the others", () => {
  expect(tick(["old", "new"], "mid")).toEqual(["old", "mid"]);
  expect(ticked(["old", "new"], { name: "old", isTicked: false }, known)).toEqual(["new"]);
});
