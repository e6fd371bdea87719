import type { Suite } from "../suite/suite.ts";
import { ofBatch } from "./batch-jobs.ts";
import type { Connection } from "./connection.ts";
import type { InDoubtPolicy } from "./journal/in-doubt.ts";
import { execute, selectRow, selectValue, selectValues } from "./sqlite.ts";

/** The place of a batch that workers send. */
export interface AtWorkers {
  /** Its id there. */
  remote: string;
  namespace: string;
  /** Its name there. */
  name: string;
  /** Jobs of the plan when it went there. */
  planned: number;
  /** All that they had sent is here, and they send nothing more. */
  rests: boolean;
}

/** The place of a batch at the workers; null: it was never there. */
export function atWorkers(db: Connection, batchId: number): AtWorkers | null {
  const row = selectRow<Omit<AtWorkers, "rests"> & { restedAt: number | null }>(
    db,
    "SELECT remote, namespace, name, planned, rested_at AS restedAt FROM at_workers WHERE batch_id = ?",
    [batchId],
  );
  if (row === undefined) return null;
  const { restedAt, ...place } = row;
  return { ...place, rests: restedAt !== null };
}

/** The parts of a suite that say what becomes of requests in doubt. */
type DoubtSettings = Pick<Suite, "onInDoubt" | "onInDoubtOverWorkers">;

/** The policy over workers where no command names one: nobody sees what has become of a worker, so the suite has to say it in so many words. */
export const doubtPolicyOverWorkers = ({ onInDoubtOverWorkers = "hold" }: DoubtSettings): InDoubtPolicy =>
  onInDoubtOverWorkers;

/** The policy for requests in doubt of a batch where no command names one. */
export function defaultDoubtPolicy(db: Connection, batchId: number, suite: DoubtSettings): InDoubtPolicy {
  return atWorkers(db, batchId) === null ? suite.onInDoubt : doubtPolicyOverWorkers(suite);
}

/** Targets with jobs that are held. */
export function heldTargets(db: Connection, batchId: number): Set<number> {
  return new Set(
    selectValues<number>(db, `SELECT DISTINCT target_id FROM job WHERE ${ofBatch()} AND outcome = 'held'`, {
      batch: batchId,
    }),
  );
}

/** Notes that a batch is at the workers from now on: before anything of it goes there. */
export function noteAtWorkers(db: Connection, batchId: number, place: Omit<AtWorkers, "rests">): void {
  const { remote, namespace, name, planned } = place;
  execute(
    db,
    `INSERT INTO at_workers (batch_id, remote, namespace, name, planned, since) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (batch_id) DO UPDATE SET remote = excluded.remote, namespace = excluded.namespace, name = excluded.name,
       planned = excluded.planned, rested_at = NULL`,
    [batchId, remote, namespace, name, planned, Date.now()],
  );
}

/** Notes that they may be sending, or that all they sent is here. */
export function noteRests(db: Connection, batchId: number, rests: boolean): void {
  execute(db, "UPDATE at_workers SET rested_at = ? WHERE batch_id = ?", [rests ? Date.now() : null, batchId]);
}

/** The place of a batch's first job, and the number of the jobs of its plan; 0 where their ids do not follow each other. */
export function planOf(db: Connection, batchId: number): { firstJob: number; planned: number } {
  const plan = selectRow<{ firstJob: number; planned: number }>(
    db,
    `SELECT coalesce(first_job, 1) AS firstJob, coalesce(
       (SELECT planned FROM second_look WHERE second_look.batch_id = batch.id), last_job - first_job + 1, 0) AS planned
     FROM batch WHERE id = ?`,
    [batchId],
  );
  const { firstJob, planned } = plan ?? { firstJob: 1, planned: 0 };
  const count = selectValue<number>(db, "SELECT count(*) FROM job WHERE id BETWEEN ? AND ? AND batch_id = ?", [
    firstJob,
    firstJob + planned - 1,
    batchId,
  ]);
  return { firstJob, planned: count === planned ? planned : 0 };
}
