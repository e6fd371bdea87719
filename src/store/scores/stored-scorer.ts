import { z } from "zod";
import type { Metric } from "../../score/contract/scorer.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";

/** A scorer of a scoring: how it was written, and what a comparison has to know of it. */
export interface StoredScorer {
  metric: Metric;
  spec: ScorerSpec;
  /** Hash of the file that it runs; null: it runs none, or it was not loaded. */
  code: string | null;
  /** `carried`: its scores are those of an earlier scoring; `missing`: it was not asked, and has no scores. */
  graded: "now" | "carried" | "missing";
}

/** The facts about a scorer that a comparison needs. */
export const storedMetric = z.looseObject({
  name: z.string(),
  type: z.string(),
  primary: z.boolean(),
  scale: z.discriminatedUnion("kind", [
    z.looseObject({ kind: z.literal("pass") }),
    z.looseObject({
      kind: z.literal("bounded"),
      min: z.number(),
      max: z.number(),
      cut: z.enum(["usual", "given"]).optional(),
      unit: z.string().optional(),
    }),
    z.looseObject({ kind: z.literal("unbounded"), unit: z.string().nullable() }),
  ]),
  lowerIsBetter: z.boolean(),
  passes: z.boolean(),
  weight: z.number(),
  against: z.literal("baseline").nullable(),
});

/** An exported pin brings no more than name and type for sure. */
const scorers = z.array(
  z.looseObject({
    metric: storedMetric,
    spec: z.looseObject({
      name: z.string(),
      type: z.string(),
      options: z.record(z.string(), z.json()).optional(),
    }),
    code: z.string().nullish(),
    graded: z.enum(["now", "carried", "missing"]).optional(),
  }),
);

export const isScorers = (value: unknown): value is StoredScorer[] => scorers.safeParse(value).success;
