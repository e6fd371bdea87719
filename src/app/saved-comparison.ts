import { z } from "zod";
import type { Comparison } from "../compare/comparison.ts";
import { storedJson } from "../lib/stored-json.ts";

const interval = z.looseObject({ low: z.number(), high: z.number() }).nullable();

const metric = z.looseObject({
  metric: z.string(),
  of: z.string(),
  primary: z.boolean(),
  better: z.number(),
  worse: z.number(),
  comparison: z
    .looseObject({
      n: z.number(),
      clusters: z.number(),
      estimate: z.number().nullable(),
      se: z.number().nullable(),
      interval,
    })
    .nullable(),
  noise: z
    .looseObject({
      share: z.number(),
      variance: z.number(),
      within: z.looseObject({ baseline: z.number().nullable(), candidate: z.number().nullable() }),
    })
    .nullable(),
});

const score = z.looseObject({
  metric: z.string(),
  of: z.string(),
  cases: z.number(),
  mean: z.number().nullable(),
  interval,
});

/** The members that are read again later, of one side or another. */
const comparison = z.looseObject({
  targets: z.array(z.looseObject({ target: z.string(), cases: z.number(), scores: z.array(score) })),
  candidates: z.array(z.looseObject({ candidate: z.string(), baseline: z.string(), metrics: z.array(metric) })),
});

/** A comparison as it is kept with a batch. Throws DATABASE_INVALID where a stranger wrote it. */
export function readComparison({ summary }: { summary: string }): Pick<Comparison, "targets" | "candidates"> {
  return storedJson(summary, "a comparison", isComparison);
}

const isComparison = (value: unknown): value is Comparison => comparison.safeParse(value).success;
