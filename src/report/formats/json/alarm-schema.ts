import { z } from "zod";

const night = z.strictObject({
  batch: z.string().describe("Its name."),
  startedAt: z.string().describe("ISO 8601."),
  label: z.string().describe("Its day, with the time where a day has several."),
});

/** A change over the nights of a suite, in `report.json`. */
export const alarmSchema = z.strictObject({
  target: z.string().describe("As in the suite."),
  thing: z.enum(["metric", "errors", "latency", "cost"]).describe("What is watched of it."),
  metric: z.string().nullable().describe("Its primary metric; null where it is none."),
  state: z
    .enum(["new", "still", "over", "ended", "acknowledged"])
    .describe("new: noticed in this batch; still: before; over: seen to be over in this batch."),
  direction: z.enum(["higher", "lower"]).describe("Since the change."),
  isWorse: z.boolean().describe("The change is for the worse."),
  before: z.number().describe("Mean of the nights before the change; of errors a share, of a latency milliseconds."),
  since: z.number().describe("The same since then."),
  changed: night.describe("The first night at the new level."),
  earliest: night.describe("The first night that it may have been."),
  latest: night.describe("The last."),
  noticed: night.describe("When it was noticed."),
  until: night.nullable().describe("The first night that does not belong to it; null while it goes on."),
  sentence: z.string().describe("All of it in words."),
});
