import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { SegmentSummary } from "../../src/compare/summary/segment-summary.ts";
import { segmentIndex } from "../../src/compare/tallies/segments.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";

const languages = ["en", "hi", "ar", "de"];
const topics = ["fees", "tools", "hours"];

type Loss = (tags: { language: string; topic: string }) => number;

/** 300 cases with two tags, of which the baseline passes nine in ten, and the candidate fails so many more. */
function casesWith(loses: Loss): PairedResult[] {
  const random = seededRandom("pairs of tags");
  return Array.from({ length: 300 }, (_, i) => {
    const tags = { language: languages[i % 4] ?? "", topic: topics[Math.floor(i / 4) % 3] ?? "" };
    const [before, now] = [random() < 0.9, random() < 0.9 - loses(tags)];
    return aCase(`k${i}`, [says(prod, "a", scored(before)), says(candidate, "a", scored(now))], { tags });
  });
}

function segmentsOf(loses: Loss): SegmentSummary[] {
  return compareCases(casesWith(loses), { ...settings, metrics: [passing()] }).candidates[0]?.slices ?? [];
}

const isDecided = ({ adjusted }: SegmentSummary): boolean => (adjusted ?? 1) <= 0.05;

describe("pairs of tags", () => {
  test("are found where only both values together are worse, with the cases and the scores of both sides", () => {
    const [worst] = segmentsOf(({ language, topic }) => (language === "hi" && topic === "fees" ? 0.8 : 0));
    expect(worst).toMatchObject({ tag: "language", value: "hi", and: { tag: "topic", value: "fees" }, cases: 25 });
    expect(worst?.baseline ?? 0).toBeGreaterThan(0.8);
    expect(worst?.now ?? 1).toBeLessThan(0.3);
  });

  test("are not told where one of their values alone says as much", () => {
    const decided = segmentsOf(({ language }) => (language === "hi" ? 0.7 : 0)).filter(isDecided);
    expect(decided[0]).toMatchObject({ tag: "language", value: "hi", and: null });
    // Its pairs with each topic are worse just as surely, but no more than it is.
    expect(decided.filter(({ and }) => and !== null)).toEqual([]);
  });

  test("stand for their values where these are worse only because of them", () => {
    const decided = segmentsOf(({ language, topic }) => (language === "hi" && topic === "fees" ? 0.9 : 0)).filter(
      isDecided,
    );
    const explainedBy = [{ tag: "language", value: "hi", and: { tag: "topic", value: "fees" } }];
    const alone = decided.filter(({ and }) => and === null);
    expect(alone.map(({ value }) => value).toSorted()).toEqual(["fees", "hi"]);
    expect(alone.map((each) => each.heldBy)).toEqual([explainedBy, explainedBy]);
  });

  test("have so many cases that they can tell something, and so have their values without each other", () => {
    const index = segmentIndex();
    const add = (times: number, tags: Record<string, string>): void => {
      for (let i = 0; i < times; i++) index.add(tags);
    };
    add(10, { a: "1", b: "x" });
    add(9, { a: "2", b: "x" });
    add(10, { a: "1", b: "y" });
    add(12, { a: "3", b: "z" });
    add(10, { a: "1" });
    add(1, { b: "x" });
    // Value 2 has too few with x; of 3 and z all cases are the same; y without 1 has none.
    expect(index.pairs().slices.map(({ tag, value, and, cases }) => [tag, value, and, cases])).toEqual([
      ["a", "1", { tag: "b", value: "x" }, 10],
    ]);
  });

  test("are so few that single values can still be told from chance: the largest, and the others are counted", () => {
    const index = segmentIndex();
    for (let i = 0; i < 12 * 12 * 11; i++) index.add({ a: String(i % 12), b: String(Math.floor(i / 12) % 12) });
    for (let i = 0; i < 5; i++) index.add({ a: "7", b: "7" });
    const { slices: segments, left } = index.pairs();
    expect([segments.length, left]).toEqual([100, 44]);
    expect(segments[0]).toMatchObject({ value: "7", and: { value: "7" }, cases: 16 });
  });
});
