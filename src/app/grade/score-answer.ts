import type { EndpointName } from "../../api/endpoint-name.ts";
import { endOf } from "../../api/outcomes.ts";
import type { QuestionReply } from "../../store/scores/judges.ts";
import { storedOutput } from "../../api/stored-output.ts";
import { attemptMs } from "../../lib/duration.ts";
import { storedObject } from "../../lib/stored-json.ts";
import type { Answer, AnswerRecord, JudgeReply } from "../../score/contract/scorer.ts";
import { usageOf } from "../../compare/cases/case-side.ts";
import type { CaseResult, JobResult } from "../../store/results/case-result.ts";

/** True for a job that ended one way or another: a scorer may say something of it. */
export const isGraded = ({ outcome }: JobResult): boolean => outcome !== null && endOf(outcome).says;

/** A stored case as scorers see it. */
export function gradedCase(result: CaseResult): Answer["case"] {
  const { key, expected, cluster, turn, tags, columns, checks } = result;
  const input = storedObject(result.input, "an input");
  return { key, input, expected, cluster, turn, tags, columns, checks };
}

/** A stored job as scorers see it. */
export function storedAnswer(
  graded: Answer["case"],
  job: JobResult,
  { name, endpoint }: { name: string; endpoint: EndpointName },
): Answer {
  const { repeat, outcome, answer, error, attempts, sentAt, doneAt, firstAt, runId } = job;
  return {
    case: graded,
    target: name,
    endpoint,
    repeat,
    outcome: outcome ?? "unfinished",
    answer,
    record: job.body === null && runId === null ? null : answerRecordOf(endpoint, job),
    error,
    usage: usageOf(job),
    latencyMs: attemptMs(sentAt, doneAt),
    firstMs: attemptMs(sentAt, firstAt),
    attempts,
  };
}

/** A run as scorers see it: of a body that is not as the API says, the output is empty. */
export function answerRecordOf(
  endpoint: EndpointName,
  { runId, url, createdAt, body }: Pick<JobResult, "runId" | "url" | "createdAt" | "body">,
): AnswerRecord {
  return { id: runId, url, createdAt, output: storedOutput(endpoint, body) ?? {} };
}

/** The reply of a judge, as its scorer reads it. */
export function judgeReplyOf(asked: QuestionReply): JudgeReply {
  return { ...answerRecordOf(asked.endpoint, asked), endpoint: asked.endpoint };
}
