import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { Usage } from "../../api/usage.ts";
import { storedOutput } from "../../api/stored-output.ts";
import { attemptMs } from "../../lib/duration.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { CaseResult, JobResult } from "../../store/results/case-result.ts";
import { contains } from "../../text/contains.ts";
import { normalise } from "../../text/normalise.ts";
import type { ComparedMetric, ComparedTarget } from "../comparison-plan.ts";
import { type SideValue, sideValue } from "./side-value.ts";
import { isSpared, notPlanned, sideOutcome } from "./side-outcome.ts";

/** The results of one target in a case: its first run, and the scores of all. */
export interface Side {
  target: string;
  outcome: ShownOutcome;
  /** The answer; null when there is none. */
  answer: string | null;
  /** The answer holds the expected text; null where nothing is expected or the job is not finished. */
  expectedFound: boolean | null;
  /** Time from the first byte sent to the last received, of the attempt that decided it. */
  latencyMs: number | null;
  runId: string | null;
  url: string | null;
  sentAt: number | null;
  error: string | null;
  /** Runs with a run record, and all that were planned. */
  answeredRuns: number;
  plannedRuns: number;
  /** Number of those runs that were not sent because an earlier turn failed. */
  skippedRuns: number;
  /** Scores over all runs, in the order of the metrics that are compared. */
  scores: SideValue[];
}

/** A run of a side, read. */
export interface Run {
  job: JobResult;
  outcome: ShownOutcome;
  /** Null without a run record. */
  output: JsonObject | null;
  answer: string | null;
  /** The answer holds the expected text; null where nothing is expected or the job is not finished. */
  found: boolean | null;
}

/** A side with all its runs, the first one first. */
export interface ReadSide {
  side: Side;
  compared: ComparedTarget;
  runs: Run[];
}

/** Reads the answers of a side's runs, of all its batches in their order. */
export function answersOf(result: CaseResult, compared: ComparedTarget): Pick<Run, "job" | "answer">[] {
  return jobsOf(result, compared).map((job) => readRun(job, compared.endpoint, nothingExpected));
}

/** Reads the runs of a side, of all its batches in their order. */
export function readSide(result: CaseResult, compared: ComparedTarget, metrics: readonly ComparedMetric[]): ReadSide {
  const jobs = jobsOf(result, compared);
  const found = expectedFinder(compared.endpoint, result.expected);
  const runs = jobs.map((job) => readRun(job, compared.endpoint, found));
  const [first] = runs;
  const scores = metrics.map((metric) => sideValue(jobs, metric));
  if (first === undefined) return { side: missingSide(compared.target, scores), compared, runs };
  const { job, outcome, answer } = first;
  let [answeredRuns, skippedRuns] = [0, 0];
  for (const { output, outcome: became } of runs) {
    if (output !== null) answeredRuns += 1;
    else if (endOf(became).follows) skippedRuns += 1;
  }
  const side: Side = {
    target: compared.target,
    outcome,
    answer,
    expectedFound: first.found,
    latencyMs: latencyOf(job),
    runId: job.runId,
    url: job.url,
    sentAt: job.sentAt,
    error: job.error,
    answeredRuns,
    plannedRuns: runs.length,
    skippedRuns,
    scores,
  };
  return { side, compared, runs };
}

function jobsOf({ jobs }: CaseResult, { targetIds }: ComparedTarget): JobResult[] {
  const own = jobs.filter(({ targetId }) => targetIds.includes(targetId));
  if (own.length < 2) return own;
  return own.toSorted((a, b) => targetIds.indexOf(a.targetId) - targetIds.indexOf(b.targetId) || a.repeat - b.repeat);
}

function readRun(job: JobResult, endpoint: EndpointName, isFound: (answer: string | null) => boolean | null): Run {
  const output = job.outcome === "ok" ? storedOutput(endpoint, job.body) : null;
  const answer = output === null ? null : endpointOf(endpoint).textOf(output);
  const found = job.outcome === null || isSpared(job.outcome) ? null : isFound(answer);
  return { job, outcome: sideOutcome(job), output, answer, found };
}

function missingSide(target: string, scores: SideValue[]): Side {
  return {
    target,
    outcome: notPlanned,
    answer: null,
    expectedFound: null,
    latencyMs: null,
    runId: null,
    url: null,
    sentAt: null,
    error: null,
    answeredRuns: 0,
    plannedRuns: 0,
    skippedRuns: 0,
    scores,
  };
}

/** Milliseconds that the deciding attempt of a finished job took; null when it did not get that far. */
export function latencyOf({
  outcome,
  sentAt,
  doneAt,
}: Pick<JobResult, "outcome" | "sentAt" | "doneAt">): number | null {
  return outcome === null ? null : attemptMs(sentAt, doneAt);
}

/** Tokens that an answer took; null: not told. */
export function usageOf({
  tokensIn,
  tokensOut,
  tokensCached,
}: Pick<JobResult, "tokensIn" | "tokensOut" | "tokensCached">): Usage | null {
  if (tokensIn === null && tokensOut === null) return null;
  return { input: tokensIn ?? 0, output: tokensOut ?? 0, ...(tokensCached !== null && { cached: tokensCached }) };
}

const nothingExpected = (): null => null;

/** Tells whether an answer holds the expected text, or JSON; null where nothing is expected. No answer holds nothing. */
function expectedFinder(endpoint: EndpointName, expected: string | null): (answer: string | null) => boolean | null {
  if (expected === null || normalise(expected) === "") return nothingExpected;
  return (answer) => {
    if (answer === null) return false;
    const { last } = found;
    if (last.answer === answer && last.expected === expected && last.endpoint === endpoint) return last.is;
    const is = contains(answer, endpointOf(endpoint).expectedText(expected));
    found.last = { endpoint, expected, answer, is };
    return is;
  };
}

/** The sides of a case often say the same: what was found last need not be looked for again. */
const found = { last: { endpoint: "", expected: "", answer: "", is: false } };
