import type { AttemptOutcome, JobOutcome } from "../../api/outcomes.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { ofJudges, ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** One request with the run that it was made for. Times are milliseconds since 1970. */
export interface AttemptRow {
  jobId: number;
  caseId: number;
  /** Key of the case. */
  key: string;
  target: string;
  deployment: string;
  baseUrl: string;
  endpoint: EndpointName;
  /** The configuration or the model that was asked. */
  exampleId: string;
  repeat: number;
  /** `case`, or that of a question to a judge. */
  kind: string;
  /** Outcome of the run; null: it is not finished. */
  jobOutcome: JobOutcome | null;
  number: number;
  outcome: AttemptOutcome;
  /** Kind of the answer; null: there is none. */
  answer: string | null;
  status: number | null;
  error: string | null;
  possiblyPaid: 0 | 1;
  queuedAt: number;
  sentAt: number | null;
  firstByteAt: number | null;
  doneAt: number | null;
  tokensIn: number | null;
  tokensOut: number | null;
  runId: string | null;
  url: string | null;
}

/** Jobs that are read at a time. */
const pageJobs = 200;

/** The requests of a batch page by page, those of a run together; `since`: only those that were queued at or after this moment. */
export function* attemptPages(db: Connection, batchId: number, since: number): Generator<AttemptRow[]> {
  // Two lists, each in the order of its ids: SQLite reads no more of them than the page takes.
  const page = `SELECT id FROM (
      SELECT job.id FROM job WHERE ${ofPlan()} AND job.kind = 'case' AND job.id > @after
      UNION ALL SELECT job.id FROM job WHERE ${ofJudges()} AND job.id > @after)
    ORDER BY id LIMIT ${pageJobs}`;
  const read = sqlite(db).prepare<{ batch: number; after: number; since: number }, AttemptRow>(
    `SELECT job.id AS jobId, job.case_id AS caseId, "case".key, target.name AS target, target.deployment, target.base_url AS baseUrl,
       target.endpoint, target.example_id AS exampleId, job.repeat, job.kind, job.outcome AS jobOutcome,
       attempt.number, attempt.outcome, attempt.answer, attempt.status, attempt.error,
       attempt.possibly_paid AS possiblyPaid, attempt.queued_at AS queuedAt, attempt.sent_at AS sentAt,
       attempt.first_byte_at AS firstByteAt, attempt.done_at AS doneAt, attempt.tokens_in AS tokensIn,
       attempt.tokens_out AS tokensOut, run_record.id AS runId, run_record.url
     FROM (${page}) AS page
     CROSS JOIN job ON job.id = page.id
     CROSS JOIN target ON target.id = job.target_id
     CROSS JOIN "case" ON "case".id = job.case_id
     CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.number > 0 AND attempt.queued_at >= @since
     LEFT JOIN run_record ON run_record.record = attempt.record
     ORDER BY job.id, attempt.number`,
  );
  const last = sqlite(db)
    .prepare<{ batch: number; after: number }, number | null>(`SELECT max(id) FROM (${page})`)
    .pluck();
  for (let after: number | null | undefined = 0; ;) {
    const end: number | null | undefined = last.get({ batch: batchId, after });
    if (end === null || end === undefined) return;
    const rows = read.all({ batch: batchId, after, since });
    if (rows.length > 0) yield rows;
    after = end;
  }
}
