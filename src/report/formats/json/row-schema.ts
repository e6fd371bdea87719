import { z } from "zod";

const share = z.number().nullable();

const run = z.strictObject({
  repeat: z.int().describe("From 1."),
  outcome: z.string().describe("For a run record the kind of its answer; see outcomes.md."),
  answer: z.string().nullable().describe("What it said."),
  error: z.string().nullable().describe("Why there is no answer."),
  runId: z.string().nullable().describe("Id of the run record."),
  url: z.string().nullable().describe("Page of the run."),
  createdAt: z.string().nullable().describe("Of the run record, as the service wrote it."),
  latencyMs: z.number().nullable().describe("From the first byte sent to the last received."),
  scores: z
    .array(
      z
        .strictObject({
          value: z.number().nullable().describe("Null: unscored."),
          pass: z.boolean().nullable().describe("Null: the metric does not say so."),
          reason: z.string().nullable().describe("Why it was graded so."),
          edited: z
            .strictObject({
              author: z.string().describe("Empty: not told."),
              at: z.int().describe("Milliseconds since 1970."),
              was: z
                .strictObject({
                  value: z.number().nullable().describe("Null: unscored."),
                  pass: z.boolean().nullable().describe("Null: the metric does not say so."),
                  reason: z.string().nullable().describe("Why it was graded so."),
                })
                .describe("What the scorer said."),
              from: z
                .array(z.string())
                .optional()
                .describe(
                  "Names of the edited scores that this one is made of and follows; left out where it was edited itself.",
                ),
            })
            .optional()
            .describe(
              "That a person put this score in the place of what the scorer said, for the reason given, or one that it is made of.",
            ),
        })
        .nullable(),
    )
    .describe("In the order of `metrics`; null where the metric says nothing of it."),
});

/** A row of `report.json`. */
export const row = z.strictObject({
  key: z.string().describe("Of the case."),
  row: z
    .int()
    .nullable()
    .describe("Row of the sheet as a spreadsheet numbers it, the header is row 1; null where the case is of no file."),
  file: z.string().nullable().describe("File of the row, where the dataset has several."),
  candidate: z.string().describe("Name of the target."),
  change: z.string().describe("Kind of change, as in comparison.csv."),
  trend: z.enum(["worse", "better"]).nullable().describe("By the primary metric, on average over all tries."),
  flaky: z.array(z.string()).describe("Targets of which some tries pass and some do not."),
  distance: share.describe("Of the answers, 0 to 1."),
  excess: share.describe("How much further than the baseline is from itself."),
  tags: z.record(z.string(), z.string()).describe("Tag to value."),
  question: z.string().describe("The prompt, or what stands in its place."),
  expected: z.string().nullable().describe("The expected answer."),
  baseline: run.nullable().describe("The run that shows best what became of it: see `repeat`."),
  now: run.nullable().describe("The run of the candidate that does: see `repeat`."),
});
