import { z } from "zod";
import { durationMs, durationPattern } from "../../lib/duration.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey } from "../contract/finding.ts";
import type { Score, ScorerType } from "../contract/scorer.ts";

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

export const latencyScorers = times.map(({ type, about, examples, member, what, such }) =>
  defineScorer({
    type,
    family: "service",
    measuresRun: true,
    about,
    keys: {
      max: duration
        .optional()
        .describe(`It passes up to this time: ${such}. Default: it measures and does not say pass or fail.`),
      not: notKey,
    },
    examples,
    metric: ({ max }) => ({ scale: { kind: "unbounded", unit: "s" }, lowerIsBetter: true, passes: max !== undefined }),
    grade:
      ({ max, not }) =>
      (answer) =>
        inTime(answer[member], { max, not, what }),
  }),
);

/** The grade of a time in milliseconds, in seconds. */
function inTime(ms: number | null, { max, not, what }: { max: string | undefined; not: boolean; what: string }): Score {
  if (ms === null) return { unscored: `how long ${what} took is not known` };
  const most = max === undefined ? null : durationMs(max);
  const pass = most === null ? null : ms <= most !== not;
  const asked = max === undefined ? "" : `; at most ${max} was asked for`;
  return { value: ms / 1000, pass, reason: `${what} took ${Math.round(ms) / 1000} s${asked}` };
}
