import { isStoredOutcome, type ShownOutcome } from "../../api/outcomes.ts";
import { z } from "zod";
import type { Comparison } from "../../compare/comparison.ts";
import { causeSentence, causeWords } from "../../report/say/causes.ts";
import { boundedJson } from "../../lib/json.ts";
import { keptChoice } from "./changed-choice.ts";
import { notOurs } from "../../lib/stored-json.ts";
import type { BatchEdits } from "../../store/scores/edits.ts";

/** The rows with a value of a tag. */
const slice = z.object({ tag: z.string(), value: z.string() });

/** Way in which a metric is compared. */
const measureOf = z.enum(["pass", "value", "median", "ratio"]);

const interval = z.object({ low: z.number(), high: z.number() }).nullable().default(null);

const score = z.object({
  metric: z.string(),
  of: measureOf,
  cases: z.number(),
  mean: z.number().nullable(),
  interval,
});

/** Errors that differ only in numbers, the most frequent first. */
const errorGroup = z.object({
  outcome: z.custom<ShownOutcome>(isStoredOutcome),
  message: z.string(),
  jobs: z.number(),
});

const target = z.object({
  target: z.string(),
  errorGroups: z.array(errorGroup).default([]),
  runsTried: z.number().default(0),
  runsWithoutAnswer: z.number().default(0),
  cases: z.number().default(0),
  runsSkipped: z.number().default(0),
  unfinished: z.number().default(0),
  /** Scores that people had edited. */
  edited: z.number().default(0),
  /** The reason why nothing more was sent to it; null: everything was. */
  stopped: z.string().nullable().default(null),
  runsPaid: z.number().default(0),
  latency: z.object({ median: z.number() }).nullable().default(null),
  cost: z.number().nullable().default(null),
  scores: z.array(score),
});

const candidate = z.object({
  candidate: z.string(),
  baseline: z.string(),
  flips: z
    .object({ metric: z.string().nullable(), lists: z.array(z.object({ kind: z.string(), cases: z.number() })) })
    .default({ metric: null, lists: [] }),
  metrics: z.array(
    z.object({
      metric: z.string(),
      of: measureOf.default("value"),
      primary: z.boolean().default(false),
      comparison: z.object({ estimate: z.number().nullable(), interval }).nullable().default(null),
    }),
  ),
});

/** The word of a candidate, and the claim about it beyond the cases at hand. */
const candidateVerdict = z.object({
  candidate: z.string(),
  word: z.string().nullable(),
  claim: z.enum(["better", "same", "worse", "none"]),
  byPlace: slice.extend({ and: slice.nullable(), place: z.number() }).optional(),
});

/** A value of a tag, or all cases, in which a metric is surely worse. */
const worse = z.object({
  candidate: z.string(),
  place: z.number(),
  slice: slice
    .extend({
      and: slice.nullable().default(null),
      cases: z.number(),
      baseline: z.number().nullable(),
      now: z.number().nullable(),
    })
    .nullable(),
  difference: z.number(),
});

/** A gate with the bounds that decide it. */
const gate = z.object({
  metric: z.string(),
  candidate: z.string(),
  slice: slice.nullable(),
  state: z.string(),
  word: z.string().optional(),
  dependence: z.object({ byRows: z.string() }).optional(),
  margin: z.number().nullable().default(null),
  decided: z
    .object({
      lower: z.number().nullable().default(null),
      upper: z.number().nullable().default(null),
      pRegression: z.number().nullable().default(null),
    })
    .nullable()
    .default(null),
  /** A loss that is sure, with the bound of its own level. */
  sureLoss: z.object({ upper: z.number() }).nullable().default(null),
});

/** A value of a tag that lost everything. */
const lostTag = slice.extend({ candidate: z.string(), baseline: z.string(), metric: z.string() });

/** Said when the comparison was kept: why it is invalid, whether that holds the most frequent error, and why a regression could not be asked once more. */
const told = z
  .object({
    invalid: z.string().nullable().default(null),
    quotesError: z.boolean().default(false),
    unconfirmed: z.string().nullable().default(null),
  })
  .default({ invalid: null, quotesError: false, unconfirmed: null });

const comparison = z.object({
  verdict: z.enum(["regression", "pass", "inconclusive", "invalid"]).nullable().default(null),
  word: z.string().nullable().default(null),
  verdicts: z.array(candidateVerdict).default([]),
  told,
  decision: z.object({ maxErrorShare: z.number() }).default({ maxErrorShare: 0.05 }),
  targets: z.array(target),
  candidates: z.array(candidate),
  gates: z.array(gate).default([]),
  worse: z.array(worse).default([]),
  lostTags: z.array(lostTag).default([]),
  stopping: z.object({ spared: z.number() }).nullable().default(null),
  choice: keptChoice.optional(),
  confirmation: z.object({ unfinished: z.object({ kind: z.string() }).nullable().default(null) }).optional(),
});

/** The parts of a comparison that a history shows. */
export type KeptNight = z.infer<typeof comparison>;

/** A comparison as it is kept with a batch. */
export function keptSummary(made: Comparison): string {
  const [invalid] = made.validity?.state === "invalid" ? made.validity.reasons : [];
  const unfinished = made.confirmation?.unfinished ?? null;
  const said: z.infer<typeof told> = {
    invalid: invalid === undefined ? null : causeSentence(invalid),
    quotesError: invalid?.kind === "stopped" || (invalid?.kind === "unanswered" && invalid.error !== null),
    unconfirmed: unfinished === null ? null : causeWords(unfinished),
  };
  return JSON.stringify({ ...made, told: said });
}

/** Reads them from a comparison as it is kept with a batch. Throws DATABASE_INVALID where a stranger wrote it. */
export function readKeptNight(summary: string): KeptNight {
  let value: unknown;
  try {
    value = boundedJson(summary);
  } catch (error) {
    throw notOurs("a comparison", summary, error);
  }
  const read = comparison.safeParse(value);
  if (!read.success) throw notOurs("a comparison", summary, read.error);
  return read.data;
}

/** True for a comparison of before a score was edited, or an edit was taken back: one that is made now counts others. */
export function isBeforeEdits(
  counted: number,
  { editedScores, editedAt, comparedAt }: BatchEdits & { comparedAt: number | null },
): boolean {
  return (editedAt ?? 0) > (comparedAt ?? 0) || editedScores < counted;
}

/** Number of edited scores that a comparison counts. */
export const editsCounted = ({ targets }: KeptNight): number => targets.reduce((sum, { edited }) => sum + edited, 0);
