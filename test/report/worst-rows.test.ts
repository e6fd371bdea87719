import { expect, test } from "vitest";
import { resultHead } from "../../src/report/doc/result-lines.ts";
import { placeOfRow } from "../../src/report/model/worst-rows.ts";
import type { ReportChange } from "../../src/report/shape/model.ts";
import { queryOfRows } from "../../src/report/query/query-edit.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

test("a row is marked with a place of its own candidate alone", () => {
  const plain = syntheticSummary(20);
  const place = { tag: "kind", value: "typo", and: null, rows: 4, worse: 4, flips: true, difference: null };
  const where = { kind: "where" as const, candidate: "other", isOther: true, metric: "correct", rest: null };
  const summary = { ...plain, findings: { ...plain.findings, facts: [{ ...where, places: [place] }] } };
  const [first] = syntheticRows(20);
  const change = first?.changes[0];
  if (first === undefined || change === undefined) throw new Error("no row");
  const row = { ...first, tags: { kind: "typo" } };
  const marked = (of: Partial<ReportChange>) =>
    placeOfRow({ row, pair: 0, change: { ...change, trend: "worse", ...of } }, summary);
  expect(marked({ candidate: "other" })).toMatchObject({ tag: "kind", value: "typo" });
  expect(marked({ candidate: "test" })).toBeNull();
  expect(marked({ candidate: "other", trend: "better" })).toBeNull();
});

test("the line of a place leads to the rows that it counts: the worse ones, or without those of a place before it", () => {
  const plain = syntheticSummary(20);
  const where = { kind: "where" as const, candidate: "other", isOther: true, metric: "similar", rest: null };
  const place = { tag: "kind", value: "typo", and: null, rows: 9, worse: 4, flips: false, difference: -10 };
  const ledTo = (...places: Partial<typeof place>[]): string[] => {
    const fact = { ...where, places: places.map((each) => ({ ...place, ...each })) };
    const summary = { ...plain, findings: { ...plain.findings, facts: [fact] } };
    return resultHead(summary, {}, { candidate: "other" }).lines.flatMap(({ rows }) => rows.map(queryOfRows));
  };
  expect(ledTo({ flips: true }, { tag: "topic", flips: true })).toEqual([
    "kind==typo among:metric,similar,worse",
    "topic==typo not (kind==typo) among:metric,similar,worse",
  ]);
  expect(ledTo({}, { value: "slip" })).toEqual(["kind==typo among:paired,similar", "kind==slip among:paired,similar"]);
});
