import { z } from "zod";
import { costOf, type Price } from "../../api/price.ts";
import type { Usage } from "../../api/usage.ts";
import { durationMs, durationPattern } from "../../lib/duration.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey } from "../contract/finding.ts";
import type { Metric, ScorerType } from "../contract/scorer.ts";

/** Facts that scorers of an amount of a run share: less is better, and it passes up to `max`. */
const amountIn = (unit: string | null) => ({
  family: "service" as const,
  measuresRun: true,
  metric: ({ max }: { max?: unknown }): Pick<Metric, "scale" | "lowerIsBetter" | "passes"> => ({
    scale: { kind: "unbounded", unit },
    lowerIsBetter: true,
    passes: max !== undefined,
  }),
});

/** Null where no bound is given. */
const passesUpTo = (value: number, max: number | null | undefined, not: boolean): boolean | null =>
  max === null || max === undefined ? null : value <= max !== not;

const duration = z
  .string({ error: "must be a duration such as 20s or 500ms" })
  .regex(durationPattern, { error: "must be a duration such as 20s or 500ms" });

/** A time of a run: the member of an answer that has it, and its words. */
interface RunTime extends Pick<ScorerType<z.ZodRawShape>, "type" | "about" | "examples"> {
  member: "latencyMs" | "firstMs";
  what: string;
  such: string;
}

const times: readonly RunTime[] = [
  {
    type: "latency",
    about:
      "Seconds from the first byte of the request to the last of the response, of the attempt that decided the job. Lower is better; a job that brought no answer has none.",
    member: "latencyMs",
    what: "the answer",
    such: "20s, 500ms",
    examples: [
      {
        about: "in time",
        scorer: { max: "20s" },
        answer: "x",
        with: { latencyMs: 1500 },
        score: { value: 1.5, pass: true },
      },
      {
        about: "late",
        scorer: { max: "1s" },
        answer: "x",
        with: { latencyMs: 1500 },
        score: { value: 1.5, pass: false },
      },
      { about: "not known", scorer: {}, answer: "x", with: { latencyMs: null }, score: { unscored: true } },
    ],
  },
  {
    type: "first-token",
    about:
      "Seconds from the first byte of the request to the first piece of the answer: of a stream its first event, of any other reply its first byte. Lower is better; a run that was asked for later has none.",
    member: "firstMs",
    what: "the first piece of the answer",
    such: "2s, 500ms",
    examples: [
      {
        about: "in time",
        scorer: { max: "2s" },
        answer: "x",
        with: { firstMs: 400 },
        score: { value: 0.4, pass: true },
      },
      {
        about: "late",
        scorer: { max: "300ms" },
        answer: "x",
        with: { firstMs: 400 },
        score: { value: 0.4, pass: false },
      },
      { about: "not known", scorer: {}, answer: "x", with: { firstMs: null }, score: { unscored: true } },
    ],
  },
];

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

/** Scorers of what a run takes: time, tokens, and what it costs. */
export const runAmountScorers = [
  ...times.map(({ member, what, such, ...described }) =>
    defineScorer({
      ...described,
      ...amountIn("s"),
      keys: {
        max: duration
          .optional()
          .describe(`It passes up to this time: ${such}. Default: it measures and does not say pass or fail.`),
        not: notKey,
      },
      grade:
        ({ max, not }) =>
        (answer) => {
          const ms = answer[member];
          if (ms === null) return { unscored: `how long ${what} took is not known` };
          const pass = passesUpTo(ms, max === undefined ? null : durationMs(max), not);
          const asked = max === undefined ? "" : `; at most ${max} was asked for`;
          return { value: ms / 1000, pass, reason: `${what} took ${Math.round(ms) / 1000} s${asked}` };
        },
    }),
  ),
  defineScorer({
    type: "tokens",
    ...amountIn("tokens"),
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
    grade:
      ({ count, max, not }) =>
      (answer) => {
        if (answer.usage === null) return { unscored: "the reply does not say how many tokens it took" };
        const { of, word } = counts[count];
        const value = of(answer.usage);
        const pass = passesUpTo(value, max, not);
        return { value, pass, reason: `${value} ${word}${max === undefined ? "" : `; at most ${max} were asked for`}` };
      },
  }),
  defineScorer({
    type: "cost",
    ...amountIn(null),
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
    grade:
      ({ max, prices, not }) =>
      (answer) => {
        const price: Price | null = prices[answer.target] ?? null;
        if (price === null) return { unscored: "its target has no price" };
        const value = costOf(price, answer.usage);
        if (value === null) return { unscored: "the reply does not say how many tokens it took" };
        const asked = max === undefined ? "" : `; at most ${max} was asked for`;
        return {
          value,
          pass: passesUpTo(value, max, not),
          reason: `it cost ${Number(value.toPrecision(6))}${asked}`,
        };
      },
  }),
];
