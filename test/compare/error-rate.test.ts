import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { compareCases } from "./compare-cases.ts";
import type { JobResult } from "../../src/store/results/case-result.ts";
import { aCase, candidate, failed, passing, prod, says, scored, settings, unfinished } from "./case-result.ts";

const pass = (target: typeof prod, repeat = 1): JobResult => says(target, "a", { ...scored(true), repeat });
const compare = (results: PairedResult[], maxErrorShare = 0.05) =>
  compareCases(results, { ...settings, metrics: [passing()], maxErrorShare });

/** 100 rows, prod twice and test once; of prod's second runs so many failed. */
const secondRunsFail = (count: number): PairedResult[] =>
  Array.from({ length: 100 }, (_, i) =>
    aCase(`k${i}`, [
      pass(prod),
      i < count ? failed(prod, "boom", { repeat: 2 }) : pass(prod, 2),
      i % 5 < 2 ? says(candidate, "b", scored(false)) : pass(candidate),
    ]),
  );

describe("the error rate of a target", () => {
  test("counts every run: where all second runs of the baseline failed, the comparison is invalid", () => {
    const { verdict, validity } = compare(secondRunsFail(100));
    expect(verdict).toBe("invalid");
    expect(validity).toMatchObject({
      reasons: [{ kind: "unanswered", target: "prod", runs: 100, of: 200, isOfRows: false, share: 0.5, allowed: 0.05 }],
    });
  });

  test("counts those of the candidate too", () => {
    const results = Array.from({ length: 100 }, (_, i) =>
      aCase(`k${i}`, [
        pass(prod),
        pass(candidate),
        i < 12 ? failed(candidate, "boom", { repeat: 2 }) : pass(candidate, 2),
      ]),
    );
    expect(compare(results).validity).toMatchObject({
      reasons: [{ kind: "unanswered", target: "test", runs: 12, of: 200, isOfRows: false, share: 0.06, allowed: 0.05 }],
    });
  });

  test("is a share of the runs: as few as are allowed leave the comparison valid", () => {
    expect(compare(secondRunsFail(10)).validity).toEqual({ state: "valid" });
    expect(compare(secondRunsFail(11)).verdict).toBe("invalid");
  });

  test("leaves out the skipped turns of every run", () => {
    const results = Array.from({ length: 20 }, (_, i) => {
      const [talk, turn] = [Math.floor(i / 2), (i % 2) + 1];
      const skipped = unfinished(candidate, { outcome: "skipped", repeat: 2 });
      const second = talk > 0 ? pass(candidate, 2) : turn === 1 ? failed(candidate, "boom", { repeat: 2 }) : skipped;
      return aCase(`c${talk}-${turn}`, [pass(prod), pass(candidate), second], { cluster: `c${talk}`, turn });
    });
    expect(compare(results, 0.02).validity).toMatchObject({
      reasons: [{ kind: "unanswered", target: "test", runs: 1, of: 39, isOfRows: false, skipped: 1 }],
    });
  });
});
