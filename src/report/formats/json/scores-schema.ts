import { z } from "zod";

/** Cases by their scores of a metric in `report.json`. */
export const scoresSchema = z.strictObject({
  metric: z.string().describe("Name of the metric."),
  bins: z
    .array(
      z.strictObject({
        bin: z.int().describe("Number of the range, the same in every report of the metric."),
        from: z.number().describe("Its lowest score."),
        to: z.number().describe("Where the next one begins."),
      }),
    )
    .describe("Ranges of scores, the lowest first."),
  targets: z
    .array(
      z.strictObject({
        target: z.string().describe("Name of the target."),
        counts: z.array(z.int()).describe("Cases in each range."),
      }),
    )
    .describe("Each target by itself."),
  pairs: z
    .array(
      z.strictObject({
        baseline: z.string().describe("Name of the target."),
        candidate: z.string().describe("Name of the target."),
        cells: z
          .array(
            z.strictObject({
              baseline: z.int().describe("Place of the range of the baseline, from 0."),
              candidate: z.int().describe("The same of the candidate."),
              cases: z.int().describe("Cases with both."),
            }),
          )
          .describe("Cases with a score on both sides."),
      }),
    )
    .describe("Both sides of what is compared."),
});
