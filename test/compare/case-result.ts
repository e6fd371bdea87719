import type { ComparedTarget } from "../../src/compare/case-comparison.ts";
import type { JsonValue } from "../../src/lib/json.ts";
import type { CaseResult, JobResult } from "../../src/store/results.ts";

export const prod: ComparedTarget = { targetId: 1, target: "prod", endpoint: "video-bots" };
export const candidate: ComparedTarget = { targetId: 2, target: "test", endpoint: "video-bots" };

/** A case as the store gives it. */
export function aCase(key: string, jobs: JobResult[], given: Partial<CaseResult> = {}): CaseResult {
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
    columns: { question: `question of ${key}` },
    jobs,
    ...given,
  };
}

/** A job that is not finished. */
export function unfinished({ targetId }: ComparedTarget, given: Partial<JobResult> = {}): JobResult {
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
    sentAt: null,
    doneAt: null,
    runId: null,
    url: null,
    createdAt: null,
    body: null,
    ...given,
  };
}

/** A job with a run record. */
export function answered(
  target: ComparedTarget,
  output: Record<string, JsonValue>,
  given: Partial<JobResult> = {},
): JobResult {
  const id = `run${target.targetId}`;
  const url = `https://bots.example.test/agent/?run_id=${id}&uid=u1`;
  const createdAt = "2026-08-21T05:15:09.440001+00:00";
  return unfinished(target, {
    outcome: "ok",
    answer: "answered",
    status: 200,
    attempts: 1,
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
    sentAt: 1_000,
    doneAt: 1_050,
    runId: "bad",
    url: "https://bots.example.test/agent/?run_id=bad&uid=u1",
    body: JSON.stringify({ detail: { id: "bad", error } }),
    ...given,
  });
}
