import { z } from "zod";
import { figureSchema, intervalSchema } from "./figure-schema.ts";

/** A metric of a pair in `report.json`, with or without a gate. */
export const gateSchema = z.strictObject({
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
  tries: z
    .strictObject({
      pass: z.int().describe("Tries that have to pass of each case."),
      of: z.int().describe("Tries of each case."),
      cases: z.int().describe("Cases that were looked at."),
      held: z.int().describe("Cases in which so many pass."),
      failing: z.int().describe("Cases in which so many cannot pass any more."),
      open: z.int().describe("Cases with too few tries that are finished and graded."),
      rows: z
        .array(z.string())
        .describe("Keys of the first cases that do not hold; `row 12` where nobody gave it a key."),
    })
    .optional()
    .describe("Left out where a gate does not ask cases to hold over repeats."),
  difference: z.number().nullable().describe("Signed so that positive is better."),
  interval: intervalSchema,
  confidence: z.number().describe("Of the interval, or of each of two one-sided bounds."),
  sides: z
    .union([z.literal(1), z.literal(2)])
    .describe("1: the bounds by which a gate decides; 2: a two-sided interval, of a metric without a gate."),
  p: figureSchema.describe(
    "Of the claim of the gate: for a pass that no more is lost than the margin, else that more is; without a gate two-sided, of no difference.",
  ),
  pLoss: figureSchema.describe(
    "One-sided, of no loss beyond the margin, over all gates (Holm); null where no margin decides.",
  ),
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

const look = z.strictObject({
  state: z.enum(["regression", "pass", "inconclusive", "invalid"]).describe("What the gate would say by these alone."),
  cases: z.int().describe("Cases with a score on both sides."),
  baseline: z.number().nullable().describe("Mean or rate of the baseline."),
  now: z.number().nullable().describe("Mean or rate of the candidate."),
  worse: z.int().describe("Cases that got worse."),
  better: z.int().describe("Cases that got better."),
  lost: z.int().nullable().describe("Cases that turned from pass to fail; null where a margin decides."),
});

/** A regression that was asked once more, in `report.json`. */
export const confirmationSchema = z.strictObject({
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
