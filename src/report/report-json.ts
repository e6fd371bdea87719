import { z } from "zod";
import type { ReportChange, ReportRow, ReportRun, ReportSummary } from "./model.ts";
import type { ReportFrame, Reporter } from "./reporter.ts";
import { questionOf } from "./row-head.ts";
import { type WorstRow, worstRows } from "./worst-rows.ts";

const share = z.number().nullable();
const interval = z
  .strictObject({ lower: z.number(), upper: z.number() })
  .nullable()
  .describe("Null where none can be told.");
const p = z.number().nullable();

const target = z.strictObject({
  name: z.string(),
  deployment: z.string(),
  endpoint: z.string(),
  exampleId: z.string(),
  jobs: z.int(),
  outcomes: z
    .record(z.string(), z.int())
    .describe("Number of jobs by outcome; for a run record by the kind of its answer."),
  errorShare: share.describe("Share of the cases without an answer."),
  stopped: z.string().nullable().describe("Why nothing more was sent to it."),
  latency: z
    .strictObject({
      p50: z.number(),
      p90: z.number(),
      p99: z.number(),
      max: z.number(),
      bounds: z.array(z.number()),
      counts: z.array(z.int()).describe("Number i counts the answers from `bounds[i]` to below `bounds[i + 1]`."),
    })
    .nullable()
    .describe("Milliseconds of the jobs with a run record, from the first byte sent to the last received."),
  scores: z
    .array(
      z
        .strictObject({
          value: z.number().nullable().describe("Pass rate, or mean of the values."),
          interval,
          scored: z.int(),
          unscored: z.int(),
        })
        .nullable(),
    )
    .describe("In the order of `metrics`."),
});

const metric = z.strictObject({
  name: z.string(),
  scorer: z.string(),
  type: z.string(),
  primary: z.boolean(),
  lowerIsBetter: z.boolean(),
  passes: z.boolean().describe("It says pass or fail: its figures are rates."),
  relative: z.boolean().describe("Its differences are shares of what the baseline has."),
  unit: z.string().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
});

const gate = z.strictObject({
  candidate: z.string(),
  metric: z.string(),
  state: z
    .enum(["regression", "pass", "inconclusive", "invalid"])
    .nullable()
    .describe("Null: measured, but no gate depends on it."),
  margin: z.number().nullable().describe("How much worse it may be."),
  difference: z.number().nullable().describe("Signed so that positive is better."),
  interval,
  confidence: z.number(),
  p: p.describe("Two-sided, of no difference."),
  baseline: z.number().nullable(),
  now: z.number().nullable(),
  cases: z.int(),
  clusters: z.int().nullable(),
  worse: z.int(),
  better: z.int(),
  method: z.string().describe("Test and interval, and why these."),
  advice: z.string().nullable().describe("What would settle it, or why there is no answer."),
});

const run = z.strictObject({
  repeat: z.int(),
  outcome: z.string(),
  answer: z.string().nullable(),
  error: z.string().nullable(),
  runId: z.string().nullable(),
  url: z.string().nullable(),
  createdAt: z.string().nullable(),
  latencyMs: z.number().nullable(),
  scores: z
    .array(
      z
        .strictObject({ value: z.number().nullable(), pass: z.boolean().nullable(), reason: z.string().nullable() })
        .nullable(),
    )
    .describe("In the order of `metrics`; null where the metric says nothing of it."),
});

const row = z.strictObject({
  key: z.string(),
  candidate: z.string(),
  change: z.string().describe("Kind of change, as in comparison.csv."),
  trend: z.enum(["worse", "better"]).nullable(),
  distance: share.describe("Of the answers, 0 to 1."),
  excess: share.describe("How much further than the baseline is from itself."),
  tags: z.record(z.string(), z.string()),
  question: z.string(),
  expected: z.string().nullable(),
  baseline: run.nullable().describe("First run."),
  now: run.nullable().describe("First run of the candidate."),
});

/** `report.json`. `version` goes up when a member changes its meaning or goes away; new members may appear at any time. */
export const reportFile = z.strictObject({
  version: z.literal(1).describe("Of this format."),
  tandem: z.string().describe("The version that wrote it."),
  suite: z.string(),
  batch: z.string(),
  state: z.string().describe("`finished`, or how far the batch came."),
  reason: z.string().nullable().describe("Why it stopped before its end."),
  startedAt: z.iso.datetime(),
  durationMs: z.number().nullable(),
  verdict: z
    .strictObject({
      state: z
        .enum(["regression", "pass", "inconclusive", "invalid", "none"])
        .describe("The worst of the gates; `none`: there is nothing to decide by."),
      sentence: z.string(),
      details: z.array(z.string()),
    })
    .describe("The whole result."),
  cases: z.int(),
  baseline: z.string().nullable().describe("What every candidate is compared with; null when each has its own."),
  candidates: z.array(z.string()),
  pairs: z
    .array(z.strictObject({ baseline: z.string(), candidate: z.string() }))
    .describe("Who is compared with whom."),
  targets: z.array(target),
  metrics: z.array(metric),
  gates: z.array(gate).describe("Each metric of each pair, those that a gate decides by first."),
  validity: z
    .strictObject({
      state: z.enum(["valid", "invalid", "unknown"]),
      checks: z.array(z.strictObject({ ok: z.boolean(), text: z.string() })),
    })
    .describe("Whether the comparison may be believed."),
  flips: z
    .array(
      z.strictObject({
        candidate: z.string(),
        metric: z.string().nullable(),
        kind: z.enum(["pass-to-fail", "fail-to-pass", "newly-flaky", "newly-stable", "error-appeared", "error-gone"]),
        cases: z.int(),
        keys: z.array(z.string()).describe("Of the first cases."),
      }),
    )
    .describe("What turned over."),
  behaviour: z
    .array(
      z.strictObject({
        candidate: z.string(),
        changed: z.boolean().nullable().describe("Beyond the baseline's own noise; null: not known."),
        sentence: z.string(),
        kinds: z.record(z.string(), z.int()).describe("Number of cases by kind of change."),
      }),
    )
    .describe("Whether answers differ, whatever the scores say."),
  members: z
    .array(
      z.strictObject({
        candidate: z.string(),
        path: z.string(),
        about: z.string(),
        cases: z.int(),
        noise: z.int().nullable().describe("Cases in which the baseline differs from itself."),
        of: z.int(),
        p: p.describe("Adjusted for the number of paths."),
      }),
    )
    .describe("Members of the output that differ."),
  slices: z
    .array(
      z.strictObject({
        candidate: z.string(),
        metric: z.string(),
        tag: z.string(),
        value: z.string(),
        cases: z.int(),
        baseline: z.number().nullable(),
        now: z.number().nullable(),
        difference: z.number().nullable(),
        interval,
        p: p.describe("Adjusted for the number of slices."),
      }),
    )
    .describe("The metrics in the cases with one value of a tag."),
  notes: z.array(z.string()),
  rows: z
    .array(row)
    .describe("At most 50 rows to look at, the worst first; all rows are in comparison.csv and runs.csv."),
});

const mostRows = 50;

/** `report.json`: the summary for programs, and the rows to look at. */
export function jsonReport({ targets }: ReportFrame): Reporter {
  const worst = worstRows(mostRows);
  return {
    start: "",
    wants: (isCalm) => !isCalm,
    add(each) {
      worst.add(each);
      return "";
    },
    end: (summary) => `${JSON.stringify(fileOf(summary, worst.rows(), targets), null, 2)}\n`,
  };
}

function fileOf(
  summary: ReportSummary,
  rows: readonly WorstRow[],
  targets: readonly string[],
): z.input<typeof reportFile> {
  const { past: _past, tags: _tags, startedAt, ...told } = summary;
  const sideOf = (of: ReportRow, name: string | undefined) => {
    const first = of.sides[targets.indexOf(name ?? "")]?.runs[0];
    return first === undefined ? null : runOf(first);
  };
  return {
    ...told,
    startedAt: new Date(startedAt).toISOString(),
    behaviour: told.behaviour.map((each) => ({ ...each, kinds: { ...each.kinds } })),
    rows: rows.map(({ row: of, change, pair }) => ({
      ...rowOf(of, change),
      baseline: sideOf(of, summary.pairs[pair]?.baseline),
      now: sideOf(of, summary.pairs[pair]?.candidate),
    })),
  };
}

function rowOf(of: ReportRow, { candidate, kind, trend, distance, excess }: ReportChange) {
  const { key, tags, expected } = of;
  return { key, candidate, change: kind, trend, distance, excess, tags, question: questionOf(of), expected };
}

function runOf({ repeat, outcome, answer, error, runId, url, createdAt, latencyMs, scores }: ReportRun) {
  return { repeat, outcome, answer, error, runId, url, createdAt, latencyMs, scores };
}
