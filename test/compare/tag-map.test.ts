import { expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { TagCell } from "../../src/compare/summary/tag-map.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";

const languages = ["en", "hi", "ar", "de"];
const topics = ["fees", "tools", "hours"];

/** 300 rows with three tags; in one pair of two of them the candidate fails all. */
function cases(hasTags: boolean): PairedResult[] {
  const random = seededRandom("map of tags");
  return Array.from({ length: 300 }, (_, i) => {
    const [language = "", topic = ""] = [languages[i % 4], topics[Math.floor(i / 4) % 3]];
    const isLost = language === "hi" && topic === "fees";
    const tags: Record<string, string> = hasTags ? { half: i % 2 === 0 ? "a" : "b", topic, language } : { language };
    const sides = [says(prod, "a", scored(true)), says(candidate, "a", scored(!isLost && random() < 0.99))];
    return aCase(`k${i}`, sides, { tags });
  });
}

const mapOf = (hasTags: boolean) =>
  compareCases(cases(hasTags), { ...settings, metrics: [passing()] }).candidates[0]?.tagMap;

test("a map has the two tags that say most, each cell with its cases, and the p that all looks share", () => {
  const map = mapOf(true);
  expect(map?.tags).toEqual(["language", "topic"]);
  const [lines = [], columns = []] = map?.values ?? [];
  expect([lines.toSorted(), columns.toSorted()]).toEqual([languages.toSorted(), topics.toSorted()]);
  const cell = map?.cells[lines.indexOf("hi")]?.[columns.indexOf("fees")];
  expect(cell).toMatchObject({ cases: 25, worse: 25, better: 0, difference: -1 });
  expect(cell?.adjusted ?? 1).toBeLessThan(0.001);
  const all = map?.cells.flat().filter((each): each is TagCell => each !== null) ?? [];
  expect(all.filter(({ adjusted }) => (adjusted ?? 1) < 0.05)).toHaveLength(1);
  // Every case is in one cell, and in one of each margin.
  const sum = (cells: readonly TagCell[]) => cells.reduce((count, each) => count + each.cases, 0);
  expect([all, ...(map?.alone ?? [])].map(sum)).toEqual([300, 300, 300]);
});

test("a judge with passes and values under one name has one line and one column for each value", () => {
  const metrics = [passing(), { ...passing(), of: "value" as const }];
  const map = compareCases(cases(true), { ...settings, metrics }).candidates[0]?.tagMap;
  expect(map?.values.map((values) => values.toSorted())).toEqual([languages.toSorted(), topics.toSorted()]);
});

test("there is none where the sheet has one tag", () => {
  expect(mapOf(false)).toBeUndefined();
});
