import type { Suite } from "../suite/suite.ts";
import { ofBatch } from "./batch-jobs.ts";
import type { Connection } from "./connection.ts";
import type { InDoubtPolicy } from "./journal/in-doubt.ts";
import { execute, selectRow, selectValue } from "./sqlite.ts";

/** The place of a batch that workers send. */
export interface AtWorkers {
  /** Its id there. */
  remote: string;
  /** The id of their database. */
  database: string;
  /** All that they had sent is here, and they send nothing more. */
  rests: boolean;
}

/** The place of a batch at the workers; null: it was never there. */
export function atWorkers(db: Connection, batchId: number): AtWorkers | null {
  const row = selectRow<Omit<AtWorkers, "rests"> & { restedAt: number | null }>(
    db,
    "SELECT remote, database, rested_at AS restedAt FROM at_workers WHERE batch_id = ?",
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

/** True where jobs of a batch are held. */
export const hasHeld = (db: Connection, batch: number): boolean =>
  selectValue(db, `SELECT 1 FROM job WHERE ${ofBatch()} AND outcome = 'held' LIMIT 1`, { batch }) !== undefined;

/** Notes that a batch is at the workers from now on: before anything of it goes there. */
export function noteAtWorkers(db: Connection, batchId: number, { remote, database }: Omit<AtWorkers, "rests">): void {
  execute(
    db,
    `INSERT INTO at_workers (batch_id, remote, database, since) VALUES (?, ?, ?, ?)
     ON CONFLICT (batch_id) DO UPDATE SET remote = excluded.remote, database = excluded.database, rested_at = NULL`,
    [batchId, remote, database, Date.now()],
  );
}

/** Notes that they may be sending, or that all they sent is here. */
export function noteRests(db: Connection, batchId: number, rests: boolean): void {
  execute(db, "UPDATE at_workers SET rested_at = ? WHERE batch_id = ?", [rests ? Date.now() : null, batchId]);
}
