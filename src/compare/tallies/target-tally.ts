import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import type { ReadSide } from "../cases/case-side.ts";
import { isSound } from "../cases/side-outcome.ts";
import { type EchoChange, type OutputShape, shapeTally, topMembers } from "./drift.ts";
import type { ComparedTarget, ComparisonPlan } from "../comparison-plan.ts";
import { isOwn } from "../cases/pairing.ts";
import { type JobCounts, jobTally } from "./job-tally.ts";
import { type ErrorGroup, messageTally, type UngradedGroup } from "./message-tally.ts";
import { scoreTally, type TargetScore } from "./score-tally.ts";
import { type SharedIds, sharedIds } from "./shared-ids.ts";
import { type TaggedScore, taggedScores } from "./tagged-scores.ts";
import type { JobScore, ScoredJob } from "../../store/results/case-result.ts";

/** Results of one target over all its jobs, repeats included. */
export interface TargetSummary extends JobCounts {
  target: string;
  endpoint: ComparedTarget["endpoint"];
  /** Cases of its batches. */
  cases: number;
  /** Their messages: those that differ only in numbers and ids are one group. The largest first, at most 20. */
  errorGroups: ErrorGroup[];
  /** Reasons why answers have no grade of a metric: they could not be graded, or the case lacks what is compared with. */
  ungraded: UngradedGroup[];
  /** Finished jobs that have an expected text, and those whose answer holds it; null when no case expects one. */
  expected: Share | null;
  /** Means over its cases, in the order of the metrics. */
  scores: TargetScore[];
  /** The primary metric by the values of tags, the lowest first; left out where targets are compared, and where there is none. */
  byTag?: TaggedScore[];
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
  /** Answers whose run id another one has; left out where there are none. */
  sharedIds?: SharedIds;
}

/** k of n. */
interface Share {
  found: number;
  of: number;
}

interface TalliedCase {
  /** Number of the case's cluster. */
  cluster: number;
  /** False for a case that was not looked at when the run was decided: its runs are told, and nothing is decided by them. */
  isCounted: boolean;
}

/** Counts the jobs of one target, case by case. */
export interface ComparedTargetTally {
  add: (result: PairedResult, read: ReadSide, about: TalliedCase) => void;
  summary: () => TargetSummary;
  /** Shape of its outputs; null if only answers are kept. */
  shape: () => OutputShape | null;
}

/** `clustered`: several cases may be of one cluster. */
export function targetTally(
  target: ComparedTarget,
  { metrics, ignore, clustered, pairs }: Pick<ComparisonPlan, "metrics" | "ignore" | "pairs"> & { clustered: boolean },
): ComparedTargetTally {
  const jobs = jobTally(target.price);
  const messages = jobMessages(metrics);
  const edits = editTally();
  const ids = sharedIds();
  const expected: Share = { found: 0, of: 0 };
  const scores = metrics.map((metric) => scoreTally(metric, clustered));
  // Where targets are compared the slices of the pairs say more.
  const primary = pairs.length > 0 ? -1 : metrics.findIndex(({ metric }) => metric.primary);
  const tags = taggedScores(metrics[primary] ?? null, clustered);
  const shapes = shapeTally(target.endpoint, ignore);
  let cases = 0;

  const countExpected = (found: boolean | null): void => {
    if (found === null) return;
    expected.of += 1;
    if (found) expected.found += 1;
  };

  return {
    add(result, { side, runs: all }, { cluster, isCounted }) {
      // A case that its batches do not have is not one of its own.
      if (all.length === 0 && !isOwn(result, target)) return;
      cases += 1;
      for (const { job, outcome, output, found } of all) {
        jobs.add(job, outcome, isCounted);
        messages.add(job, outcome, result.key);
        ids.add(job);
        countExpected(found);
        for (const score of job.scores) edits.add(score);
        if (output !== null && result.sampled !== false) shapes.add(output, job.sentAt);
      }
      if (all.length === 0) for (let run = 0; run < Math.max(1, target.repeats); run++) jobs.missing();
      if (isCounted) tags.add(result.tags, side.scores[primary], cluster);
      if (isCounted) scores.forEach((tally, place) => tally.add(side.scores[place], cluster));
    },
    summary() {
      const [shape, shared] = [shapes.shape(), ids.counts()];
      return {
        target: target.target,
        endpoint: target.endpoint,
        cases,
        ...jobs.counts(),
        ...messages.groups(),
        expected: expected.of === 0 ? null : { ...expected },
        scores: scores.map((tally) => tally.score()),
        ...tags.result(),
        members: topMembers(shape).length,
        echoChanges: shape.changes,
        stopped: target.stopped,
        ...edits.counts(),
        ...(shared !== null && { sharedIds: shared }),
      };
    },
    shape: () => (target.answersOnly ? null : shapes.shape()),
  };
}

/** Groups the messages of errors, and the reasons why answers have no grade. */
function jobMessages(metrics: ComparisonPlan["metrics"]) {
  const errors = messageTally<ShownOutcome>(
    (outcome) => outcome,
    (outcome) => endOf(outcome).follows,
  );
  const ungraded = messageTally<Pick<UngradedGroup, "metric" | "applies">>(
    ({ metric, applies }) => `${metric} ${applies}`,
  );
  // A scorer that passes and measures is two metrics: its answers are counted once.
  const scorers = metrics.filter(
    ({ metric }, i) => metrics.findIndex((other) => other.metric.name === metric.name) === i,
  );
  return {
    add(job: ScoredJob, outcome: ShownOutcome, key: string): void {
      if (job.error !== null && !isSound(outcome) && endOf(outcome).due) errors.add(outcome, job.error, key);
      for (const { metric, places } of scorers) {
        const score = job.scores[places.get(job.targetId) ?? -1];
        if (score === undefined || score.value !== null) continue;
        const kind = { metric: metric.name, applies: score.applies !== false };
        ungraded.add(kind, score.reason ?? "no reason is known", key);
      }
    },
    groups: (): Pick<TargetSummary, "errorGroups" | "ungraded"> => ({
      errorGroups: errors.groups().map(({ kind: outcome, ...group }) => ({ outcome, ...group })),
      ungraded: ungraded.groups().map(({ kind, ...group }) => ({ ...kind, ...group })),
    }),
  };
}

/** Counts the scores that people edited, and those that follow them. */
function editTally() {
  let [edited, following] = [0, 0];
  return {
    add(score: JobScore | undefined): void {
      if (score?.edit === undefined) return;
      if (score.edit.from === undefined) edited += 1;
      else following += 1;
    },
    counts: (): Pick<TargetSummary, "edited" | "following"> => ({
      ...(edited === 0 ? {} : { edited }),
      ...(following === 0 ? {} : { following }),
    }),
  };
}
