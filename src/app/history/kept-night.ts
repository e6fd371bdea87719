import { z } from "zod";
import { boundedJson } from "../../lib/json.ts";
import { notOurs } from "../../lib/stored-json.ts";

/** The share of errors that a comparison allows where it does not tell: an earlier tandem kept it. */
const usualErrors = 0.05;

const interval = z.object({ low: z.number(), high: z.number() }).nullable().default(null);

const score = z.object({
  metric: z.string(),
  of: z.enum(["pass", "value", "median", "ratio"]),
  cases: z.number(),
  mean: z.number().nullable(),
  interval,
});

const target = z.object({
  target: z.string(),
  runsTried: z.number().default(0),
  runsWithoutAnswer: z.number().default(0),
  /** Left out: an earlier tandem kept it, which had all runs tried. */
  runsPaid: z.number().optional(),
  latency: z.object({ median: z.number() }).nullable().default(null),
  cost: z.number().nullable().default(null),
  scores: z.array(score),
});

const candidate = z.object({
  candidate: z.string(),
  baseline: z.string(),
  metrics: z.array(
    z.object({
      metric: z.string(),
      comparison: z.object({ estimate: z.number().nullable(), interval }).nullable().default(null),
    }),
  ),
});

/** A gate about all cases, with the bounds that decide it. */
const gate = z.object({
  metric: z.string(),
  candidate: z.string(),
  slice: z.unknown(),
  decided: z
    .object({ lower: z.number().nullable().default(null), upper: z.number().nullable().default(null) })
    .nullable()
    .default(null),
});

const comparison = z.object({
  verdict: z.enum(["regression", "pass", "inconclusive", "invalid"]).nullable().default(null),
  validity: z
    .object({ reasons: z.array(z.string()).default([]) })
    .nullable()
    .default(null),
  decision: z.object({ maxErrorShare: z.number().default(usualErrors) }).default({ maxErrorShare: usualErrors }),
  targets: z.array(target),
  candidates: z.array(candidate),
  gates: z.array(gate).default([]),
  confirmation: z.object({ unfinished: z.string().nullable().default(null) }).optional(),
});

/** The parts of a comparison that a history shows. */
export type KeptNight = z.infer<typeof comparison>;

/** Reads them from a comparison as it is kept with a batch. Throws DATABASE_INVALID where a stranger wrote it. */
export function readKeptNight(summary: string): KeptNight {
  let value: unknown;
  try {
    value = boundedJson(summary);
  } catch (error) {
    throw notOurs("a comparison", summary, error);
  }
  const read = comparison.safeParse(value);
  if (!read.success) throw notOurs("a comparison", summary, read.error);
  return read.data;
}
