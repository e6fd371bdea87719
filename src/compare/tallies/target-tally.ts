import { costOf, type Price } from "../../api/price.ts";
import type { JobResult, ScoredJob } from "../../store/results/case-result.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { latencyOf, type ReadSide } from "../cases/case-side.ts";
import { hasAnswer, notAsked, skipped } from "../cases/side-outcome.ts";
import type { SideOutcome } from "../cases/side-outcome.ts";
import { type EchoChange, type OutputShape, shapeTally, topMembers } from "./drift.ts";
import { durations, type Durations } from "./durations.ts";
import type { ComparedTarget, ComparisonPlan } from "../comparison-plan.ts";
import { isOwn } from "../cases/pairing.ts";
import { type ErrorGroup, messageTally, type UngradedGroup } from "./message-tally.ts";
import { scoreTally, type TargetScore } from "./score-tally.ts";

/** Results of one target over all its jobs, repeats included. */
export interface TargetSummary {
  target: string;
  endpoint: ComparedTarget["endpoint"];
  /** Cases of its batches. */
  cases: number;
  jobs: number;
  /** Jobs with a run record that answers: `answered`, `truncated` or `warning`. */
  answered: number;
  /** Outcome, and for a run record without a sound answer its kind (`empty`, `function-error`), to number of jobs. */
  errors: Record<string, number>;
  /** Their messages: those that differ only in numbers and ids are one group. The largest first, at most 20. */
  errorGroups: ErrorGroup[];
  /** Reasons why answers have no grade of a metric: they could not be graded, or the case lacks what is compared with. */
  ungraded: UngradedGroup[];
  unfinished: number;
  /** Jobs whose answer was cut off or came with a warning; they are among the answered. */
  truncated: number;
  warnings: number;
  /** Finished jobs that have an expected text, and those whose answer holds it; null when no case expects one. */
  expected: Share | null;
  /** Means over its cases, in the order of the metrics. */
  scores: TargetScore[];
  /** Milliseconds, of jobs with a run record, within 1 %; null when there are none. */
  latency: { median: number; p90: number; p95: number; p99: number } | null;
  attempts: number;
  possiblyPaid: number;
  /** Tokens of the runs that told them; null: none did. */
  tokens: { runs: number; input: number; output: number } | null;
  /** Price of the runs that are known or possibly paid; null without a price, or without the tokens that it needs. */
  cost: number | null;
  /** Runs of its cases, repeats included, without the turns that were skipped: what the error rate is a share of. */
  runsTried: number;
  /** Number of those runs without an answer: failed, not finished, not planned, or with a run record that answers nothing. */
  runsWithoutAnswer: number;
  /** Turns that were not sent because an earlier one of their conversation failed. */
  runsSkipped: number;
  /** Members at the top of its outputs. */
  members: number;
  /** Changes of the configuration that its outputs told while the batch ran. */
  echoChanges: EchoChange[];
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
  /** Scores that people put in the place of what a scorer said; left out where there are none. */
  edited?: number;
  /** Scores that are made of these and were computed again; left out where there are none. */
  following?: number;
}

/** k of n. */
interface Share {
  found: number;
  of: number;
}

/** Counts the jobs of one target, case by case. */
export interface ComparedTargetTally {
  /** `cluster`: number of the case's cluster. */
  add: (result: PairedResult, read: ReadSide, cluster: number) => void;
  summary: () => TargetSummary;
  /** Shape of its outputs; null if only answers are kept. */
  shape: () => OutputShape | null;
}

/** `clustered`: several cases may be of one cluster. */
export function targetTally(
  target: ComparedTarget,
  { metrics, ignore, clustered }: Pick<ComparisonPlan, "metrics" | "ignore"> & { clustered: boolean },
): ComparedTargetTally {
  const latencies = durations();
  const count = {
    cases: 0,
    jobs: 0,
    answered: 0,
    unfinished: 0,
    truncated: 0,
    warnings: 0,
    attempts: 0,
    possiblyPaid: 0,
  };
  const runCounts = { runsTried: 0, runsWithoutAnswer: 0, runsSkipped: 0 };
  const errors = new Map<string, number>();
  const errorGroups = messageTally<SideOutcome>((outcome) => outcome);
  const ungraded = messageTally<Pick<UngradedGroup, "metric" | "applies">>(
    ({ metric, applies }) => `${metric} ${applies}`,
  );
  const expected: Share = { found: 0, of: 0 };
  const scores = metrics.map((metric) => scoreTally(metric, clustered));
  const shapes = shapeTally(target.endpoint, ignore);
  let runs = 0;
  /** Runs that told their tokens, and the tokens of all. */
  const tokens = { runs: 0, input: 0, output: 0 };
  let [edited, following] = [0, 0];

  const countOutcome = (outcome: SideOutcome): void => {
    if (outcome === "unfinished") count.unfinished += 1;
    else if (isSound(outcome)) count.answered += 1;
    else if (outcome !== notAsked) errors.set(outcome, (errors.get(outcome) ?? 0) + 1);
    if (outcome === "truncated") count.truncated += 1;
    if (outcome === "warning") count.warnings += 1;
  };

  /** One that was never planned has no job. */
  const countRun = (job: JobResult | null): void => {
    if (job?.outcome === notAsked) return;
    if (job?.outcome === skipped) runCounts.runsSkipped += 1;
    else runCounts.runsTried += 1;
    if (job?.outcome !== skipped && (job === null || !hasAnswer(job))) runCounts.runsWithoutAnswer += 1;
  };

  const countJob = (job: JobResult): void => {
    count.jobs += 1;
    countRun(job);
    count.attempts += job.attempts;
    if (job.possiblyPaid) count.possiblyPaid += 1;
    if (job.outcome === "ok") runs += 1;
    if (job.outcome === "ok" && job.usage !== null) {
      tokens.runs += 1;
      tokens.input += job.usage.input;
      tokens.output += job.usage.output;
    }
    const latency = latencyOf(job);
    if (job.outcome === "ok" && latency !== null) latencies.add(latency);
  };

  const countExpected = (found: boolean | null): void => {
    if (found === null) return;
    expected.of += 1;
    if (found) expected.found += 1;
  };

  const countUngraded = ({ targetId, scores: given }: ScoredJob, key: string): void => {
    for (const { metric, places } of metrics) {
      const score = given[places.get(targetId) ?? -1];
      if (score === undefined || score.value !== null) continue;
      ungraded.add(
        { metric: metric.name, applies: score.applies !== false },
        score.reason ?? "no reason is known",
        key,
      );
    }
  };

  return {
    add(result, { side, runs: all }, cluster) {
      // A case that its batches do not have is not one of its own.
      if (all.length === 0 && !isOwn(result, target)) return;
      count.cases += 1;
      for (const { job, outcome, output, found } of all) {
        countJob(job);
        countOutcome(outcome);
        if (job.error !== null && !isSound(outcome) && outcome !== notAsked)
          errorGroups.add(outcome, job.error, result.key);
        countUngraded(job, result.key);
        countExpected(found);
        for (const score of job.scores) {
          if (score?.edit === undefined) continue;
          if (score.edit.from === undefined) edited += 1;
          else following += 1;
        }
        if (output !== null && result.sampled !== false) shapes.add(output, job.sentAt);
      }
      if (all.length === 0) for (let run = 0; run < Math.max(1, target.repeats); run++) countRun(null);
      scores.forEach((tally, place) => tally.add(side.scores[place], cluster));
    },
    summary() {
      const shape = shapes.shape();
      return {
        target: target.target,
        endpoint: target.endpoint,
        ...count,
        errors: byCount(errors),
        errorGroups: errorGroups.groups().map(({ kind: outcome, ...group }) => ({ outcome, ...group })),
        ungraded: ungraded.groups().map(({ kind, ...group }) => ({ ...kind, ...group })),
        expected: expected.of === 0 ? null : { ...expected },
        scores: scores.map((tally) => tally.score()),
        latency: quantilesOf(latencies),
        ...runCounts,
        tokens: tokens.runs === 0 ? null : tokens,
        cost: costOfAll(target.price, tokens, runs + count.possiblyPaid),
        members: topMembers(shape).length,
        echoChanges: shape.changes,
        stopped: target.stopped,
        ...(edited === 0 ? {} : { edited }),
        ...(following === 0 ? {} : { following }),
      };
    },
    shape: () => (target.answersOnly ? null : shapes.shape()),
  };
}

/** The cost of so many runs; those that did not tell their tokens are taken to be like the others. */
function costOfAll(price: Price | null, told: NonNullable<TargetSummary["tokens"]>, runs: number): number | null {
  const { runs: telling, input, output } = told;
  const mean = telling === 0 ? null : { input: input / telling, output: output / telling };
  const cost = costOf(price, mean);
  return cost === null ? null : cost * runs;
}

function quantilesOf({ count, quantile }: Durations): TargetSummary["latency"] {
  const at = (share: number): number => quantile(share) ?? 0;
  return count() === 0 ? null : { median: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99) };
}

/** The most frequent first. */
function byCount(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries(Array.from(counts).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

/** Outcomes with which a target has said what it has to say. */
const sound: ReadonlySet<string> = new Set(["answered", "ok", "truncated", "warning", "refusal", "tool-calls"]);

function isSound(outcome: string): boolean {
  return sound.has(outcome);
}
