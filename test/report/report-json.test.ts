import { escapedControls } from "../../src/lib/json.ts";
import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { jsonReport } from "../../src/report/formats/json/report-json.ts";
import { reportJsonSchema, reportReference } from "../../src/report/formats/json/report-reference.ts";
import { reportFile } from "../../src/report/formats/json/report-schema.ts";
import { hostileRow, reportOf, frameOf } from "./reports.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

const reference = (name: string): Promise<string> =>
  readFile(new URL(`../../docs/reference/${name}`, import.meta.url), "utf8");

describe("report.json", () => {
  test("fits its schema, with the rows to look at first", () => {
    const summary = syntheticSummary(300);
    const written: unknown = JSON.parse(reportOf(jsonReport(frameOf(summary)), syntheticRows(300), summary));
    const report = reportFile.parse(written);
    expect(report).toMatchObject({ version: 1, startedAt: "2026-11-21T05:12:00.000Z", cases: 300 });
    expect(report.verdict).toEqual(summary.verdict);
    expect(report.rows).toHaveLength(50);
    expect(report.rows[0]).toMatchObject({ change: "error-appeared", trend: "worse", now: { answer: null } });
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(reportJsonSchema());
    expect(validate(written)).toBe(true);
    expect(validate({ ...report, later: 1 })).toBe(true);
    expect(validate({ ...report, version: 2 })).toBe(false);
  });

  test("gives hostile texts back as they are", () => {
    const summary = { ...syntheticSummary(1), cases: 1 };
    const text = "</script>\u001b[31m\u0000 ]]> \u202e";
    const written = reportOf(jsonReport(frameOf(summary)), [hostileRow(text)], summary);
    expect(reportFile.parse(JSON.parse(written)).rows[0]?.now?.answer).toBe(text);
  });

  test("is documented: run `npm run generate` when this fails", async () => {
    expect(JSON.parse(await reference("report.schema.json"))).toEqual(reportJsonSchema());
    expect(await reference("report-json.md")).toBe(reportReference());
    expect(reportReference()).not.toMatch(/\| {2}\|$/m);
  });
});

test("controls that JSON lets stand are escaped, and mean the same", () => {
  const value = { answer: "a\u009b31mb\u007f\u0085 ü 漢" };
  const safe = escapedControls(JSON.stringify(value));
  expect(safe).not.toMatch(/[\u007f-\u009f]/);
  expect(JSON.parse(safe)).toEqual(value);
});
