import type { Endpoint } from "../api.ts";
import { canonicalJson } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { CaseResult, JobResult } from "../store/results.ts";
import { chrf2 } from "../text/chrf.ts";
import { cleanAnswer } from "../text/clean.ts";
import { contains } from "../text/contains.ts";
import { normalise } from "../text/normalise.ts";
import { answerOf, outputOf } from "./answer.ts";
import { memberDifferences } from "./members.ts";
import type { MemberDifference } from "./members.ts";

/** A target whose results are compared. */
export interface ComparedTarget {
  targetId: number;
  target: string;
  endpoint: Endpoint;
}

/** What one target made of a case in its first repeat. */
export interface Side {
  target: string;
  outcome: SideOutcome;
  /** What it said; null when it said nothing. */
  answer: string | null;
  /** The answer holds the expected text; null where nothing is expected or the job is not finished. */
  expectedFound: boolean | null;
  /** From the first byte sent to the last received, of the attempt that decided it. */
  latencyMs: number | null;
  runId: string | null;
  url: string | null;
  sentAt: number | null;
  error: string | null;
}

/**
 * For a run record the kind of its answer (`answered`, `empty` ...), else the outcome of the job; `unfinished` for a
 * job without one, `missing` where no job was planned.
 */
export type SideOutcome = string;

/** A candidate against the baseline, for one case. */
export interface Difference {
  candidate: string;
  /** Null unless both sides have a run record. */
  answerDiffers: boolean | null;
  /** 1 - chrF2/100 of the cleaned answers; null when a side has none. */
  distance: number | null;
  /** Null unless both sides have a run record. */
  members: MemberDifference[] | null;
  /** Null when a side is not finished. */
  outcomeDiffers: boolean | null;
  /** Milliseconds between the sending of the two; null when one was not sent. */
  gapMs: number | null;
}

/** One case: what each target made of it, in the order of the targets, and how the candidates differ. */
export interface CaseComparison {
  key: string;
  expected: string | null;
  columns: Record<string, string>;
  sides: Side[];
  differences: Difference[];
}

/** Who is compared: all targets in the order of the suite, and which of them play a part. */
export interface Lineup {
  targets: readonly ComparedTarget[];
  /** Null when nothing is compared: there is one target, or the suite says so. */
  baseline: ComparedTarget | null;
  candidates: readonly ComparedTarget[];
}

/** Compares the first repeats of a case. All targets saw the same input: it is one row of the dataset. */
export function compareCase(result: CaseResult, { targets, baseline, candidates }: Lineup): CaseComparison {
  const read = new Map(targets.map((target) => [target.targetId, readSide(result, target)]));
  const base = baseline === null ? undefined : read.get(baseline.targetId);
  const differences = candidates.flatMap((candidate) => {
    const other = read.get(candidate.targetId);
    return base === undefined || other === undefined ? [] : [difference(base, other)];
  });
  const sides = Array.from(read.values(), ({ side }) => side);
  return { key: result.key, expected: result.expected, columns: result.columns, sides, differences };
}

interface ReadSide {
  side: Side;
  endpoint: Endpoint;
  /** Null without a run record. */
  output: JsonObject | null;
}

function readSide(result: CaseResult, { targetId, target, endpoint }: ComparedTarget): ReadSide {
  const job = firstRepeat(result.jobs, targetId);
  if (job === undefined) return { side: missingSide(target), endpoint, output: null };
  const output = job.outcome === "ok" ? outputOf(job.body) : null;
  const answer = output === null ? null : answerOf(endpoint, output);
  const side: Side = {
    target,
    outcome: sideOutcome(job),
    answer,
    expectedFound: job.outcome === null ? null : expectedFound(endpoint, result.expected, answer),
    latencyMs: latencyOf(job),
    runId: job.runId,
    url: job.url,
    sentAt: job.sentAt,
    error: job.error,
  };
  return { side, endpoint, output };
}

function missingSide(target: string): Side {
  return {
    target,
    outcome: "missing",
    answer: null,
    expectedFound: null,
    latencyMs: null,
    runId: null,
    url: null,
    sentAt: null,
    error: null,
  };
}

function firstRepeat(jobs: readonly JobResult[], targetId: number): JobResult | undefined {
  let first: JobResult | undefined;
  for (const job of jobs) {
    if (job.targetId === targetId && (first === undefined || job.repeat < first.repeat)) first = job;
  }
  return first;
}

/** What became of a job, in one word. */
export function sideOutcome({ outcome, answer }: Pick<JobResult, "outcome" | "answer">): SideOutcome {
  if (outcome === null) return "unfinished";
  return outcome === "ok" ? (answer ?? "ok") : outcome;
}

/** Milliseconds that the deciding attempt of a finished job took; null when it did not get that far. */
export function latencyOf({
  outcome,
  sentAt,
  doneAt,
}: Pick<JobResult, "outcome" | "sentAt" | "doneAt">): number | null {
  return outcome === null || sentAt === null || doneAt === null ? null : Math.max(0, doneAt - sentAt);
}

/** Whether an answer holds the expected text, or JSON; null where nothing is expected. No answer holds nothing. */
export function expectedFound(endpoint: Endpoint, expected: string | null, answer: string | null): boolean | null {
  if (expected === null || normalise(expected) === "") return null;
  if (answer === null) return false;
  return contains(answer, endpoint === "functions" ? asReturned(expected) : expected);
}

/** Expected JSON in the spelling in which return values are compared; any other text as it is. */
function asReturned(expected: string): string {
  if (!/^\s*[{[]/.test(expected)) return expected;
  try {
    const value: JsonValue = JSON.parse(expected);
    return canonicalJson(value);
  } catch {
    return expected;
  }
}

function difference(base: ReadSide, other: ReadSide): Difference {
  const { side: from } = base;
  const { side: to } = other;
  const finished = isFinished(from) && isFinished(to);
  return {
    candidate: to.target,
    ...answerDifference(base, other),
    members: base.output === null || other.output === null ? null : memberDifferences(base.output, other.output),
    outcomeDiffers: finished ? from.outcome !== to.outcome : null,
    gapMs: from.sentAt === null || to.sentAt === null ? null : Math.abs(to.sentAt - from.sentAt),
  };
}

function isFinished({ outcome }: Side): boolean {
  return outcome !== "unfinished" && outcome !== "missing";
}

function answerDifference(base: ReadSide, other: ReadSide): Pick<Difference, "answerDiffers" | "distance"> {
  if (base.output === null || other.output === null) return { answerDiffers: null, distance: null };
  const from = base.side.answer;
  const to = other.side.answer;
  if (from === null || to === null) return { answerDiffers: from !== to, distance: null };
  if (from === to) return { answerDiffers: false, distance: 0 };
  const [left, right] = [comparable(base.endpoint, from), comparable(other.endpoint, to)];
  return { answerDiffers: left !== right, distance: 1 - chrf2(right, left) / 100 };
}

/** Marks such as `[1]` are post-processing in a bot's answer, but a value in what a function returns. */
function comparable(endpoint: Endpoint, answer: string): string {
  return endpoint === "functions" ? normalise(answer) : cleanAnswer(answer);
}
