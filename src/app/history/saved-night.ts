import { isStoredOutcome, type ShownOutcome } from "../../api/outcomes.ts";
import { z } from "zod";
import { boundedJson } from "../../lib/json.ts";
import { keptChoice } from "./changed-choice.ts";
import { notOurs } from "../../lib/stored-json.ts";
import type { BatchEdits } from "../../store/scores/edits.ts";

/** The share of errors that a comparison allows where it does not tell: an earlier tandem kept it. */
const defaultErrors = 0.05;

const interval = z.object({ low: z.number(), high: z.number() }).nullable().default(null);

const score = z.object({
  metric: z.string(),
  of: z.enum(["pass", "value", "median", "ratio"]),
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
  /** Scores that people had edited; left out: none. */
  edited: z.number().default(0),
  /** The reason why nothing more was sent to it; null: everything was. */
  stopped: z.string().nullable().default(null),
  /** Left out: an earlier tandem kept it, which had all runs tried. */
  runsPaid: z.number().optional(),
  latency: z.object({ median: z.number() }).nullable().default(null),
  cost: z.number().nullable().default(null),
  scores: z.array(score),
});

const candidate = z.object({
  candidate: z.string(),
  baseline: z.string(),
  /** Left out: an earlier tandem kept it. */
  flips: z
    .object({ metric: z.string().nullable(), lists: z.array(z.object({ kind: z.string(), cases: z.number() })) })
    .optional(),
  metrics: z.array(
    z.object({
      metric: z.string(),
      of: z.enum(["pass", "value", "median", "ratio"]).default("value"),
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
});

/** A value of a tag, or all cases, in which a metric is surely worse. */
const worse = z.object({
  candidate: z.string(),
  place: z.number(),
  slice: z
    .object({
      tag: z.string(),
      value: z.string(),
      /** Left out: an earlier tandem kept it, which looked at no pairs. */
      and: z.object({ tag: z.string(), value: z.string() }).nullable().default(null),
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
  slice: z.object({ tag: z.string(), value: z.string() }).nullable(),
  state: z.string(),
  /** Left out: an earlier tandem kept it. */
  word: z.string().optional(),
  /** Left out: no column took anything away. */
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
const lostTag = z.object({
  candidate: z.string(),
  baseline: z.string(),
  metric: z.string(),
  tag: z.string(),
  value: z.string(),
});

const comparison = z.object({
  verdict: z.enum(["regression", "pass", "inconclusive", "invalid"]).nullable().default(null),
  /** Left out: an earlier tandem kept it. */
  word: z.string().nullable().default(null),
  /** Left out: an earlier tandem kept it. */
  verdicts: z.array(candidateVerdict).default([]),
  validity: z
    .object({ reasons: z.array(z.string()).default([]) })
    .nullable()
    .default(null),
  decision: z.object({ maxErrorShare: z.number().default(defaultErrors) }).default({ maxErrorShare: defaultErrors }),
  targets: z.array(target),
  candidates: z.array(candidate),
  gates: z.array(gate).default([]),
  worse: z.array(worse).default([]),
  /** Left out: an earlier tandem kept it, which looked for none. */
  lostTags: z.array(lostTag).optional(),
  stopping: z.object({ spared: z.number() }).nullable().default(null),
  /** Left out: nothing was chosen. */
  choice: keptChoice.optional(),
  confirmation: z.object({ unfinished: z.string().nullable().default(null) }).optional(),
});

/** The parts of a comparison that a history shows. */
export type KeptNight = z.infer<typeof comparison>;

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
  return primaryFirst(read.data);
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

/** The night with its primary metric first, where an earlier tandem kept its metrics in the order of the scorers. */
function primaryFirst(night: KeptNight): KeptNight {
  const metrics = night.candidates[0]?.metrics ?? [];
  const first = metrics.findIndex(({ primary }) => primary);
  if (first < 1) return night;
  const places = Array.from(metrics.keys()).toSorted(
    (one, other) => Number(metrics[other]?.primary) - Number(metrics[one]?.primary),
  );
  const inOrder = <Each>(all: readonly Each[]): Each[] => places.flatMap((place) => all[place] ?? []);
  return {
    ...night,
    targets: night.targets.map((each) => ({
      ...each,
      scores: each.scores.length === metrics.length ? inOrder(each.scores) : each.scores,
    })),
    candidates: night.candidates.map((each) => ({ ...each, metrics: inOrder(each.metrics) })),
    worse: night.worse.map((each) => ({ ...each, place: places.indexOf(each.place) })),
  };
}
