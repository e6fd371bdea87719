import type { CaseResult, JobResult } from "../store/results.ts";
import { answerText } from "./answer.ts";
import { expectedFound, latencyOf, sideOutcome } from "./case-comparison.ts";
import type { ComparedTarget, Side } from "./case-comparison.ts";
import { durations } from "./durations.ts";

/** What one target made of all its jobs, repeats included. */
export interface TargetSummary {
  target: string;
  endpoint: ComparedTarget["endpoint"];
  jobs: number;
  /** Jobs with a run record that answers: `answered`, `truncated` or `warning`. */
  answered: number;
  /** Outcome, and for a run record without a sound answer its kind (`empty`, `function-error`), to number of jobs. */
  errors: Record<string, number>;
  unfinished: number;
  /** Jobs whose answer was cut off or came with a warning; they are among the answered. */
  truncated: number;
  warnings: number;
  /** Finished jobs that have an expected text, and those whose answer holds it; null when no case expects one. */
  expected: Share | null;
  /** Milliseconds, of jobs with a run record, within 1 %; null when there are none. */
  latency: { median: number; p95: number } | null;
  attempts: number;
  possiblyPaid: number;
  /** Cases (first repeats) without a run record: failed, not finished, not planned. */
  casesWithoutRecord: number;
  /** Why nothing more was sent to it; null otherwise. */
  stopped: string | null;
}

/** k of n. */
interface Share {
  found: number;
  of: number;
}

/** Counts the jobs of one target, case by case. */
export interface TargetTally {
  /** `first`: what was read of the first repeat. */
  add: (result: CaseResult, first: Side) => void;
  summary: () => TargetSummary;
}

export function targetTally(target: ComparedTarget, stopped: string | null): TargetTally {
  const latencies = durations();
  const count = { jobs: 0, answered: 0, unfinished: 0, truncated: 0, warnings: 0, attempts: 0, possiblyPaid: 0 };
  const errors = new Map<string, number>();
  const expected: Share = { found: 0, of: 0 };
  let casesWithoutRecord = 0;

  const countOutcome = (job: JobResult): void => {
    const outcome = sideOutcome(job);
    if (outcome === "unfinished") count.unfinished += 1;
    else if (isSound(outcome)) count.answered += 1;
    else errors.set(outcome, (errors.get(outcome) ?? 0) + 1);
    if (outcome === "truncated") count.truncated += 1;
    if (outcome === "warning") count.warnings += 1;
  };

  const isFound = (job: JobResult, text: string | null): boolean | null => {
    if (text === null || job.outcome === null) return null;
    const answer = job.outcome === "ok" ? answerText(target.endpoint, job.body) : null;
    return expectedFound(target.endpoint, text, answer);
  };

  const countExpected = (found: boolean | null): void => {
    if (found === null) return;
    expected.of += 1;
    if (found) expected.found += 1;
  };

  return {
    add(result, first) {
      let hasRecord = false;
      for (const job of result.jobs) {
        if (job.targetId !== target.targetId) continue;
        count.jobs += 1;
        count.attempts += job.attempts;
        if (job.possiblyPaid) count.possiblyPaid += 1;
        if (job.repeat === 1 && job.outcome === "ok") hasRecord = true;
        countOutcome(job);
        countExpected(job.repeat === 1 ? first.expectedFound : isFound(job, result.expected));
        const latency = latencyOf(job);
        if (job.outcome === "ok" && latency !== null) latencies.add(latency);
      }
      if (!hasRecord) casesWithoutRecord += 1;
    },
    summary: () => ({
      target: target.target,
      endpoint: target.endpoint,
      ...count,
      errors: byCount(errors),
      expected: expected.of === 0 ? null : { ...expected },
      latency:
        latencies.count() === 0 ? null : { median: latencies.quantile(0.5) ?? 0, p95: latencies.quantile(0.95) ?? 0 },
      casesWithoutRecord,
      stopped,
    }),
  };
}

/** The most frequent first. */
function byCount(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries(Array.from(counts).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

function isSound(outcome: string): boolean {
  return outcome === "answered" || outcome === "truncated" || outcome === "warning" || outcome === "ok";
}
