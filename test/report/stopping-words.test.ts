import { expect, test } from "vitest";
import type { Comparison } from "../../src/compare/comparison.ts";
import type { WatchStanding } from "../../src/compare/stopping/gate-watch.ts";
import { decidingWords } from "../../src/report/words/deciding-words.ts";
import { stoppingWords } from "../../src/report/words/stopping-words.ts";
import { compareCases } from "../compare/compare-cases.ts";
import { settings } from "../compare/case-result.ts";

const comparison: Comparison = compareCases([], settings);
const stopped = { cases: 1_000, decidedAfter: 128, spared: 1_744, saved: 17.44, isOpen: false, needsSuite: false };
const words = (given: Partial<typeof stopped> | { decidedAfter: null; isOpen?: boolean; spared: number }) =>
  stoppingWords({ ...comparison, stopping: { ...stopped, ...given } }, "nightly-1");

test("a run that stopped is told with what it spared, in requests and money", () => {
  expect(words({})).toEqual([
    "Decided after 128 of 1,000 cases: 1,744 requests were not sent (about 17.44 saved). `tandem resume nightly-1 --rest` sends them.",
  ]);
  expect(words({ spared: 1 })[0]).toContain("1 request was not sent");
});

test("the rest of a run whose gates take code of its suite file is sent with that file", () => {
  expect(words({ needsSuite: true })[0]).toContain("`tandem run SUITE.yaml --resume --rest` sends them");
});

test("a run that was decided and is not finished says what becomes of the rest", () => {
  expect(words({ isOpen: true, spared: 0 })).toEqual([
    "Decided after 128 of 1,000 cases; the rest is not all sent. `tandem resume nightly-1 --rest` sends it; without --rest it is left out.",
  ]);
});

test("what was not sent stays known where other grades undo the decision", () => {
  expect(words({ decidedAfter: null, spared: 1_744 })).toEqual([
    "1,744 requests were not sent when it was decided (about 17.44 saved). By the grades of now nothing is decided without them: `tandem resume nightly-1 --rest` sends them.",
  ]);
});

test("nothing is said of money where prices are not known", () => {
  const stopping = { ...stopped, saved: null };
  expect(stoppingWords({ ...comparison, stopping }, "nightly-1")[0]).toContain("1,744 requests were not sent. `tandem");
});

test("a run of which the rest was sent too, one that was never decided, one that was cut off, and one that could not stop", () => {
  expect(words({ spared: 0 })).toEqual(["Decided after 128 of 1,000 cases; the rest was sent too."]);
  expect(words({ decidedAfter: null, spared: 0 })).toEqual([
    "Nothing was decided before the end: 1,000 cases were sent.",
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
  expect(decidingWords({ cases: 60, clusters: 60, gates })).toBe(
    "Stops when it is decided: after 60 cases b is 41 % of the way, a is 90 % of the way",
  );
  expect(decidingWords({ cases: 0, clusters: 0, gates: [] })).toBe("Stops when it is decided: 0 cases compared so far");
});
