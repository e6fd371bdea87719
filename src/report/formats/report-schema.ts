import { z } from "zod";
import { endpointList } from "../../api/endpoint-name.ts";
import { row } from "./row-schema.ts";

const share = z.number().nullable();
const interval = z
  .strictObject({ lower: z.number().describe("Its lower end."), upper: z.number().describe("Its upper end.") })
  .nullable()
  .describe("Null where none can be told.");
const p = z.number().nullable();

const target = z.strictObject({
  name: z.string().describe("As in the suite; of another batch with its name before it."),
  deployment: z.string().describe("Empty where it is not known."),
  endpoint: z.string().describe(`${endpointList}; or http, as the suite describes it.`),
  exampleId: z.string().describe("The saved configuration, or the model; empty where the endpoint says it all."),
  jobs: z.int().describe("Planned runs."),
  answered: z.int().describe("Of these, with a usable answer."),
  outcomes: z
    .record(z.string(), z.int())
    .describe("Number of jobs by outcome; for a run record by the kind of its answer."),
  errorShare: share.describe("Share of the runs without an answer; turns that were skipped are not counted."),
  errors: z
    .array(
      z.strictObject({
        outcome: z.string().describe("Outcome of the jobs."),
        message: z.string().describe("That of the first of them, cut after 300 characters."),
        jobs: z.int().describe("Jobs with this message, or one that differs only in numbers and ids."),
        example: z.string().describe("Key of the first case with it."),
      }),
    )
    .describe("Messages of the errors, the most frequent first; at most 20."),
  ungraded: z
    .array(
      z.strictObject({
        metric: z.string().describe("The metric that has no grade."),
        applies: z
          .boolean()
          .describe("False: the case lacks what the scorer compares with; true: it could not be graded."),
        message: z.string().describe("Reason of the first of them, cut after 300 characters."),
        jobs: z.int().describe("Answers with this reason, or one that differs only in numbers and ids."),
        example: z.string().describe("Key of the first case with it."),
      }),
    )
    .describe("Reasons why answers have no grade, the most frequent first; at most 20."),
  stopped: z.string().nullable().describe("Why nothing more was sent to it."),
  latency: z
    .strictObject({
      p50: z.number().describe("Median."),
      p90: z.number().describe("Nine of ten are faster."),
      p99: z.number().describe("99 of 100 are faster."),
      max: z.number().describe("The slowest."),
      bounds: z.array(z.number()).describe("Of a histogram."),
      counts: z.array(z.int()).describe("Number i counts the answers from `bounds[i]` to below `bounds[i + 1]`."),
    })
    .nullable()
    .describe("Milliseconds of the jobs with a run record, from the first byte sent to the last received."),
  expected: z
    .strictObject({
      found: z.int().describe("Answers that hold it."),
      of: z.int().describe("Finished jobs that have one."),
    })
    .nullable()
    .describe("The expected text; null where none is expected."),
  tokens: z
    .strictObject({ input: z.int().describe("Read."), output: z.int().describe("Written.") })
    .nullable()
    .describe("Tokens of all runs whose replies tell them; null where none does."),
  cost: z
    .number()
    .nullable()
    .describe("In the unit of `price`; null without one, or without the tokens that it needs."),
  scores: z
    .array(
      z
        .strictObject({
          value: z.number().nullable().describe("Pass rate, or mean of the values."),
          interval,
          scored: z.int().describe("Cases with a score."),
          unscored: z.int().describe("Runs that could not be graded."),
          repeated: z
            .strictObject({
              k: z.int().describe("Runs of a case."),
              cases: z.int().describe("Cases with so many graded runs."),
              passAtK: z.number().describe("Mean chance that at least one of k runs passes (pass@k)."),
              passHatK: z.number().describe("Mean chance that all k runs pass (pass^k)."),
            })
            .nullable()
            .describe("Of passes and fails, where cases ran twice or more."),
        })
        .nullable(),
    )
    .describe("In the order of `metrics`."),
});

const metric = z.strictObject({
  name: z.string().describe("Unique; a scorer that is compared in two ways has the second in the name."),
  scorer: z.string().describe("Name of the scorer in the suite."),
  type: z.string().describe("Kind of the scorer."),
  primary: z.boolean().describe("The one that a case is called better or worse by."),
  lowerIsBetter: z.boolean().describe("Differences are signed all the same: above 0 is better."),
  passes: z.boolean().describe("It says pass or fail: its figures are rates."),
  relative: z.boolean().describe("Its differences are shares of what the baseline has."),
  unit: z.string().nullable().describe("What a value is counted in."),
  min: z.number().nullable().describe("Least value; null: there is none."),
  max: z.number().nullable().describe("Greatest value; null: there is none."),
});

const look = z.strictObject({
  state: z.enum(["regression", "pass", "inconclusive", "invalid"]).describe("What the gate would say by these alone."),
  cases: z.int().describe("Cases with a score on both sides."),
  baseline: z.number().nullable().describe("Mean or rate of the baseline."),
  now: z.number().nullable().describe("Mean or rate of the candidate."),
  worse: z.int().describe("Cases that got worse."),
  better: z.int().describe("Cases that got better."),
  lost: z.int().nullable().describe("Cases that turned from pass to fail; null where a margin decides."),
});

const confirmation = z.strictObject({
  unfinished: z
    .string()
    .nullable()
    .describe("Why the second look does not count, so that the first one stands; null: it does."),
  gates: z
    .array(
      z.strictObject({
        candidate: z.string().describe("Which target."),
        metric: z.string().describe("Which metric."),
        name: z.string().describe("Name of the gate."),
        state: z
          .enum(["regression", "pass", "inconclusive", "invalid"])
          .describe("A regression only where the first look and both together say so."),
        first: look.describe("By the runs that were planned."),
        second: look.nullable().describe("By the further runs alone."),
        together: look.nullable().describe("By all runs, those of a case averaged first."),
      }),
    )
    .describe("The gates that called a regression at first."),
});

const night = z.strictObject({
  batch: z.string().describe("Its name."),
  startedAt: z.string().describe("ISO 8601."),
  label: z.string().describe("Its day, with the time where a day has several."),
});

const gate = z.strictObject({
  candidate: z.string().describe("Name of the target."),
  metric: z.string().describe("Name of the metric."),
  name: z.string().describe("Unique: the metric, with the value of a tag that the gate is about, and what it counts."),
  slice: z
    .strictObject({ tag: z.string().describe("Its name."), value: z.string().describe("Of the tag.") })
    .nullable()
    .describe("The cases that it is about; null: all."),
  state: z
    .enum(["regression", "pass", "inconclusive", "invalid"])
    .nullable()
    .describe("Null: measured, but no gate depends on it."),
  tooFew: z.boolean().describe("A value of a tag with too few cases for a pass: the verdict does not wait for it."),
  margin: z
    .number()
    .nullable()
    .describe("How much worse it may be; null without a gate, and where losses are counted."),
  losses: z
    .strictObject({
      lost: z.int().describe("Cases that passed in all runs of the baseline and fail in all of the candidate."),
      gained: z.int().describe("The reverse."),
      cases: z.int().describe("Cases that were looked at."),
      allowed: z.int().describe("Losses that are accepted."),
    })
    .nullable()
    .describe("What a gate counts; null where a margin decides."),
  difference: z.number().nullable().describe("Signed so that positive is better."),
  interval,
  confidence: z.number().describe("Of the interval, or of each of two one-sided bounds."),
  sides: z
    .union([z.literal(1), z.literal(2)])
    .describe("1: the bounds by which a gate decides; 2: a two-sided interval, of a metric without a gate."),
  p: p.describe(
    "Of the claim of the gate: for a pass that no more is lost than the margin, else that more is; without a gate two-sided, of no difference.",
  ),
  pLoss: p.describe("One-sided, of no loss beyond the margin, over all gates (Holm); null where no margin decides."),
  baseline: z.number().nullable().describe("Value of the baseline in the cases that are compared."),
  now: z.number().nullable().describe("Value of the candidate in the same cases."),
  cases: z.int().describe("Cases that are compared."),
  clusters: z.int().nullable().describe("Clusters of them, such as conversations."),
  groups: z
    .string()
    .nullable()
    .describe("The same in words: `40 conversations`, or `40 groups by article`; null where every case is its own."),
  worse: z.int().describe("Cases that got worse."),
  better: z.int().describe("Cases that got better."),
  test: z.string().describe("Its name; empty where nothing was compared."),
  method: z.string().describe("Test and interval, and why these."),
  detectable: z
    .number()
    .nullable()
    .describe(
      "Smallest drop that the gate calls a regression, or that a metric without a gate would show, at 80 % power; null where none is sure to.",
    ),
  smallestDrop: z
    .string()
    .nullable()
    .describe("The same as a sentence, or why there is none; null where nothing was compared."),
  details: z.array(z.string()).describe("What else stands behind it, each a sentence."),
  advice: z.string().nullable().describe("What would settle it, or why there is no answer."),
});
/** `report.json`. `version` goes up when a member changes its meaning or goes away; new members may appear at any time. */
export const reportFile = z.strictObject({
  version: z.literal(1).describe("Of this format."),
  tandem: z.string().describe("The version that wrote it."),
  suite: z.string().describe("Name of the suite."),
  batch: z.string().describe("Name of the batch."),
  state: z.string().describe("`finished`, or how far the batch came."),
  reason: z.string().nullable().describe("Why it stopped before its end."),
  startedAt: z.iso.datetime().describe("When the batch began."),
  durationMs: z.number().nullable().describe("Null while it is not finished."),
  verdict: z
    .strictObject({
      state: z
        .enum(["regression", "pass", "inconclusive", "invalid", "none"])
        .describe("The worst of the gates; `none`: there is nothing to decide by."),
      sentence: z.string().describe("In one sentence."),
      details: z.array(z.string()).describe("Reasons, and advice that would settle it."),
      measured: z.array(z.string()).describe("Figures with bounds, p and test."),
    })
    .describe("The whole result."),
  stopping: z
    .strictObject({
      decidedAfter: z.int().nullable().describe("Cases after which it was decided; null: it was not."),
      planned: z.int().describe("Runs of the plan."),
      sent: z.int().describe("Requests that were sent for them, retries included."),
      spared: z.int().describe("Runs that were not sent, because it was decided without them."),
      saved: z.number().nullable().describe("Their price; null where it is not known, and where there are none."),
    })
    .nullable()
    .describe("What was spared by a run that could stop when it was decided; null for any other run."),
  confirmation: confirmation
    .optional()
    .describe("A regression that was asked once more (`confirm: rerun`), by each look; left out: none was."),
  next: z
    .strictObject({
      why: z.string().describe("What the command is for."),
      command: z.string().describe("Such as `tandem view`."),
    })
    .nullable()
    .describe("The one thing to do next; null: not known."),
  cases: z.int().describe("Number of cases."),
  baseline: z.string().nullable().describe("What every candidate is compared with; null when each has its own."),
  candidates: z.array(z.string()).describe("Names of the targets that are compared."),
  pairs: z
    .array(
      z.strictObject({
        baseline: z.string().describe("Name of a target."),
        candidate: z.string().describe("Name of a target."),
      }),
    )
    .describe("Who is compared with whom."),
  targets: z.array(target).describe("In the order of the suite."),
  metrics: z.array(metric).describe("What was scored."),
  gates: z.array(gate).describe("Each metric of each pair, those that a gate decides by first."),
  validity: z
    .strictObject({
      state: z.enum(["valid", "invalid", "unknown"]).describe("`unknown`: nothing is compared."),
      checks: z
        .array(z.strictObject({ ok: z.boolean().describe("It holds."), text: z.string().describe("In words.") }))
        .describe("What it is decided by."),
    })
    .describe("The data are complete, or why not."),
  flips: z
    .array(
      z.strictObject({
        candidate: z.string().describe("Name of the target."),
        metric: z.string().nullable().describe("By which cases pass or fail."),
        kind: z
          .enum(["pass-to-fail", "fail-to-pass", "newly-flaky", "newly-stable", "error-appeared", "error-gone"])
          .describe("What became of them."),
        cases: z.int().describe("How many."),
        keys: z.array(z.string()).describe("Of the first cases."),
        rows: z
          .array(
            z.strictObject({
              row: z.int().nullable().describe("As in `rows[].row`."),
              file: z.string().nullable().describe("As in `rows[].file`."),
            }),
          )
          .describe("Rows of the first cases in the sheet."),
      }),
    )
    .describe("Newly failing, newly passing, flaky and erroneous cases."),
  behaviour: z
    .array(
      z.strictObject({
        candidate: z.string().describe("Name of the target."),
        changed: z.boolean().nullable().describe("Beyond the baseline's own noise; null: not known."),
        sentence: z.string().describe("In one sentence."),
        measured: z.string().describe("How it was measured."),
        kinds: z.record(z.string(), z.int()).describe("Number of cases by kind of change."),
      }),
    )
    .describe("Whether answers differ, whatever the scores say."),
  members: z
    .array(
      z.strictObject({
        candidate: z.string().describe("Name of the target."),
        path: z.string().describe("Such as `references[].url`."),
        about: z.string().describe("What became of it."),
        cases: z.int().describe("Cases in which it differs."),
        noise: z.int().nullable().describe("Cases in which the baseline differs from itself."),
        of: z.int().describe("Cases that are compared."),
        p: p.describe("Adjusted for the number of paths."),
      }),
    )
    .describe("Members of the output that differ."),
  slices: z
    .array(
      z.strictObject({
        candidate: z.string().describe("Name of the target."),
        metric: z.string().describe("Name of the metric."),
        tag: z.string().describe("Name of the tag."),
        value: z.string().describe("Value of the tag."),
        cases: z.int().describe("Cases with it."),
        baseline: z.number().nullable().describe("Value of the baseline in them."),
        now: z.number().nullable().describe("Value of the candidate in them."),
        difference: z.number().nullable().describe("Signed so that positive is better."),
        interval,
        p: p.describe("Adjusted for the number of slices."),
      }),
    )
    .describe("The metrics in the cases with one value of a tag."),
  judges: z
    .array(
      z.strictObject({
        name: z.string().describe("As in the suite."),
        deployment: z.string().describe("Where it was asked."),
        questions: z.int().describe("What it had to answer."),
        asked: z.int().describe("Of these, asked for this grading; the others were known."),
        failed: z.int().describe("Without a reply."),
        cost: z.number().nullable().describe("Of what was asked; null without a price."),
      }),
    )
    .describe("Who was asked to grade answers; empty where no judge was."),
  alarms: z
    .array(
      z.strictObject({
        target: z.string().describe("As in the suite."),
        thing: z.enum(["metric", "errors", "latency", "cost"]).describe("What is watched of it."),
        metric: z.string().nullable().describe("Its primary metric; null where it is none."),
        state: z
          .enum(["new", "still", "over", "ended", "acknowledged"])
          .describe("new: noticed in this batch; still: before; over: seen to be over in this batch."),
        direction: z.enum(["higher", "lower"]).describe("Since the change."),
        isWorse: z.boolean().describe("The change is for the worse."),
        before: z
          .number()
          .describe("Mean of the nights before the change; of errors a share, of a latency milliseconds."),
        since: z.number().describe("The same since then."),
        changed: night.describe("The first night at the new level."),
        earliest: night.describe("The first night that it may have been."),
        latest: night.describe("The last."),
        noticed: night.describe("When it was noticed."),
        until: night.nullable().describe("The first night that does not belong to it; null while it goes on."),
        sentence: z.string().describe("All of it in words."),
      }),
    )
    .describe("Changes over the nights of the suite that were noticed now, go on, or ended now."),
  cautions: z
    .array(z.string())
    .describe("What to weigh before relying on the verdict, such as cases that are not compared."),
  notes: z.array(z.string()).describe("These, and what else a reader should know."),
  rows: z
    .array(row)
    .describe("At most 50 rows to look at, the worst first; all rows are in comparison.csv and runs.csv."),
});
