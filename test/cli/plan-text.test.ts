import { expect, test } from "vitest";
import type { SuitePlan } from "../../src/app/plan/estimate.ts";
import { planText } from "../../src/cli/commands/check/plan.text.ts";
import { suite } from "../store/batch.ts";

const target = {
  target: "prod",
  deployment: "prod",
  baseUrl: "https://bots.example.com",
  endpoint: "video-bots",
  exampleId: "desk",
  repeats: 2,
  jobs: 2400,
  cost: 4.8,
};
const plan: SuitePlan = {
  suite: "desk",
  cases: 1200,
  clusters: 1200,
  jobs: 2400,
  stored: 1200,
  targets: [target, { ...target, target: "old", baseUrl: "stored:old_answer", jobs: 0, repeats: 1, cost: null }],
  judges: [],
  weekly: [],
  judgeChecks: [],
  queues: [],
  durationMs: 90_000,
  atLeast: false,
  cost: 4.8,
  secondLook: null,
  unpriced: [],
  requests: [],
  files: [],
  rowsShow: [],
  groupsShow: [],
  warnings: [],
};
const lines = (given: SuitePlan): string[] =>
  planText(given, suite, { power: null, isOffline: true, width: 200 }).split("\n");

test("the table of a plan has a line for each target: its jobs, repeats, cost and where it is, or the column of its answers", () => {
  const all = lines(plan);
  const [head] = all;
  const [titles, prod, old] = all.slice(all.findIndex((line) => line.startsWith("target")));
  expect(head).toBe("desk: 1,200 rows, 2,400 jobs, 1,200 stored answers");
  expect(titles?.trim().split(/\s{2,}/)).toEqual(["target", "jobs", "repeats", "cost", "where"]);
  expect(prod?.trim().split(/\s{2,}/)).toEqual([
    "prod",
    "2,400",
    "2",
    "4.8",
    "https://bots.example.com",
    "video-bots",
    "desk",
  ]);
  expect(old?.trim().split(/\s{2,}/)).toEqual(["old", "0", "1", "-", 'the column "old_answer"']);
});

test("a plan says how long it takes and that nothing was sent; one that sends nothing has no time", () => {
  expect(lines(plan)).toContain("Takes about 1 min 30 s.");
  expect(lines(plan).at(-1)).toBe("Nothing was sent.");
  expect(lines({ ...plan, jobs: 0 }).some((line) => line.startsWith("Takes"))).toBe(false);
});
