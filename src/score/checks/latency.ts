import { z } from "zod";
import { durationMs, durationPattern } from "../../lib/duration.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey } from "../contract/finding.ts";
import type { Score } from "../contract/scorer.ts";

const duration = z
  .string({ error: "must be a duration such as 20s or 500ms" })
  .regex(durationPattern, { error: "must be a duration such as 20s or 500ms" });

export const latencyScorers = [
  defineScorer({
    type: "latency",
    family: "service",
    measuresRun: true,
    about:
      "Seconds from the first byte of the request to the last of the response, of the attempt that decided the job. Lower is better; a job that brought no answer has none.",
    keys: {
      max: duration
        .optional()
        .describe("It passes up to this time: 20s, 500ms. Default: it measures and does not say pass or fail."),
      not: notKey,
    },
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
    metric: ({ max }) => ({ scale: { kind: "unbounded", unit: "s" }, lowerIsBetter: true, passes: max !== undefined }),
    make: ({ max, not }) => ({
      kind: "pure",
      grade: ({ latencyMs }) => inTime(latencyMs, { max, not, what: "the answer" }),
    }),
  }),
  defineScorer({
    type: "first-token",
    family: "service",
    measuresRun: true,
    about:
      "Seconds from the first byte of the request to the first piece of the answer: of a stream its first event, of any other reply its first byte. Lower is better; a run that was asked for later has none.",
    keys: {
      max: duration
        .optional()
        .describe("It passes up to this time: 2s, 500ms. Default: it measures and does not say pass or fail."),
      not: notKey,
    },
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
    metric: ({ max }) => ({ scale: { kind: "unbounded", unit: "s" }, lowerIsBetter: true, passes: max !== undefined }),
    make: ({ max, not }) => ({
      kind: "pure",
      grade: ({ firstMs }) => inTime(firstMs, { max, not, what: "the first piece of the answer" }),
    }),
  }),
];

/** The grade of a time in milliseconds, in seconds. */
function inTime(ms: number | null, { max, not, what }: { max: string | undefined; not: boolean; what: string }): Score {
  if (ms === null) return { unscored: `how long ${what} took is not known` };
  const most = max === undefined ? null : durationMs(max);
  const pass = most === null ? null : ms <= most !== not;
  const asked = max === undefined ? "" : `; at most ${max} was asked for`;
  return { value: ms / 1000, pass, reason: `${what} took ${Math.round(ms) / 1000} s${asked}` };
}
