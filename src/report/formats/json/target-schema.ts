import { z } from "zod";
import { endpointList } from "../../../api/endpoint-name.ts";
import { figureSchema, intervalSchema } from "./figure-schema.ts";

/** A target in `report.json`: its runs, and its scores by metric. */
export const targetSchema = z.strictObject({
  name: z.string().describe("As in the suite; of another batch with its name before it."),
  deployment: z.string().describe("Empty where it is not known."),
  endpoint: z.string().describe(`${endpointList}; or http, as the suite describes it.`),
  exampleId: z.string().describe("The saved configuration, or the model; empty where the endpoint says it all."),
  jobs: z.int().describe("Planned runs."),
  answered: z.int().describe("Of these, with a usable answer."),
  outcomes: z
    .record(z.string(), z.int())
    .describe("Number of jobs by outcome; for a run record by the kind of its answer."),
  errorShare: figureSchema.describe("Share of the runs without an answer; turns that were skipped are not counted."),
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
          interval: intervalSchema,
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
  byTag: z
    .array(
      z.strictObject({
        tag: z.string().describe("A tag."),
        value: z.string().describe("Its value."),
        cases: z.int().describe("Cases with it that have a score."),
        mean: z.number().nullable().describe("Pass rate, or mean of the values."),
        interval: intervalSchema,
      }),
    )
    .optional()
    .describe(
      "The primary metric by the values of tags, the lowest first; nothing is decided by it. Only where nothing is compared.",
    ),
});
