import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";

interface Row {
  kind: string;
  language: string;
  /** True: the baseline passes and the candidate fails. */
  isLost: boolean;
}

function rows(count: number, row: Omit<Row, "isLost">, lost: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({ ...row, isLost: i < lost }));
}

/** 30 rows with typos of which 28 are lost, most of them English ones; of the 130 others so many English ones are lost. */
function rowsWith({ plainLost }: { plainLost: number }): Row[] {
  return [
    ...rows(22, { kind: "typo", language: "en" }, 21),
    ...rows(8, { kind: "typo", language: "de" }, 7),
    ...rows(40, { kind: "plain", language: "en" }, plainLost),
    ...rows(90, { kind: "plain", language: "de" }, 0),
  ];
}

function compared(given: readonly Row[]) {
  const cases = given.map(({ isLost, ...tags }, i): PairedResult => {
    return aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "b", scored(!isLost))], { tags });
  });
  const { candidates, worse } = compareCases(cases, { ...settings, metrics: [passing()] });
  const segments = candidates[0]?.slices ?? [];
  const reported = worse.flatMap(({ slice: segment }) =>
    segment === null ? [] : [`${segment.tag} = ${segment.value}`],
  );
  return { english: segments.find(({ value, and }) => value === "en" && and === null), told: reported };
}

describe("a slice that is worse", () => {
  test("only because of another is held by that one, and not told beside it, but stays among the slices", () => {
    const { english, told: reported } = compared(rowsWith({ plainLost: 0 }));
    expect(english).toMatchObject({ cases: 62, worse: 21, heldBy: [{ tag: "kind", value: "typo", and: null }] });
    expect(english?.adjusted).toBeLessThan(0.01);
    expect(reported).toContain("kind = typo");
    expect(reported).not.toContain("language = en");
  });

  test("in few of its other cases, as chance may have it, is held too: two lost of forty", () => {
    expect(compared(rowsWith({ plainLost: 2 })).english?.heldBy).toHaveLength(1);
  });

  test("without the cases of the other too is told beside it", () => {
    const { english, told: reported } = compared(rowsWith({ plainLost: 20 }));
    expect(english?.heldBy).toEqual([]);
    expect(reported).toEqual(expect.arrayContaining(["kind = typo", "language = en"]));
  });
});
