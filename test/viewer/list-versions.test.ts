import { expect, test } from "vitest";
import type { BatchEntry, BatchList } from "../../src/viewer/api.ts";
import { ListVersions } from "../../src/viewer/server/home/batch-entries.ts";

const entry = (id: number, finished = 0): BatchEntry => ({
  id,
  name: `night-${id}`,
  suite: "nightly",
  state: "running",
  live: true,
  reason: null,
  createdAt: id,
  jobs: 9,
  finished,
  spared: 0,
  beside: [],
  chosen: [],
  leftMs: null,
  targets: ["prod"],
  verdict: null,
  word: null,
  pins: [],
});
const listOf = (...batches: BatchEntry[]): BatchList => ({ batches, pins: [] });

test("who has a list is sent only what is new in it, and all of it when batches went away", () => {
  const versions = new ListVersions();
  const reported = (known: number, list: BatchList): unknown[] => {
    const { version, isWhole, batches } = versions.since(known, list);
    return [version, isWhole, batches.map(({ id }) => id)];
  };
  expect(reported(0, listOf())).toEqual([0, true, []]);
  expect(reported(0, listOf(entry(2), entry(1)))).toEqual([1, true, [2, 1]]);
  expect(reported(1, listOf(entry(2), entry(1)))).toEqual([1, false, []]);
  expect(reported(1, listOf(entry(3), entry(2, 5), entry(1)))).toEqual([2, false, [3, 2]]);
  const last = listOf(entry(3, 1), entry(2, 5), entry(1));
  expect(reported(2, last)).toEqual([3, false, [3]]);
  // One who slept through a version is told both; one of another viewer all.
  expect(reported(1, last)).toEqual([3, false, [3, 2]]);
  expect(reported(99, last)).toEqual([3, true, [3, 2, 1]]);
  expect(reported(3, listOf(entry(3, 1), entry(1)))).toEqual([4, true, [3, 1]]);
  expect(reported(4, listOf(entry(3, 2), entry(1)))).toEqual([5, false, [3]]);
});
