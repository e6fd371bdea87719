import { z } from "zod";
import { alarmSchema } from "./alarm-schema.ts";
import { figureSchema, intervalSchema } from "./figure-schema.ts";
import { confirmationSchema, gateSchema } from "./gate-schema.ts";
import { row } from "./row-schema.ts";
import { scoresSchema } from "./scores-schema.ts";
import { targetSchema } from "./target-schema.ts";

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

const sliceName = z.strictObject({
  tag: z.string().describe("Name of the tag."),
  value: z.string().describe("Value of the tag."),
  and: z
    .strictObject({
      tag: z.string().describe("Name of the second tag."),
      value: z.string().describe("Its value."),
    })
    .nullable()
    .describe("A pair of tags: the cases have this value too; null: one tag."),
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
  durationMs: z
    .number()
    .nullable()
    .describe(
      "Time in which it was read and sent, without what lies between a kill and a resume. Null while it is not finished.",
    ),
  verdict: z
    .strictObject({
      state: z
        .enum(["regression", "pass", "inconclusive", "invalid", "none"])
        .describe("The worst of the gates; `none`: there is nothing to decide by."),
      metric: z
        .string()
        .nullable()
        .describe("That the sentence is about; null: of none. A count of another metric beside it says so."),
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
  confirmation: confirmationSchema
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
  suiteTargets: z
    .array(z.string())
    .optional()
    .describe("Names of all targets of the suite, its baseline first; left out: not known."),
  pairs: z
    .array(
      z.strictObject({
        baseline: z.string().describe("Name of a target."),
        candidate: z.string().describe("Name of a target."),
      }),
    )
    .describe("Who is compared with whom."),
  targets: z.array(targetSchema).describe("In the order of the suite."),
  metrics: z.array(metric).describe("What was scored."),
  gates: z.array(gateSchema).describe("Each metric of each pair, those that a gate decides by first."),
  validity: z
    .strictObject({
      state: z.enum(["valid", "invalid", "unknown"]).describe("`unknown`: nothing is compared."),
      checks: z
        .array(z.strictObject({ ok: z.boolean().describe("It holds."), text: z.string().describe("In words.") }))
        .describe("What it is decided by."),
      isPartial: z
        .boolean()
        .optional()
        .describe(
          "Parts of the run are missing on purpose (`merge --partial`), as a caution tells; left out: none is.",
        ),
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
        p: figureSchema.describe("Adjusted for the number of paths."),
      }),
    )
    .describe("Fields of the output that differ."),
  slices: z
    .array(
      z.strictObject({
        candidate: z.string().describe("Name of the target."),
        metric: z.string().describe("Name of the metric."),
        ...sliceName.shape,
        cases: z.int().describe("Cases with it."),
        baseline: z.number().nullable().describe("Value of the baseline in them."),
        now: z.number().nullable().describe("Value of the candidate in them."),
        difference: z.number().nullable().describe("Signed so that positive is better."),
        interval: intervalSchema,
        p: figureSchema.describe("Adjusted for the number of slices, pairs of tags among them."),
        heldBy: z
          .array(sliceName)
          .describe("Others that are worse, without whose cases it is not worse for sure; empty: it is not held so."),
        worse: z.int().describe("Cases that got worse."),
        better: z.int().describe("Cases that got better."),
        isHint: z
          .boolean()
          .describe("It lost much, but chance among so many slices may explain it: worth a look, and no finding."),
      }),
    )
    .describe(
      "The metrics in the cases with one value of a tag, and in those of a pair that says more than its two values alone.",
    ),
  scores: z.array(scoresSchema).describe("Cases by their scores, of metrics that do more than pass or fail."),
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
  possiblyPaidTwice: z
    .strictObject({
      cases: z.int().describe("For answers."),
      judges: z.int().describe("To judges, for whatever grading of the batch."),
    })
    .describe("Requests that were sent although an earlier one for the same job may have been paid."),
  alarms: z
    .array(alarmSchema)
    .describe("Changes over the nights of the suite that were noticed now, go on, or ended now."),
  cautions: z
    .array(z.string())
    .describe("What to weigh before relying on the verdict, such as cases that are not compared."),
  notes: z.array(z.string()).describe("These, and what else a reader should know."),
  rows: z
    .array(row)
    .describe("At most 50 rows to look at, the worst first; all rows are in comparison.csv and runs.csv."),
});
