import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import type { ComparedMetric, ComparedTarget, MarginGate } from "../../src/compare/comparison-plan.ts";
import type { JsonValue } from "../../src/lib/json.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { Metric } from "../../src/score/contract/scorer.ts";
import type { JobScore, JobResult } from "../../src/store/results/case-result.ts";

export const prod = aTarget(1, "prod");
export const candidate = aTarget(2, "test");

/** A target of one batch. */
export function aTarget(id: number, target: string, given: Partial<ComparedTarget> = {}): ComparedTarget {
  return {
    target,
    targetIds: [id],
    batchIds: [1],
    endpoint: "video-bots",
    stopped: null,
    repeats: 1,
    price: null,
    answersOnly: false,
    ...given,
  };
}

/** prod against test, by no metric. */
export const settings: ComparisonSettings = {
  sides: [prod, candidate],
  pairs: [{ baseline: 0, candidate: 1 }],
  metrics: [],
  ignore: [],
  alpha: 0.05,
  nights: 1,
  maxErrorShare: 0.05,
  seed: "1",
  notCompared: [],
  clustered: false,
  clusterColumn: null,
  fixedBaseline: false,
  selected: false,
  undecided: [],
  stop: null,
  chosen: null,
};

/** A scorer of pass or fail, the first of its scoring, with a gate of 5 points. */
export function passing(given: Partial<Metric> = {}): ComparedMetric {
  const metric: Metric = {
    name: "correct",
    type: "contains",
    primary: true,
    scale: { kind: "pass" },
    lowerIsBetter: false,
    passes: true,
    weight: 1,
    against: null,
    ...given,
  };
  const places = new Map(Array.from({ length: 20 }, (_, i) => [i + 1, 0] as const));
  return { metric, of: metric.passes ? "pass" : "value", places, gates: accepting(0.05) };
}

/** A gate that accepts this loss over all cases. */
export function accepting(margin: number | null): MarginGate[] {
  return [{ kind: "margin", margin, by: null }];
}

/** A score of pass or fail. */
export function scored(pass: boolean): { scores: JobScore[] } {
  return { scores: [{ value: pass ? 1 : 0, pass, reason: null }] };
}

/** A case as the store gives it. */
export function aCase(key: string, jobs: JobResult[], given: Partial<PairedResult> = {}): PairedResult {
  return {
    caseId: 1,
    key,
    inputHash: "0".repeat(32),
    input: "{}",
    expected: null,
    cluster: key,
    turn: 1,
    tags: {},
    checks: null,
    row: 2,
    columns: { question: `question of ${key}` },
    jobs,
    ...given,
  };
}

/** So many cases, `k0` and on, each with its jobs. */
export function someCases(count: number, jobsOf: (place: number) => JobResult[]): PairedResult[] {
  return Array.from({ length: count }, (_, place) => aCase(`k${place}`, jobsOf(place)));
}

/** A job that is not finished. */
export function unfinished({ targetIds: [targetId = 0] }: ComparedTarget, given: Partial<JobResult> = {}): JobResult {
  return {
    jobId: targetId,
    targetId,
    repeat: 1,
    outcome: null,
    answer: null,
    error: null,
    status: null,
    attempts: 0,
    possiblyPaid: false,
    firstAt: null,
    tokensIn: null,
    tokensOut: null,
    tokensCached: null,
    sentAt: null,
    doneAt: null,
    runId: null,
    url: null,
    createdAt: null,
    body: null,
    scores: [],
    ...given,
  };
}

let runs = 0;

/** A job with the record of a run of its own. */
export function answered(
  target: ComparedTarget,
  output: Record<string, JsonValue>,
  given: Partial<JobResult> = {},
): JobResult {
  const id = `run${target.targetIds[0]}-${(runs += 1)}`;
  const url = `https://bots.example.test/agent/?run_id=${id}&uid=u1`;
  const createdAt = "2026-08-21T05:15:09.440001+00:00";
  return unfinished(target, {
    outcome: "ok",
    answer: "answered",
    status: 200,
    attempts: 1,
    firstAt: null,
    tokensIn: null,
    tokensOut: null,
    tokensCached: null,
    sentAt: 1_000,
    doneAt: 1_120,
    runId: id,
    url,
    createdAt,
    body: JSON.stringify({ id, url, created_at: createdAt, output }),
    ...given,
  });
}

/** A bot's job with one reply. */
export function says(target: ComparedTarget, text: string, given: Partial<JobResult> = {}): JobResult {
  return answered(target, { output_text: [text], finish_reason: ["stop"] }, given);
}

/** A job whose run failed. */
export function failed(target: ComparedTarget, error: string, given: Partial<JobResult> = {}): JobResult {
  return unfinished(target, {
    outcome: "run-failed",
    error,
    status: 500,
    attempts: 3,
    possiblyPaid: true,
    firstAt: null,
    tokensIn: null,
    tokensOut: null,
    tokensCached: null,
    sentAt: 1_000,
    doneAt: 1_050,
    runId: "bad",
    url: "https://bots.example.test/agent/?run_id=bad&uid=u1",
    body: JSON.stringify({ detail: { id: "bad", error } }),
    ...given,
  });
}
