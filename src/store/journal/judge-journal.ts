import { triesSql } from "../outcome-lists.ts";
import type { Journal, PendingJob } from "../../runner/journal.ts";
import { wasRefused } from "./job-reader.ts";
import { createJournal } from "./journal.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** The runner's journal of a batch's questions to judges, about answers or to try them: other jobs, kept in the same way. */
export function createJudgeJournal(db: Connection, batchId: number, kind: "judge" | "probe" = "judge"): Journal {
  const page = sqlite(db).prepare<Record<string, number | string>, PendingJob & { wasRefused: 0 | 1 }>(`
    SELECT job.id, job.target_id AS targetId, job.case_id AS caseId, job.repeat, 1 AS turn, NULL AS waitsFor, question.body AS input,
      (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS attempts,
      (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id AND number > coalesce(job.corrected_after, 0)
        AND outcome IN (${triesSql})) AS failures,
      NULL AS firstTriedAt, ${wasRefused} AS wasRefused
    FROM job JOIN question ON question.id = job.question_id
    WHERE job.batch_id = @batchId AND job.kind = '${kind}' AND job.id > @after AND job.outcome IS NULL
      AND job.target_id IN (SELECT value FROM json_each(@targets))
    ORDER BY job.id LIMIT @limit`);
  return {
    ...createJournal(db, batchId),
    pending: (targetIds, after, limit) =>
      page
        .all({ batchId, after, limit, targets: JSON.stringify(targetIds) })
        .map(({ wasRefused: isLast, ...job }) => (isLast === 1 ? { ...job, goesLast: true } : job)),
    successor: () => null,
    history: () => [],
  };
}
