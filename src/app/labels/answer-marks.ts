import { endpointOf } from "../../api/endpoints.ts";
import { answerMark } from "../../lib/answer-mark.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { placeOfJob } from "../../store/compared/one-case.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { answerRecordOf } from "../grade/score-answer.ts";

/** Looks up the mark of the text that a job has as its answer now; null where it has none. */
export function answerMarks(db: Connection): (jobId: number) => string | null {
  const read = caseResultReader(db);
  const endpoints = new Map<number, ReadonlyMap<number, Parameters<typeof endpointOf>[0]>>();
  return (jobId) => {
    const place = placeOfJob(db, jobId);
    if (place === null) return null;
    const known =
      endpoints.get(place.batchId) ??
      new Map(batchTargets(db, place.batchId).map(({ id, endpoint }) => [id, endpoint] as const));
    endpoints.set(place.batchId, known);
    const job = read([place.caseId])[0]?.jobs.find((each) => each.jobId === jobId);
    const endpoint = job === undefined ? undefined : known.get(job.targetId);
    if (job === undefined || endpoint === undefined || job.outcome !== "ok") return null;
    const text = endpointOf(endpoint).textOf(answerRecordOf(endpoint, job).output);
    return text === null ? null : answerMark(text);
  };
}
