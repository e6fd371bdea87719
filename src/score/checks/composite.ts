import { z } from "zod";
import { defineScorer } from "../contract/define.ts";
import { verdict } from "../contract/finding.ts";
import { entriesOfMetric, gradedEntries, meanOfParts, rowEntries, type RowPart } from "../contract/row-entries.ts";
import { isBesideThePoint, type Score, type Scorer } from "../contract/scorer.ts";
import { guarded } from "../contract/guard.ts";
import type { ScorerSpec } from "../contract/spec.ts";
import type { CaseChecks } from "../../dataset/case.ts";

const namesKey = z.array(z.string()).min(1).describe("Names of scorers of this suite.");

const meanKeys = {
  of: z
    .union([namesKey, z.record(z.string(), z.number().min(0))])
    .describe("Names of scorers of this suite, or name to weight: {correct: 2, polite: 1}."),
  use: z
    .enum(["value", "pass"])
    .default("value")
    .describe(
      "What is averaged: the values as they are, which should then have one scale, or 1 for pass and 0 for fail. Default: value.",
    ),
  threshold: z
    .number()
    .optional()
    .describe("It passes from this mean on. Default: it measures and does not say pass or fail."),
};

const rowMeanKeys = {
  of: namesKey,
  checks: z
    .string()
    .default("checks")
    .describe(
      "Which of them is the scorer of the type checks, which stands for the checks of the row itself. Default: checks.",
    ),
  metric: z.string().regex(/\S/).optional().describe("Only the entries with this `metric`. Default: all."),
};

const ofRow: Pick<CaseChecks, "scorers"> = {
  scorers: [
    { type: "contains", value: "Hello" },
    { scorer: "polite", weight: 3 },
  ],
};

/** Scorers made of others. */
export const compositeScorers = [
  defineScorer({
    type: "all-of",
    family: "composite",
    about:
      "All of the named scorers pass. One that is unscored leaves it unscored, unless another fails anyway; one that says nothing of a case does not count.",
    keys: { of: namesKey },
    examples: [
      {
        about: "one of two fails",
        scorer: { of: ["correct", "polite"] },
        answer: "Hello",
        scores: {
          correct: { value: 1, pass: true, reason: "it is so" },
          polite: { value: 0, pass: false, reason: "it is not" },
        },
        score: "fails",
      },
      {
        about: "nothing fails, but one is not known",
        scorer: { of: ["correct", "polite"] },
        answer: "Hello",
        scores: { correct: { value: 1, pass: true, reason: "it is so" }, polite: { unscored: "the judge was silent" } },
        score: { unscored: true },
      },
    ],
    make: ({ of: names }) => ({ kind: "composite", of: names, combine: (scores) => combined(names, scores, true) }),
  }),
  defineScorer({
    type: "any-of",
    family: "composite",
    about:
      "At least one of the named scorers passes. One that is unscored leaves it unscored, unless another passes anyway.",
    keys: { of: namesKey },
    examples: [
      {
        about: "one of two passes",
        scorer: { of: ["correct", "polite"] },
        answer: "Hello",
        scores: { correct: { unscored: "the judge was silent" }, polite: { value: 1, pass: true, reason: "it is so" } },
        score: "passes",
      },
      {
        about: "none passes",
        scorer: { of: ["correct", "polite"] },
        answer: "Hello",
        scores: {
          correct: { value: 0, pass: false, reason: "it is not" },
          polite: { value: 0, pass: false, reason: "it is not" },
        },
        score: "fails",
      },
    ],
    make: ({ of: names }) => ({ kind: "composite", of: names, combine: (scores) => combined(names, scores, false) }),
  }),
  defineScorer({
    type: "mean",
    family: "composite",
    about:
      "The weighted mean of the named scorers. One that is unscored leaves it unscored; one that says nothing of a case does not count.",
    keys: meanKeys,
    examples: [
      {
        about: "with weights",
        scorer: { of: { correct: 3, polite: 1 }, use: "pass", threshold: 0.7 },
        answer: "Hello",
        scores: {
          correct: { value: 1, pass: true, reason: "it is so" },
          polite: { value: 0, pass: false, reason: "it is not" },
        },
        score: { value: 0.75, pass: true },
      },
      {
        about: "of values",
        scorer: { of: ["similar", "close"] },
        answer: "Hello",
        scores: { similar: { value: 0.5, pass: null, reason: "" }, close: { value: 1, pass: null, reason: "" } },
        score: { value: 0.75, pass: null },
      },
    ],
    metric: ({ threshold, use }) => ({
      scale: use === "pass" ? { kind: "bounded", min: 0, max: 1 } : { kind: "unbounded", unit: null },
      lowerIsBetter: false,
      passes: threshold !== undefined,
    }),
    make: (options) => {
      const weights = Array.isArray(options.of) ? Object.fromEntries(options.of.map((name) => [name, 1])) : options.of;
      const names = Object.keys(weights);
      return { kind: "composite", of: names, combine: (scores) => mean(scores, { ...options, names, weights }) };
    },
  }),
  defineScorer({
    type: "row-mean",
    family: "composite",
    about:
      'The weighted mean of the row\'s own checks and of the named scorers that its column of checks has as `{"scorer": "polite", "weight": 3}`. Their values must lie between 0 and 1 where more is better. It passes when each of them does, or from the row\'s own threshold. One that is unscored leaves it unscored.',
    keys: rowMeanKeys,
    examples: [
      {
        about: "a judge that counts three times",
        scorer: { of: ["checks", "polite"] },
        answer: "Hello",
        with: { case: { checks: { ...ofRow, threshold: null } } },
        scores: {
          checks: { value: 1, pass: true, reason: "all pass" },
          polite: { value: 0.2, pass: false, reason: "it is not" },
        },
        score: { value: 0.4, pass: false },
      },
      {
        about: "with a threshold of the row",
        scorer: { of: ["checks", "polite"] },
        answer: "Hello",
        with: { case: { checks: { ...ofRow, threshold: 0.3 } } },
        scores: {
          checks: { value: 1, pass: true, reason: "all pass" },
          polite: { value: 0.2, pass: false, reason: "it is not" },
        },
        score: { value: 0.4, pass: true },
      },
    ],
    metric: () => ({ scale: { kind: "bounded", min: 0, max: 1 }, lowerIsBetter: false, passes: true }),
    make: (options, { beside = [] }) => {
      const prices = Object(beside.find(({ name }) => name === options.checks)?.options["prices"] ?? {});
      const hasPrice = (target: string): boolean => Object.hasOwn(prices, target);
      return {
        kind: "composite",
        of: options.of,
        combine: (scores, { checks, target }) => rowMean(scores, checks, { ...options, hasPrice: hasPrice(target) }),
      };
    },
  }),
];

/** The mean of the entries of a row; its own checks are one part, which weighs as much as those together that are graded. */
function rowMean(
  scores: readonly (Score | null)[],
  checks: CaseChecks | null,
  { of: names, checks: own, metric, hasPrice }: z.output<z.ZodObject<typeof rowMeanKeys>> & { hasPrice: boolean },
): Score {
  const all = checks === null ? [] : rowEntries(checks);
  const entries = metric === undefined ? all : entriesOfMetric(all, metric);
  if (entries.length === 0) return { unscored: "the row is graded by none of them", lack: "row" };
  const part = (name: string, weight: number): RowPart => {
    const score = scores[names.indexOf(name)] ?? { unscored: "it says nothing of this answer" };
    return { name, weight, score };
  };
  const parts = entries.flatMap(({ weight, of: entry }) => ("scorer" in entry ? [part(entry.scorer, weight)] : []));
  const owned = gradedEntries(entries, hasPrice).filter(({ of: entry }) => !("scorer" in entry));
  if (owned.length > 0)
    parts.unshift(
      part(
        own,
        owned.reduce((sum, { weight }) => sum + weight, 0),
      ),
    );
  // The scorer of its own checks says why none is graded.
  if (parts.length === 0) return part(own, 0).score;
  return meanOfParts(parts, metric === undefined ? (checks?.threshold ?? null) : null);
}

/** Decided as soon as one scorer decides it: a fail for all, a pass for any. */
function combined(names: readonly string[], scores: readonly (Score | null)[], all: boolean): Score {
  let unscored: string | null = null;
  let counted = 0;
  for (const [i, score] of scores.entries()) {
    const name = names[i] ?? "";
    if (score === null || isBesideThePoint(score)) continue;
    counted++;
    if ("unscored" in score) unscored ??= `${name}: ${score.unscored}`;
    else if (score.pass === null)
      unscored ??= `${name} measures only and says neither pass nor fail: give it a threshold`;
    else if (score.pass !== all) return verdict(!all, false, `${name}: ${score.reason}`);
  }
  if (unscored !== null) return { unscored };
  if (counted === 0) return { unscored: "none of its scorers says anything of this case" };
  return verdict(all, false, all ? `all of ${names.join(", ")} pass` : `none of ${names.join(", ")} passes`);
}

function mean(
  scores: readonly (Score | null)[],
  given: {
    names: readonly string[];
    weights: Record<string, number>;
    use: "value" | "pass";
    threshold?: number | undefined;
  },
): Score {
  let [sum, total] = [0, 0];
  for (const [i, score] of scores.entries()) {
    if (score === null || isBesideThePoint(score)) continue;
    const name = given.names[i] ?? "";
    if ("unscored" in score) return { unscored: `${name}: ${score.unscored}` };
    if (given.use === "pass" && score.pass === null) return { unscored: `${name} says neither pass nor fail` };
    const weight = given.weights[name] ?? 1;
    sum += weight * (given.use === "pass" ? Number(score.pass) : score.value);
    total += weight;
  }
  if (total === 0) return { unscored: "none of its scorers says anything of this case" };
  const value = sum / total;
  const { threshold } = given;
  const asked = threshold === undefined ? "" : `; at least ${threshold} was asked for`;
  return {
    value,
    pass: threshold === undefined ? null : value >= threshold - 1e-9,
    reason: `the mean of ${given.names.join(", ")} is ${Number(value.toPrecision(4))}${asked}`,
  };
}

type Composite = Extract<Scorer, { kind: "composite" }>;

/**
 * Composites by their places, each after those that it is made of; -1 for a part that is not there. A scorer may be null:
 * one that is not made, whose scores are known from elsewhere.
 */
export function compositeOrder(
  scorers: readonly { name: string; scorer: Scorer | null }[],
): { place: number; of: readonly number[] }[] {
  const placeOf = new Map(scorers.map(({ name }, place) => [name, place]));
  const ordered: { place: number; of: number[] }[] = [];
  const seen = new Set<number>();
  const visit = (place: number): void => {
    const scorer = scorers[place]?.scorer;
    if (scorer?.kind !== "composite" || seen.has(place)) return;
    seen.add(place);
    const of = scorer.of.map((name) => placeOf.get(name) ?? -1);
    for (const part of of) visit(part);
    ordered.push({ place, of });
  };
  scorers.forEach((_, place) => visit(place));
  return ordered;
}

/** The composites among stored scorers, in the order of `compositeOrder`: they need nothing but the scores of the others. */
export function storedComposites(
  specs: readonly ScorerSpec[],
): { place: number; of: readonly number[]; combine: Composite["combine"] }[] {
  const made = specs.map((spec) => ({ name: spec.name, scorer: compositeOf(spec, specs) }));
  return compositeOrder(made).flatMap(({ place, of }) => {
    const scorer = made[place]?.scorer;
    return scorer?.kind === "composite" ? [{ place, of, combine: scorer.combine }] : [];
  });
}

function compositeOf(spec: ScorerSpec, beside: readonly ScorerSpec[]): Scorer | null {
  const type = compositeScorers.find((each) => each.type === spec.type);
  return type === undefined ? null : guarded(type.make(spec, { trust: null, timeoutMs: 0, beside }).scorer);
}
