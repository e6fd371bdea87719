import { endOf, type OutcomeCounts, type ShownOutcome } from "../../api/outcomes.ts";
import { costOfRuns, type Price, type TokenTotals } from "../../api/price.ts";
import type { JobResult } from "../../store/results/case-result.ts";
import { latencyOf } from "../cases/case-side.ts";
import { hasAnswer, isSound, isSpared, notPlanned } from "../cases/side-outcome.ts";
import { durations, type Durations } from "./durations.ts";

/** Counts of jobs, whatever was asked and expected. */
export interface JobCounts {
  jobs: number;
  /** Jobs with a run record that answers: `answered`, `truncated` or `warning`. */
  answered: number;
  /** Outcome, and for a run record without a sound answer its kind (`empty`, `function-error`), to number of jobs. */
  errors: OutcomeCounts;
  unfinished: number;
  /** Jobs of the plan that were never sent, because the run was decided without them: one in doubt is not among them. */
  spared: number;
  /** Jobs whose answer was cut off or came with a warning; they are among the answered. */
  truncated: number;
  warnings: number;
  /** Milliseconds, of jobs with a run record, within 1 %; null when there are none. */
  latency: { median: number; p90: number; p95: number; p99: number } | null;
  attempts: number;
  possiblyPaid: number;
  /** Tokens of the runs that told them; null: none did. */
  tokens: TokenTotals | null;
  /** Runs with a record, and those that may have been paid without one: what `cost` is made of. */
  runsPaid: number;
  /** Price of the runs that are known or possibly paid; null without a price, or without the tokens that it needs. */
  cost: number | null;
  /** Price of the jobs that were spared; null where there are none, and where `cost` is not known. */
  saved: number | null;
  /** Runs of its cases, repeats included, without the turns that were skipped: what the error rate is a share of. */
  runsTried: number;
  /** Number of those runs without an answer: failed, not finished, not planned, or with a run record that answers nothing. */
  runsWithoutAnswer: number;
  /** Turns that were not sent because an earlier one of their conversation failed. */
  runsSkipped: number;
}

/** Counts jobs one by one. */
export interface JobTally {
  /** `isTried`: the run counts for the share of those without an answer. */
  add: (job: JobResult, outcome: ShownOutcome, isTried?: boolean) => void;
  /** A run that was never planned has no job. */
  missing: () => void;
  counts: () => JobCounts;
}

export function jobTally(price: Price | null): JobTally {
  const latencies = durations();
  const errors = new Map<ShownOutcome, number>();
  const count = noJobs();
  const runs = { runsTried: 0, runsWithoutAnswer: 0, runsSkipped: 0 };
  const tokens: TokenTotals = { runs: 0, input: 0, output: 0 };
  let made = 0;

  const countOutcome = ({ attempts }: JobResult, outcome: ShownOutcome): void => {
    if (outcome === "unfinished") count.unfinished += 1;
    else if (isSpared(outcome)) count.spared += attempts === 0 ? 1 : 0;
    else if (isSound(outcome)) count.answered += 1;
    else if (endOf(outcome).due) errors.set(outcome, (errors.get(outcome) ?? 0) + 1);
    if (outcome === "truncated") count.truncated += 1;
    if (outcome === "warning") count.warnings += 1;
  };

  const countRun = (job: JobResult | null, outcome: ShownOutcome): void => {
    const { due, follows } = endOf(outcome);
    if (!due) return;
    if (follows) {
      runs.runsSkipped += 1;
      return;
    }
    runs.runsTried += 1;
    if (job === null || !hasAnswer(job)) runs.runsWithoutAnswer += 1;
  };

  return {
    add(job, outcome, isTried = true) {
      count.jobs += 1;
      count.attempts += job.attempts;
      if (job.possiblyPaid) count.possiblyPaid += 1;
      if (isTried) countRun(job, outcome);
      countOutcome(job, outcome);
      if (job.outcome !== "ok") return;
      made += 1;
      const latency = latencyOf(job);
      if (latency !== null) latencies.add(latency);
      if (job.usage === null) return;
      tokens.runs += 1;
      tokens.input += job.usage.input;
      tokens.output += job.usage.output;
    },
    missing: () => countRun(null, notPlanned),
    counts: () => ({
      ...count,
      errors: byCount(errors),
      latency: quantilesOf(latencies),
      ...runs,
      tokens: tokens.runs === 0 ? null : tokens,
      runsPaid: made + count.possiblyPaid,
      cost: costOfRuns(price, tokens, made + count.possiblyPaid),
      saved: count.spared === 0 ? null : costOfRuns(price, tokens, count.spared),
    }),
  };
}

function noJobs() {
  return { jobs: 0, answered: 0, unfinished: 0, spared: 0, truncated: 0, warnings: 0, attempts: 0, possiblyPaid: 0 };
}

function quantilesOf({ count, quantile }: Durations): JobCounts["latency"] {
  const at = (share: number): number => quantile(share) ?? 0;
  return count() === 0 ? null : { median: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99) };
}

/** The most frequent first, those that follow from others last. */
function byCount(counts: ReadonlyMap<ShownOutcome, number>): OutcomeCounts {
  const sorted = Array.from(counts).toSorted(
    ([a, x], [b, y]) => Number(endOf(a).follows) - Number(endOf(b).follows) || y - x || (a < b ? -1 : 1),
  );
  return Object.fromEntries(sorted);
}
