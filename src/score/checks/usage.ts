import { z } from "zod";
import { costOf, type Price } from "../../api/price.ts";
import type { Usage } from "../../api/usage.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey } from "../contract/finding.ts";

const counts: Record<"all" | "input" | "output", { of: (usage: Usage) => number; word: string }> = {
  all: { of: ({ input, output }) => input + output, word: "tokens" },
  input: { of: ({ input }) => input, word: "tokens read" },
  output: { of: ({ output }) => output, word: "tokens written" },
};

const amount = z.number().min(0);
const usage = { input: 1_000, output: 200 };

/** Price of a run, or of a run and of a million tokens, as a suite writes it. */
export const priceForm = z.union(
  [
    amount,
    z.strictObject({
      run: amount.default(0).describe("Price of one run. Default: 0."),
      input: amount.default(0).describe("Price of a million tokens that a model reads. Default: 0."),
      output: amount.default(0).describe("Price of a million tokens that it writes. Default: 0."),
      cached: amount
        .exactOptional()
        .describe("Price of a million tokens that it reads from a cache. Default: that of input."),
    }),
  ],
  {
    error:
      "must be a number, the price of one run, or {run, input, output, cached}, all but the first for a million tokens",
  },
);

/** `prices` of scorers that look at the cost. */
export const pricesKey = z
  .record(z.string(), priceForm)
  .default({})
  .describe("Price by target. Default: `price` of the targets and their deployments.");

export const usageScorers = [
  defineScorer({
    type: "tokens",
    family: "service",
    measuresRun: true,
    about:
      "Tokens that the reply says were read and written for it. Lower is better; a reply that does not say has none.",
    keys: {
      count: z.enum(["all", "input", "output"]).default("all").describe("Which tokens. Default: all."),
      max: z
        .int()
        .min(0)
        .optional()
        .describe("It passes up to so many. Default: it measures and does not say pass or fail."),
      not: notKey,
    },
    examples: [
      { about: "all", scorer: {}, answer: "x", with: { usage }, score: { value: 1_200, pass: null } },
      {
        about: "too many",
        scorer: { count: "output", max: 100 },
        answer: "x",
        with: { usage },
        score: { value: 200, pass: false },
      },
      { about: "not told", scorer: {}, answer: "x", with: { usage: null }, score: { unscored: true } },
    ],
    metric: ({ max }) => ({
      scale: { kind: "unbounded", unit: "tokens" },
      lowerIsBetter: true,
      passes: max !== undefined,
    }),
    grade:
      ({ count, max, not }) =>
      (answer) => {
        if (answer.usage === null) return { unscored: "the reply does not say how many tokens it took" };
        const { of, word } = counts[count];
        const value = of(answer.usage);
        const pass = max === undefined ? null : value <= max !== not;
        return { value, pass, reason: `${value} ${word}${max === undefined ? "" : `; at most ${max} were asked for`}` };
      },
  }),
  defineScorer({
    type: "cost",
    family: "service",
    measuresRun: true,
    about:
      "The cost of an answer by the price of its target, for a run and for tokens. Lower is better; without a price, or tokens that the price needs, there is none.",
    keys: {
      max: amount.optional().describe("It passes up to this cost. Default: it measures and does not say pass or fail."),
      prices: pricesKey,
      not: notKey,
    },
    examples: [
      {
        about: "a price for a million tokens",
        scorer: { prices: { test: { input: 2, output: 10 } } },
        answer: "x",
        with: { usage },
        score: { value: 0.004, pass: null },
      },
      { about: "no price", scorer: {}, answer: "x", with: { usage }, score: { unscored: true } },
    ],
    metric: ({ max }) => ({ scale: { kind: "unbounded", unit: null }, lowerIsBetter: true, passes: max !== undefined }),
    grade:
      ({ max, prices, not }) =>
      (answer) => {
        const price: Price | null = prices[answer.target] ?? null;
        if (price === null) return { unscored: "its target has no price" };
        const value = costOf(price, answer.usage);
        if (value === null) return { unscored: "the reply does not say how many tokens it took" };
        const pass = max === undefined ? null : value <= max !== not;
        return {
          value,
          pass,
          reason: `it cost ${Number(value.toPrecision(6))}${max === undefined ? "" : `; at most ${max} was asked for`}`,
        };
      },
  }),
];
