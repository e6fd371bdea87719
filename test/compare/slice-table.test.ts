import { expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { SliceCell } from "../../src/compare/summary/slice-table.ts";
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

const tableOf = (hasTags: boolean) =>
  compareCases(cases(hasTags), { ...settings, metrics: [passing()] }).candidates[0]?.sliceTable;

test("a table has the two tags that say most, each cell with its cases, and a mark that all looks share", () => {
  const table = tableOf(true);
  const lines = table?.lines.map(({ slice }) => slice?.value) ?? [];
  const columns = table?.columns ?? [];
  expect([table?.lines[0]?.slice?.tag, table?.across]).toEqual(["language", "topic"]);
  expect(new Set(lines)).toEqual(new Set([...languages, undefined]));
  expect(new Set(columns)).toEqual(new Set([...topics, null]));
  const cell = table?.lines[lines.indexOf("hi")]?.cells[columns.indexOf("fees")];
  expect(cell).toMatchObject({ cases: 25, worse: 25, better: 0, difference: -1, mark: "worse" });
  expect(cell?.p ?? 1).toBeLessThan(0.001);
  const inside = table?.lines.filter(({ slice }) => slice !== null).map(({ cells }) => cells.slice(0, -1)) ?? [];
  expect(inside.flat().filter((each) => each?.mark === "worse")).toHaveLength(1);
  // Every case is in one cell, and in one of each margin.
  const sum = (cells: readonly (SliceCell | null | undefined)[]) =>
    cells.reduce((count, each) => count + (each?.cases ?? 0), 0);
  const ends = table?.lines.map(({ cells }) => cells.at(-1)) ?? [];
  expect([inside.flat(), ends, table?.lines.at(-1)?.cells ?? []].map(sum)).toEqual([300, 300, 300]);
});

test("a judge with passes and values under one name has one line and one column for each value", () => {
  const metrics = [passing(), { ...passing(), of: "value" as const }];
  const table = compareCases(cases(true), { ...settings, metrics }).candidates[0]?.sliceTable;
  expect([table?.lines.length, table?.columns.length]).toEqual([languages.length + 1, topics.length + 1]);
});

test("there is none where the sheet has one tag", () => {
  expect(tableOf(false)).toBeUndefined();
});
