import { causeWords } from "../../src/report/say/causes.ts";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, failed, passing, prod, says, scored, settings, unfinished } from "./case-result.ts";

/** Conversations of four turns; in the first of them the candidate fails at its first turn, and the rest is skipped. */
function talks(conversations: number, broken: number): PairedResult[] {
  return Array.from({ length: conversations * 4 }, (_, i) => {
    const [talk, turn] = [Math.floor(i / 4), (i % 4) + 1];
    const skipped = unfinished(candidate, { outcome: "skipped", error: "an earlier turn failed" });
    const fails = turn === 1 ? failed(candidate, "boom") : skipped;
    const job = talk < broken ? fails : says(candidate, "a", scored(true));
    return aCase(`c${talk}-${turn}`, [says(prod, "a", scored(true)), job], { cluster: `c${talk}`, turn });
  });
}

const compare = (results: PairedResult[], maxErrorShare = 0.5) =>
  compareCases(results, { ...settings, clustered: true, metrics: [passing()], maxErrorShare });

describe("turns that were skipped after a failed one", () => {
  test("are no errors that appeared, and no change of an outcome: the failed turn is", () => {
    const [found] = compare(talks(10, 3)).candidates;
    expect(found?.flips.lists.find(({ kind }) => kind === "error-appeared")?.cases).toBe(3);
    expect(found?.errors).toMatchObject({ appeared: 3, gone: 0 });
    expect(found?.changes).toMatchObject({ "error-appeared": 3, "not-compared": 9 });
    expect(found?.outcomeDiffers).toBe(3);
  });

  test("are fails of a pass rate all the same", () => {
    const metric = compare(talks(10, 3)).candidates[0]?.metrics[0];
    expect(metric).toMatchObject({ candidate: 28 / 40, missing: { candidate: 12 } });
  });

  test("count in neither number of the error rate, and the message says so", () => {
    expect(compare(talks(10, 3), 0.1).validity).toEqual({ state: "valid" });
    const { validity } = compare(talks(10, 3), 0.09);
    const said = validity?.state === "invalid" ? validity.reasons.map(causeWords) : [];
    expect(said).toEqual([
      expect.stringContaining(
        "test gave no answer in 3 of 31 rows (9.7 %, at most 9 % may be without one; 9 turns that were skipped after a failed one are not counted).",
      ),
    ]);
  });
});
