import { expect, test } from "vitest";
import { knownSides, tickName, ticked } from "../../src/viewer/app/batches/ticks.ts";

const year = new Date().getFullYear();
const at = (day: number, hour: number): number => new Date(year, 10, day, hour, 5).getTime();
const batch = (id: number, name: string, suite = "desk", createdAt = at(id, 2)) => ({
  id,
  name,
  suite,
  targets: ["prod", "test"],
  createdAt,
});
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

test("a batch is called by its day and time, with a number where a minute has several; a pin keeps its name", () => {
  const twice = knownSides(
    [
      batch(3, "desk-3"),
      batch(4, "desk-4", "desk", at(3, 14)),
      batch(5, "desk-5"),
      batch(6, "other-3", "other", at(3, 9)),
    ],
    [{ name: "release", batches: ["desk-3"], targets: ["prod"] }],
  );
  expect(["desk-3", "desk-4", "desk-5", "other-3", "release", "gone"].map((name) => tickName(twice, name))).toEqual([
    "desk, run of 3 Nov 02:05",
    "desk, run of 3 Nov 14:05",
    "desk, run of 5 Nov 02:05",
    "other, run of 3 Nov 09:05",
    "release",
    "gone",
  ]);
  // No code flashes before the list has come.
  expect(tickName(knownSides([], []), "desk-3")).toBe("...");
});
