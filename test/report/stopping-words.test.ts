import { expect, test } from "vitest";
import type { Comparison } from "../../src/compare/comparison.ts";
import type { WatchStanding } from "../../src/compare/verdict/watch.ts";
import { decidingWords, raceWords } from "../../src/report/say/stopping.ts";
import { stoppingWords } from "../../src/report/say/notes.ts";
import { compareCases } from "../compare/compare-cases.ts";
import {
  aCase,
  aTarget,
  candidate,
  passing,
  prod,
  says,
  scored,
  settings,
  unfinished,
} from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

const comparison: Comparison = { ...compareCases([], settings), verdict: "pass" };
const stopped = { cases: 1_000, decidedAfter: 128, spared: 1_744, saved: 17.44, isOpen: false, needsSuite: false };
const words = (given: Partial<typeof stopped> | { decidedAfter: null; isOpen?: boolean; spared: number }) =>
  stoppingWords({ ...comparison, stopping: { ...stopped, ...given } }, "nightly-1");

test("a run that stopped is told with what it spared, in requests and money", () => {
  expect(words({})).toEqual([
    "Decided after 128 of 1,000 rows: 1,744 requests were not sent (about 17.44 saved, in the unit of your prices). `tandem resume nightly-1 --rest` sends them.",
  ]);
  expect(words({ spared: 1 })[0]).toContain("1 request was not sent");
});

test("the rest of a run whose gates take code of its suite file is sent with that file", () => {
  const needing = { ...comparison, stopping: { ...stopped, needsSuite: true } };
  expect(stoppingWords(needing, "nightly-1", "s.yaml")[0]).toContain(
    "`tandem resume --rest --suite s.yaml` sends them",
  );
  // A command that somebody has to fill in is none.
  expect(stoppingWords(needing, "nightly-1")[0]).toContain(
    "`tandem resume --rest --suite` with its suite file sends them",
  );
});

test("the rest of a race is sent by a sentence that begins as one, whether it is a command or words", () => {
  const race = { ended: "one-left" as const, after: 40, of: 60, dropped: [], spared: 0, saved: null };
  for (const rest of ["`tandem resume --rest --suite` with its suite file", "`tandem resume r --rest`"])
    expect(raceWords({ cases: 40 }, race, { rest, isOpen: true, unpriced: "" })).toEqual([
      `The race ended after 40 of 60 rows. The rest is not all sent. ${rest} sends it.`,
    ]);
});

test("a run that was decided and is not finished says what becomes of the rest", () => {
  expect(words({ isOpen: true, spared: 0 })).toEqual([
    "Decided after 128 of 1,000 rows; the rest is not all sent. `tandem resume nightly-1 --rest` sends it; without --rest it is left out.",
  ]);
});

test("what was not sent stays known where other grades undo the decision", () => {
  expect(words({ decidedAfter: null, spared: 1_744 })).toEqual([
    "1,744 requests were not sent when it was decided (about 17.44 saved, in the unit of your prices). By the grades of now nothing is decided without them: `tandem resume nightly-1 --rest` sends them.",
  ]);
});

test("nothing is said of money where prices are not known", () => {
  const stopping = { ...stopped, saved: null };
  expect(stoppingWords({ ...comparison, stopping }, "nightly-1")[0]).toContain("1,744 requests were not sent. `tandem");
});

test("a run of which the rest was sent too, one that was never decided, one that was cut off, and one that could not stop", () => {
  expect(words({ spared: 0 })).toEqual(["Decided after 128 of 1,000 rows; the rest was sent too."]);
  expect(words({ decidedAfter: null, spared: 0 })).toEqual([
    "Nothing was decided before the end: 1,000 rows were sent.",
  ]);
  expect(words({ decidedAfter: null, spared: 0, isOpen: true })).toEqual([]);
  expect(stoppingWords(comparison, "nightly-1")).toEqual([]);
});

test("progress names the gates that are farthest from a decision", () => {
  const gate = (metric: string, share: number): WatchStanding["gates"][number] => ({
    metric,
    candidate: "test",
    slice: null,
    state: share < 1 ? "inconclusive" : "pass",
    share,
  });
  const gates = [gate("a", 0.9), gate("b", 0.415), gate("c", 1)];
  expect(decidingWords({ cases: 60, clusters: 60, gates }, false)).toBe(
    "Stops when it is decided: after 60 rows b is 41 % of the way, a is 90 % of the way",
  );
  expect(decidingWords({ cases: 94, clusters: 94, gates }, true)).toBe("Decided after 94 rows");
  expect(decidingWords({ cases: 0, clusters: 0, gates: [] }, false)).toBe(
    "Stops when it is decided: 0 rows compared so far",
  );
});

/** So many cases in the order of sending, of which the candidate fails some; those beyond `sent` were spared. */
function looked(count: number, { isLost, sent = count }: { isLost: (place: number) => boolean; sent?: number }) {
  const results = Array.from({ length: count }, (_, place) => {
    const jobs =
      place < sent
        ? [says(prod, "a", scored(true)), says(candidate, "a", scored(!isLost(place)))]
        : [unfinished(prod, { outcome: "spared" }), unfinished(candidate, { outcome: "spared" })];
    return aCase(`k${place}`, jobs, { caseId: place, expected: "a" });
  });
  const stop = {
    planned: count,
    most: 1,
    values: new Map<string, ReadonlyMap<string, number>>(),
    placeOf: (id: number) => (id < sent ? id : null),
    isWhole: sent === count,
    decidedAfter: 60,
    needsSuite: false,
  };
  return toldOf(results, {}, { metrics: [passing()], stop }).model;
}

test("a loss that the later cases made smaller is not said to be at least what the earlier ones told", () => {
  const { verdict } = looked(500, { isLost: (place) => place < 60 });
  expect(verdict.state).toBe("regression");
  expect(verdict.sentence).toMatch(/^test is worse than prod on `correct`: 60 of 500 rows newly fail$/);
  const even = looked(120, { isLost: (place) => place % 2 === 0 }).verdict.sentence;
  expect(even).toContain("60 of 120 rows newly fail");
});

test("whatever is worked out for a number of cases that was fixed before says so where the run stopped", () => {
  const stoppedModel = looked(300, { isLost: (place) => place % 2 === 0, sent: 60 });
  expect(stoppedModel.notes.join(" ")).toContain("as if it had been fixed before: they describe, and claim nothing.");
  expect(looked(120, { isLost: () => false }).notes.join(" ")).not.toContain("fixed before");
  // A run that was spared has no answer in which anything could be found.
  expect(stoppedModel.targets[0]?.expected).toEqual({ found: 60, of: 60 });
});

test("the words fit the last case, a run that nothing could decide any more, two candidates, and a price that is not known", () => {
  const stopping = { ...stopped, needsSuite: false };
  expect(words({ decidedAfter: 1_000, spared: 0 })).toEqual(["Decided with the last of 1,000 rows."]);
  expect(stoppingWords({ ...comparison, stopping, verdict: "invalid" }, "b")[0]).toContain(
    "Stopped after 128 of 1,000 rows: 1,744 requests were not sent",
  );
  const third = aTarget(3, "third");
  const results = Array.from({ length: 8 }, (_, i) =>
    aCase(
      `k${i}`,
      [prod, candidate, third].map((side) => says(side, "a", scored(true))),
    ),
  );
  const pairs = [1, 2].map((place) => ({ baseline: 0, candidate: place }));
  const two = compareCases(results, { ...settings, sides: [prod, candidate, third], pairs, metrics: [passing()] });
  expect(stoppingWords({ ...two, stopping }, "b")[1]).toBe("Open when it stopped: test: correct, third: correct.");
  const targets = two.targets.map((target) => ({ ...target, spared: 2, saved: target.target === "third" ? null : 1 }));
  expect(stoppingWords({ ...two, targets, stopping }, "b")[0]).toContain(
    "(about 17.44 saved, in the unit of your prices, without third, whose price is not known)",
  );
});
