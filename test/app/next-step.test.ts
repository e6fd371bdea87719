import { expect, test } from "vitest";
import { nextWhy } from "../../src/report/say/next.ts";
import { concludingStep } from "../../src/app/report/next-step.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { compareCases } from "../compare/compare-cases.ts";
import { aCase, candidate, failed, passing, prod, says, scored, settings, unfinished } from "../compare/case-result.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

/** Everything else that decides the next step, where there is nothing of it. */
const nothingElse = {
  inDoubt: { open: 0, held: 0, failed: 0, cases: [], atService: 0, reattached: 0 },
  proposal: null,
  isAdvised: false,
  out: "results",
  rerun: undefined,
  resumeFlags: [],
  missing: null,
};

/** The step after a batch of 20 rows that was stopped when the last two were open, and so many others had failed. */
async function stepAfter(failures: number) {
  const db = temporaryDatabase();
  const { id, name } = await plannedBatch(db, [oneCase("k1")]);
  setBatchState(db, id, "stopped");
  const results: PairedResult[] = Array.from({ length: 20 }, (_, i) => {
    const side =
      i >= 18
        ? unfinished(candidate)
        : i < failures
          ? failed(candidate, "overloaded")
          : says(candidate, "a", scored(true));
    return aCase(`k${i}`, [says(prod, "a", scored(true)), side]);
  });
  const step = concludingStep({
    batch: findBatch(db, name),
    comparison: compareCases(results, { ...settings, metrics: [passing()] }),
    ...nothingElse,
  });
  return { ...step, name };
}

test("a stopped batch is resumed where that completes it", async () => {
  const { commands, name } = await stepAfter(0);
  expect(commands).toEqual([["tandem", "resume", name]]);
});

test("a batch of which too much failed for good is resumed with what failed", async () => {
  const { name, ...step } = await stepAfter(12);
  expect(nextWhy(step)).toBe(
    "wait until test answers again, then go on, and ask the 12 failed questions of test again",
  );
  expect(step.commands).toEqual([["tandem", "resume", name, "--failed"]]);
});

/** The step after a finished batch. */
async function stepOf(results: PairedResult[], given: Partial<typeof settings>) {
  const db = temporaryDatabase();
  const { id, name } = await plannedBatch(db, [oneCase("k1")]);
  setBatchState(db, id, "finished");
  const comparison = compareCases(results, { ...settings, ...given });
  const step = concludingStep({
    batch: findBatch(db, name),
    comparison,
    ...nothingElse,
  });
  return { ...step, name, word: comparison.word };
}

const sides = (now: (row: number) => boolean, before: (row: number) => boolean = () => true): PairedResult[] =>
  Array.from({ length: 200 }, (_, row) =>
    aCase(`k${row}`, [
      says(prod, before(row) ? "a" : "b", scored(before(row))),
      says(candidate, now(row) ? "a" : "b", scored(now(row))),
    ]),
  );

test("a pass sends nobody to what changed where nothing did", async () => {
  const metrics = [passing()];
  expect(
    nextWhy(
      await stepOf(
        sides(() => true),
        { metrics },
      ),
    ),
  ).toBe("nothing has to be done; to look at the answers");
  expect(
    nextWhy(
      await stepOf(
        sides((row) => row > 0),
        { metrics },
      ),
    ),
  ).toBe("nothing has to be done; to look at what changed");
});

test("a choice says which one to take, and leads to the rows on which they disagree", async () => {
  const results = sides(
    () => true,
    (row) => row % 3 > 0,
  );
  const metrics = [{ ...passing(), gates: [] }];
  const choice = { expected: null, margin: null };
  const step = await stepOf(results, { metrics, choice });
  expect(step.word).toBe("best");
  expect(nextWhy(step)).toBe("take test");
});

test("an open comparison leads to the place that is surely worse", async () => {
  const rows = Array.from({ length: 75 }, (_, row) => {
    const [before, now] = row % 3 === 0 ? [true, row % 9 === 0] : [row % 2 === 0, row % 2 === 0 || row % 5 === 0];
    const jobs = [says(prod, before ? "a" : "b", scored(before)), says(candidate, now ? "a" : "b", scored(now))];
    return aCase(`k${row}`, jobs, { tags: { section: row % 3 === 0 ? "fees" : "other" } });
  });
  const step = await stepOf(rows, { metrics: [passing()] });
  expect(step.step).toMatchObject({ kind: "look-at-place", place: { tag: "section", value: "fees", and: null } });
  expect(nextWhy(step)).toBe("look at the 16 rows with section = fees that newly fail");
});
