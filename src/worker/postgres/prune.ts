import type { Postgres } from "./connection.ts";

/** A batch that began long ago, with what somebody may still want of it. */
export interface OldBatch {
  no: number;
  name: string;
  createdAt: number;
  state: string;
  jobs: number;
  done: number;
  /** Attempts and endings that no submitter has brought. */
  unpulled: number;
  inFlight: number;
  inDoubt: number;
  /** Nobody misses it: all of it is brought. */
  isFree: boolean;
}

/** Rows of a namespace and of what is older than so long. */
export interface PruneScope {
  namespace: string;
  ageMs: number;
}

/** In these states nothing leaves, unless its submitter goes on. */
const isFree = `(b.state IN ('finished', 'stopped', 'enough')
  AND NOT EXISTS (SELECT FROM tandem.unpulled WHERE batch = b.no)
  AND NOT EXISTS (SELECT FROM tandem.skipped WHERE batch = b.no AND NOT pulled)
  AND NOT EXISTS (SELECT FROM tandem.sending WHERE batch = b.no))`;

/** Batches of a namespace that began longer ago, the oldest first. */
export async function oldBatches(db: Postgres, { namespace, ageMs }: PruneScope): Promise<OldBatch[]> {
  return db.query(
    `SELECT no, name, created_at AS "createdAt", state,
       (SELECT coalesce(sum(jobs), 0)::integer FROM tandem.slice WHERE batch = no) AS jobs,
       (SELECT coalesce(sum(done), 0)::integer FROM tandem.slice WHERE batch = no) AS done,
       (SELECT count(*)::integer FROM tandem.unpulled WHERE batch = no)
         + (SELECT count(*)::integer FROM tandem.skipped WHERE batch = no AND NOT pulled) AS unpulled,
       o.flying AS "inFlight", o.doubts AS "inDoubt", ${isFree} AS "isFree"
     FROM tandem.batch b, LATERAL (
       SELECT count(*) FILTER (WHERE doubt_since IS NULL)::integer AS flying, count(doubt_since)::integer AS doubts
       FROM tandem.sending WHERE batch = b.no) AS o
     WHERE namespace = $1 AND created_at <= tandem.now_ms() - $2::bigint ORDER BY created_at, no`,
    [namespace, ageMs],
  );
}

/** Takes a batch away that is still free when nobody can enter anything of it any more. False: it stays. */
export async function removeFree(db: Postgres, batch: number): Promise<boolean> {
  return db.transaction(async (within) => {
    // Before the row, as everybody does.
    await within.query("SELECT pg_advisory_xact_lock(746320, $1)", [batch]);
    const gone = await within.query(`DELETE FROM tandem.batch b WHERE no = $1 AND ${isFree} RETURNING no`, [batch]);
    return gone.length > 0;
  });
}

/** Workers without a sign of life for so long, of which nothing is in flight or in doubt. One that comes back enters itself again. */
const oldWorkers = `tandem.worker w WHERE seen_at < tandem.now_ms() - greatest($1::bigint, 86400000)
  AND NOT EXISTS (SELECT FROM tandem.sending WHERE worker = w.id)`;

/** Counts workers that have gone for so long. */
export const countOldWorkers = (db: Postgres, ageMs: number): Promise<number> =>
  countOf(db, `SELECT FROM ${oldWorkers}`, ageMs);

/** Removes them; returns their number. */
export const removeOldWorkers = (db: Postgres, ageMs: number): Promise<number> =>
  countOf(db, `DELETE FROM ${oldWorkers} RETURNING 1`, ageMs);

async function countOf(db: Postgres, workers: string, ageMs: number): Promise<number> {
  const [row] = await db.query<{ workers: number }>(
    `WITH workers AS (${workers}) SELECT count(*)::integer AS workers FROM workers`,
    [ageMs],
  );
  return row?.workers ?? 0;
}
