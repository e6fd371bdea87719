import type { JobOutcome } from "../../api/outcomes.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { Connection } from "../connection.ts";
import { selectRows } from "../sqlite.ts";

/** The record that a service made of a run, with the run that it was made for. */
export interface FoundRecord {
  /** Name of the batch. */
  batch: string;
  target: string;
  /** Key of the case. */
  case: string;
  repeat: number;
  /** `case`, or that of a question to a judge. */
  kind: string;
  outcome: JobOutcome | null;
  /** The run's id at the service. */
  id: string;
  url: string | null;
  /** As the service tells it. */
  createdAt: string | null;
  /** The reply as it came: JSON where it is some, else its text; null: only the id is known. */
  body: JsonValue;
}

/** The records with an id that a service gave, over all batches; empty: there is none. */
export function recordsWithId(db: Connection, id: string): FoundRecord[] {
  return selectRows<Omit<FoundRecord, "body"> & { body: string | Buffer | null }>(
    db,
    `SELECT batch.name AS batch, target.name AS target, "case".key AS "case", job.repeat, job.kind, job.outcome,
       run_record.id, run_record.url, run_record.created_at AS createdAt, coalesce(run_record.text, run_record.body) AS body
     FROM run_record
     CROSS JOIN attempt ON attempt.record = run_record.record
     JOIN job ON job.id = attempt.job_id
     JOIN batch ON batch.id = job.batch_id
     JOIN target ON target.id = job.target_id
     JOIN "case" ON "case".id = job.case_id
     WHERE run_record.id = ? ORDER BY run_record.record`,
    [id],
  ).map((row) => ({ ...row, body: row.body === null ? null : valueOf(row.body.toString()) }));
}

function valueOf(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
