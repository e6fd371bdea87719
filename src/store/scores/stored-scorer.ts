import { z } from "zod";
import type { Laxity, Metric } from "../../score/contract/scorer.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";

/** A scorer of a scoring: how it was written, and what a comparison has to know of it. */
export interface StoredScorer {
  metric: Metric;
  spec: ScorerSpec;
  /** Hash of the file that it runs; null: it runs none, or it was not loaded. */
  code: string | null;
  /** `carried`: its scores are those of an earlier scoring; `missing`: it was not asked, and has no scores. */
  graded: "now" | "carried" | "missing";
  /** Share of what is no answer to a row that it passes, by the target that said it; left out: not tried. */
  laxity?: Record<string, Laxity>;
}

/** The scorers without what was found when they graded. */
export function withoutLaxity(scorers: readonly StoredScorer[]): StoredScorer[] {
  return scorers.map(({ metric, spec, code, graded }) => ({ metric, spec, code, graded }));
}

/** Counts together the trials of each part of a run. */
export function withLaxityOf(parts: readonly (readonly StoredScorer[])[]): StoredScorer[] {
  const [first = []] = parts;
  return withoutLaxity(first).map((scorer, place) => {
    const found: Record<string, Laxity> = {};
    for (const [target, each] of parts.flatMap((part) => Object.entries(part[place]?.laxity ?? {}))) {
      const known = found[target];
      // Answers of rows say more than answers that nobody gave.
      if (known === undefined || (known.of === "stock" && each.of === "rows")) found[target] = { ...each };
      else if (known.of === each.of && each.of === "rows") {
        found[target] = {
          ...known,
          asked: known.asked + each.asked,
          passing: known.passing + each.passing,
          example: known.example ?? each.example,
        };
      }
    }
    return Object.keys(found).length === 0 ? scorer : { ...scorer, laxity: found };
  });
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
    laxity: z
      .record(
        z.string(),
        z.looseObject({
          of: z.enum(["rows", "stock"]),
          asked: z.number(),
          passing: z.number(),
          withinText: z.boolean(),
          example: z.looseObject({ answer: z.string(), expected: z.string() }).nullable(),
        }),
      )
      .optional(),
  }),
);

export const isScorers = (value: unknown): value is StoredScorer[] => scorers.safeParse(value).success;
