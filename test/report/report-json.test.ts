import { escapedControls, isJsonObject, type JsonValue } from "../../src/lib/json.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { jsonReport } from "../../src/report/formats/json/report-json.ts";
import type { ReportSummary } from "../../src/report/shape/model.ts";
import { reportFaults, reportFrom, reportSchema } from "./report-file.ts";
import { hostileRow, reportOf, frameOf } from "./reports.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

describe("report.json", () => {
  test("fits its schema, with the rows to look at first", () => {
    const summary = syntheticSummary(300);
    const report = reportFrom(reportOf(jsonReport(frameOf(summary)), syntheticRows(300), summary));
    expect(report).toMatchObject({ version: storedVersion, startedAt: "2026-11-21T05:12:00.000Z", cases: 300 });
    expect(report.verdict).toEqual(summary.verdict);
    expect(report.rows).toHaveLength(50);
    expect(report.rows[0]).toMatchObject({ change: "error-appeared", trend: "worse", now: { answer: null } });
  });

  test("fits its schema with every member that is there at times", () => {
    const night = { batch: "nightly-1", startedAt: "2026-11-19T05:12:00.000Z", day: "2026-11-19", time: null };
    const plain = syntheticSummary(20);
    const summary: ReportSummary = {
      ...plain,
      stillOn: { sentence: "tone is worse since 2026-11-19.", began: night },
      metrics: plain.metrics.map((metric) => ({ ...metric, isMedian: true })),
      targets: plain.targets.map((target) => ({ ...target, label: `${target.name} of 19 November` })),
    };
    const report = reportFrom(reportOf(jsonReport(frameOf(summary)), syntheticRows(20), summary));
    expect(report).toMatchObject({ stillOn: { began: night }, metrics: [{ isMedian: true }, {}] });
  });

  test("may have members that its schema does not know yet, and no other forms of those that it knows", () => {
    const summary = syntheticSummary(20);
    const report = reportFrom(reportOf(jsonReport(frameOf(summary)), syntheticRows(20), summary));
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(reportSchema());
    expect(validate(report)).toBe(true);
    expect(validate({ ...report, later: 1 })).toBe(true);
    expect(reportFaults({ ...report, later: 1 })).toEqual([expect.stringContaining('"later"')]);
    const { notes: _notes, ...less } = report;
    const wrong = [{ version: 2 }, { cases: 1.5 }, { cases: null }, { startedAt: 1 }, { notes: [1] }, { baseline: 1 }];
    for (const each of wrong) expect(validate({ ...report, ...each })).toBe(false);
    expect(validate(less)).toBe(false);
  });

  test("gives hostile texts back as they are", () => {
    const summary = { ...syntheticSummary(1), cases: 1 };
    const text = "</script>\u001b[31m\u0000 ]]> \u202e";
    const written = reportOf(jsonReport(frameOf(summary)), [hostileRow(text)], summary);
    expect(reportFrom(written).rows[0]?.now?.answer).toBe(text);
  });

  test("has a meaning for each member", () => {
    expect(unexplained(reportSchema())).toEqual([]);
  });
});

/** Names of members without a meaning, wherever they stand in a schema. */
function unexplained(schema: JsonValue): string[] {
  if (Array.isArray(schema)) return schema.flatMap(unexplained);
  if (!isJsonObject(schema)) return [];
  const { properties } = schema;
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  const here = members.flatMap(([name, member]) => (isJsonObject(member) && "description" in member ? [] : [name]));
  // The members of `kinds` are kinds of change, which comparison.md explains.
  const inside = Object.entries(schema).filter(([name]) => name !== "kinds");
  return [...here, ...inside.flatMap(([, value]) => unexplained(value))];
}

test("controls that JSON lets stand are escaped, and mean the same", () => {
  const value = { answer: "a\u009b31mb\u007f\u0085 ü 漢" };
  const safe = escapedControls(JSON.stringify(value));
  expect(safe).not.toMatch(/[\u007f-\u009f]/);
  expect(JSON.parse(safe)).toEqual(value);
});
