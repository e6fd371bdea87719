import { expect, test } from "vitest";
import { concludingStep } from "../../src/app/report/next-step.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { compareCases } from "../compare/compare-cases.ts";
import { aCase, candidate, failed, passing, prod, says, scored, settings, unfinished } from "../compare/case-result.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

/** The step after a batch of 20 cases that was stopped when the last two were open, and so many others had failed. */
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
    inDoubt: { open: 0, held: 0, failed: 0, cases: [], atService: 0, reattached: 0 },
    proposal: null,
    isAdvised: false,
    out: "results",
    rerun: undefined,
    resumeFlags: "",
    missing: null,
  });
  return { ...step, name };
}

test("a stopped batch is resumed where that completes it", async () => {
  const { command, name } = await stepAfter(0);
  expect(command).toBe(`tandem resume ${name}`);
});

test("a batch of which too much failed for good is run again: a resume asks none of it", async () => {
  expect(await stepAfter(12)).toMatchObject({
    why: "wait until test answers again, then run the whole suite again (a resume does not ask the 12 failed questions of test again); SUITE is what it was run with",
    command: "tandem run SUITE",
  });
});
