import { z } from "zod";
import { isBesideThePoint, type Metric, type Score } from "./scorer.ts";

const names = z.array(z.string()).min(1).describe("Names of scorers. Default: every scorer that says pass or fail.");

/** `pass:` of the suite file: when an answer as a whole passes. */
export const passRule = z
  .union(
    [
      z.enum(["all", "any"]),
      z.strictObject({ all: names }),
      z.strictObject({ any: names }),
      z.strictObject({
        mean: z.number().min(0).max(1).describe("The weighted share of passed scorers from which it passes."),
        of: names.optional(),
      }),
    ],
    { error: "must be all, any, {all: [names]}, {any: [names]} or {mean: 0.8}" },
  )
  .describe(
    "When an answer as a whole passes: all or any of the scorers, {all: [a, b]} or {any: [a, b]}, or {mean: 0.8}, the weighted share of them that passes. Default: all.",
  );

export const keptPassRule = z.object({
  kind: z.enum(["all", "any", "mean"]),
  of: z.array(z.string()).nullable(),
  /** The share that is asked for; 1 for `all`. */
  share: z.number(),
});

/** When an answer as a whole passes; null for `of`: every scorer that says pass or fail. */
export interface PassRule extends z.output<typeof keptPassRule> {}

export const isPassRule = (value: unknown): value is PassRule => keptPassRule.safeParse(value).success;

/** The rule as the suite wrote it, complete. */
export function passRuleOf(written: z.infer<typeof passRule> | undefined): PassRule {
  if (written === undefined || written === "all") return { kind: "all", of: null, share: 1 };
  if (written === "any") return { kind: "any", of: null, share: 0 };
  if ("all" in written) return { kind: "all", of: written.all, share: 1 };
  if ("any" in written) return { kind: "any", of: written.any, share: 0 };
  return { kind: "mean", of: written.of ?? null, share: written.mean };
}

/**
 * Tells if an answer passes, by its scores in the order of the metrics (null for a metric that is not about this
 * answer). Unscored ones decide nothing, unless the known ones do not decide either: then null.
 */
export function answerPasses(
  rule: PassRule,
  metrics: readonly Metric[],
  scores: readonly (Score | null)[],
): boolean | null {
  const votes = metrics.flatMap(({ name, passes, weight }, i) => {
    const score = scores[i] ?? null;
    const counts = rule.of === null ? passes : rule.of.includes(name);
    if (!counts || score === null || isBesideThePoint(score)) return [];
    return [{ weight, pass: "unscored" in score ? null : score.pass }];
  });
  if (votes.length === 0) return null;
  switch (rule.kind) {
    case "all":
      return votes.some(({ pass }) => pass === false) ? false : votes.some(({ pass }) => pass === null) ? null : true;
    case "any":
      return votes.some(({ pass }) => pass === true) ? true : votes.some(({ pass }) => pass === null) ? null : false;
    case "mean":
      return meanPasses(votes, rule.share);
  }
}

/** Decided as soon as the unscored could not turn it. */
function meanPasses(votes: readonly { weight: number; pass: boolean | null }[], share: number): boolean | null {
  const sum = (which: (pass: boolean | null) => boolean): number =>
    votes.filter(({ pass }) => which(pass)).reduce((total, { weight }) => total + weight, 0);
  const all = sum(() => true);
  if (all === 0) return null;
  // The shares of decimal weights are not exact.
  const needed = share * all - 1e-9 * all;
  if (sum((pass) => pass === true) >= needed) return true;
  return sum((pass) => pass !== false) >= needed ? null : false;
}
