import { z } from "zod";
import { defineScorer } from "../contract/define.ts";
import { verdict, passScale } from "../contract/finding.ts";
import type { Score } from "../contract/scorer.ts";

const of = z.array(z.string()).min(1).describe("Names of scorers of this suite.");

const meanKeys = {
  of: z
    .union([of, z.record(z.string(), z.number().min(0))])
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

/** Scorers made of others. */
export const compositeScorers = [
  defineScorer({
    type: "all-of",
    family: "composite",
    about:
      "All of the named scorers pass. One that is unscored leaves it unscored, unless another fails anyway; one that says nothing of a case does not count.",
    keys: { of },
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
    metric: () => passScale,
    make: ({ of: names }) => ({ kind: "composite", of: names, combine: (scores) => combined(names, scores, true) }),
  }),
  defineScorer({
    type: "any-of",
    family: "composite",
    about:
      "At least one of the named scorers passes. One that is unscored leaves it unscored, unless another passes anyway.",
    keys: { of },
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
    metric: () => passScale,
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
];

/** Decided as soon as one scorer decides it: a fail for all, a pass for any. */
function combined(names: readonly string[], scores: readonly (Score | null)[], all: boolean): Score {
  let unscored: string | null = null;
  let counted = 0;
  for (const [i, score] of scores.entries()) {
    const name = names[i] ?? "";
    if (score === null) continue;
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
    if (score === null) continue;
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
