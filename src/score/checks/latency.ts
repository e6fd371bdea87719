import { z } from "zod";
import { durationMs, durationPattern } from "../../lib/duration.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey } from "../contract/finding.ts";

const duration = z
  .string({ error: "must be a duration such as 20s or 500ms" })
  .regex(durationPattern, { error: "must be a duration such as 20s or 500ms" });

export const latencyScorers = [
  defineScorer({
    type: "latency",
    family: "service",
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
      grade: ({ latencyMs }) => {
        if (latencyMs === null) return { unscored: "how long the answer took is not known" };
        const most = max === undefined ? null : durationMs(max);
        const pass = most === null ? null : latencyMs <= most !== not;
        const asked = max === undefined ? "" : `; at most ${max} was asked for`;
        return { value: latencyMs / 1000, pass, reason: `the answer took ${Math.round(latencyMs) / 1000} s${asked}` };
      },
    }),
  }),
];
