import { hashText } from "../../lib/hash.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { AttemptRow } from "../../store/results/attempt-pages.ts";
import type { JobScore } from "../../store/results/case-result.ts";
import { checksOfCase } from "../../store/results/columns.ts";
import { scoreEdits } from "../../store/scores/edits.ts";
import { jobScores, latestScoring } from "../../store/scores/scores.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import { runSpans } from "./run-spans.ts";

/** A score of an answer as other programs take it, with the request that brought the answer. */
export interface SentGrade extends Pick<JobScore, "value" | "pass" | "reason"> {
  /** The same for the same score of the same run, whenever it is made; hexadecimal. */
  id: string;
  metric: Metric;
  of: AttemptRow;
  /** Ids of the trace of the run, and of the span of the request. */
  traceId: string;
  spanId: string;
  /** When it was graded, in milliseconds since 1970. */
  at: number;
}

/**
 * Gives the grades of the runs of some requests, as reports count them: by the latest grading, and with people's scores in the
 * place of those that they edited. Scores that do not apply to a row are none. Null: the batch was not graded.
 */
export function gradesIn(
  db: Connection,
  batch: Pick<Batch, "id" | "name" | "createdAt" | "seed">,
): ((rows: readonly AttemptRow[]) => SentGrade[]) | null {
  const scoring = latestScoring(db, batch.id);
  if (scoring === null) return null;
  const edit = scoreEdits(db, { batchId: batch.id, scoringId: scoring.id });
  const at = scoring.finishedAt ?? scoring.createdAt;
  const gradesOf = (of: AttemptRow): SentGrade[] => {
    const job = { jobId: of.jobId, outcome: of.jobOutcome, scores: jobScores(db, scoring.id, of) };
    edit?.(job, checksOfCase(db, of.caseId));
    const { traceId, requestId } = runSpans(batch, of);
    const spanId = requestId(of.number);
    return job.scores.flatMap((score, place) => {
      const metric = scoring.scorers[place]?.metric;
      if (score === undefined || score.lack === "row" || metric === undefined) return [];
      const { value, pass, reason } = score;
      const id = hashText(`grade ${metric.name}\n${traceId}`, 32);
      return [{ id, metric, value, pass, reason, of, traceId, spanId, at }];
    });
  };
  return (rows) => {
    // The last request of a run is the one that was graded.
    const last = new Map(rows.filter(({ kind }) => kind === "case").map((row) => [row.jobId, row]));
    return [...last.values()].flatMap(gradesOf);
  };
}
