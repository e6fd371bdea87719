import { describe, expect, test } from "vitest";
import { enrichedFeatures, type MarkedUnit } from "../../src/stats/enrichment.ts";

/** Units of both halves in turn: marked or not, with a feature or without. */
function units(given: { marked: boolean; has: number[]; times: number }[]): MarkedUnit[] {
  return given.flatMap(({ marked, has, times }) =>
    Array.from({ length: times }, (_, place): MarkedUnit => ({
      isMarked: marked,
      features: has,
      half: place % 2 === 0 ? 0 : 1,
    })),
  );
}

describe("features that are more frequent among marked units", () => {
  test("are named with their counts, and by the half that was not looked at", () => {
    const found = enrichedFeatures(
      units([
        { marked: true, has: [1, 2], times: 14 },
        { marked: true, has: [2], times: 2 },
        { marked: false, has: [1, 2], times: 6 },
        { marked: false, has: [2], times: 94 },
      ]),
    );
    // Sum over k of C(8, k) C(50, 10 - k) / C(58, 10), k from 7: 7 of 8 marked and 3 of 50 others have it in the second half.
    expect(found).toEqual([
      {
        feature: 1,
        all: { marked: 16, markedWith: 14, others: 100, othersWith: 6 },
        confirmed: { marked: 8, markedWith: 7, others: 50, othersWith: 3 },
        p: expect.closeTo(3.0285e-6, 9),
      },
    ]);
  });

  test("are not named for one half alone", () => {
    const lucky = units([{ marked: false, has: [], times: 100 }]);
    const first = Array.from({ length: 10 }, (): MarkedUnit => ({ isMarked: true, features: [7], half: 0 }));
    const second = Array.from({ length: 10 }, (): MarkedUnit => ({ isMarked: true, features: [], half: 1 }));
    expect(enrichedFeatures([...lucky, ...first, ...second])).toEqual([]);
    expect(enrichedFeatures(first)).toEqual([]);
    expect(enrichedFeatures([])).toEqual([]);
  });
});
