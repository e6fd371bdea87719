import { expect, test } from "vitest";
import { reportFrame } from "../../src/app/report/report-frame.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import { comparisonStream } from "../../src/compare/comparison.ts";
import type { StopRule } from "../../src/compare/stop-rule.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { reportRow } from "../../src/report/model/model-row.ts";
import { frameGroups, groupName, rowGroup } from "../../src/report/model/row-groups.ts";
import type { ReportRow } from "../../src/report/shape/row.ts";
import type { RowGroup } from "../../src/report/shape/row-group.ts";
import { aCase, candidate, failed, passing, prod, says, settings } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

const seconds: ComparedMetric = {
  ...passing({ name: "seconds", type: "latency", passes: false, primary: false, lowerIsBetter: true }),
  places: new Map([
    [1, 1],
    [2, 1],
  ]),
  gates: [],
};
const metrics = [
  passing(),
  { ...seconds, metric: { ...seconds.metric, scale: { kind: "unbounded" as const, unit: "s" } } },
];

/** The run was decided by the first 40 of 60 rows; the others were answered too. */
const stop: StopRule = {
  planned: 60,
  most: 1,
  values: new Map(),
  placeOf: (caseId) => (caseId <= 40 ? caseId : null),
  isWhole: false,
  needsSuite: false,
  decidedAfter: 40,
};

/** The baseline was asked twice, at two times; some cases have no answer, or no grade, on one side. */
function cases(): PairedResult[] {
  const random = seededRandom("counted");
  const ran = (side: typeof prod, sentAt: number, repeat: number, isGraded: boolean) => {
    const ms = 100 + Math.round(random() * 900);
    const pass = random() < 0.7;
    const correct = { value: isGraded ? Number(pass) : null, pass: isGraded ? pass : null, reason: null };
    const scores = [correct, { value: ms / 1000, pass: null, reason: null }];
    return says(side, random() < 0.5 ? "a" : "b", { repeat, sentAt, doneAt: sentAt + ms, scores });
  };
  return Array.from({ length: 60 }, (_, i) => {
    const now = i % 9 === 0 ? failed(candidate, "down") : ran(candidate, 5_010, 1, i % 7 !== 0);
    const before = i % 11 === 0 ? [failed(prod, "down")] : [ran(prod, 5_000, 1, true), ran(prod, 90_000, 2, true)];
    return aCase(`k${i}`, [...before, now], { caseId: i + 1, tags: { kind: i % 3 === 0 ? "plain" : "typo" } });
  });
}

test.each([null, stop])("each number of cases leads to as many rows, also where the run stopped (%#)", (rule) => {
  const plan = { ...settings, metrics, maxErrorShare: 1, stop: rule };
  const results = cases();
  const { model } = toldOf(results, {}, plan);
  const frame = reportFrame(plan);
  const stream = comparisonStream(plan);
  const rows = results.map((result, place) => reportRow(result, stream.add(result), plan, place + 1));
  const { ofAnswers, ofChange } = frameGroups(frame);
  const isInGroup = (row: ReportRow, group: RowGroup): boolean =>
    [...ofAnswers(row), ...ofChange(row, 0)].some((each) => groupName(each) === groupName(group));
  const found = (group: RowGroup, tags: Record<string, string> = {}): number =>
    rows.filter((row) => isInGroup(row, group) && Object.entries(tags).every(([tag, value]) => row.tags[tag] === value))
      .length;

  const [behaviour] = model.behaviour;
  for (const kind of ["same", "within-noise", "changed", "error-appeared", "error-gone", "not-compared"] as const) {
    expect(found(rowGroup.change(kind)), kind).toBe(behaviour?.kinds[kind] ?? 0);
  }
  for (const { kind, cases: counted } of model.flips) expect(found(rowGroup.flip(kind)), kind).toBe(counted);
  expect(model.gates.map(({ metric }) => metric)).toEqual(["correct", "seconds"]);
  for (const { metric, cases: counted, worse, better } of model.gates) {
    expect(worse).toBeGreaterThan(0);
    expect([
      found(rowGroup.paired(metric)),
      found(rowGroup.metric(metric, "worse")),
      found(rowGroup.metric(metric, "better")),
    ]).toEqual([counted, worse, better]);
  }
  expect(model.slices.length).toBeGreaterThan(0);
  for (const { metric, tag, value, cases: counted } of model.slices) {
    expect(found(rowGroup.paired(metric), { [tag]: value })).toBe(counted);
  }
});
