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
  /** Name of the home that has taken over the schedule of its night, and has spent one since: nobody brings it. null: it is not so. */
  replacedBy: string | null;
  /** Nobody misses it: all of it is brought, or its home was replaced. */
  isFree: boolean;
}

/** Rows of a namespace and of what is older than so long. */
export interface PruneScope {
  namespace: string;
  ageMs: number;
}

/** Somebody who resumes the batch of a replaced home by hand gives signs of life; nothing of it is in flight then. */
const replacement = `SELECT coalesce(h.name, '?') FROM tandem.schedule s LEFT JOIN tandem.night_home h ON h.id = s.home
  WHERE s.id = b.schedule AND s.home <> b.home AND b.state NOT IN ('uploading', 'running')
    AND b.submitter_seen_at < tandem.now_ms() - 3600000
    AND EXISTS (SELECT FROM tandem.night n WHERE n.schedule = s.id AND n.home = s.home AND n.state = 'done')
    AND NOT EXISTS (SELECT FROM tandem.sending WHERE batch = b.no AND doubt_since IS NULL)`;

/** In these states nothing leaves, unless its submitter goes on. */
const isFree = `(EXISTS (${replacement}) OR b.state IN ('finished', 'stopped', 'enough')
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
       o.flying AS "inFlight", o.doubts AS "inDoubt", (${replacement}) AS "replacedBy", ${isFree} AS "isFree"
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

/** Nights that have ended or were missed and told of; the last due time of a schedule stays: what comes after it is due. */
const oldNights = `tandem.night n WHERE n.schedule IN (SELECT id FROM tandem.schedule WHERE namespace = $1)
  AND n.due_at <= tandem.now_ms() - $2::bigint AND (n.state = 'done' OR n.state IN ('missed', 'cut off') AND n.told)
  AND n.due_at < (SELECT coalesce(max(o.due_at) FILTER (WHERE NOT o.by_hand), max(o.due_at)) FROM tandem.night o
    WHERE o.schedule = n.schedule)`;

/** Workers without a sign of life for so long, of which nothing is in flight or in doubt. One that comes back enters itself again. */
const oldWorkers = `tandem.worker w WHERE seen_at < tandem.now_ms() - greatest($2::bigint, 86400000)
  AND NOT EXISTS (SELECT FROM tandem.sending WHERE worker = w.id)`;

interface OldRows {
  /** Nights of schedules; the last of each stays. */
  nights: number;
  /** Workers that have gone. */
  workers: number;
}

/** Counts old nights and workers. */
export function countOld(db: Postgres, scope: PruneScope): Promise<OldRows> {
  return rowsOf(db, `nights AS (SELECT FROM ${oldNights}), workers AS (SELECT FROM ${oldWorkers})`, scope);
}

/** Removes them, and homes of nights that have gone; returns their numbers. */
export async function removeOldRows(db: Postgres, scope: PruneScope): Promise<OldRows> {
  const gone = await rowsOf(
    db,
    `nights AS (DELETE FROM ${oldNights} RETURNING 1), workers AS (DELETE FROM ${oldWorkers} RETURNING 1)`,
    scope,
  );
  await db.query(
    `DELETE FROM tandem.night_home h WHERE seen_at < tandem.now_ms() - greatest($1::bigint, 86400000)
       AND NOT EXISTS (SELECT FROM tandem.schedule WHERE home = h.id) AND NOT EXISTS (SELECT FROM tandem.night WHERE home = h.id)`,
    [scope.ageMs],
  );
  return gone;
}

async function rowsOf(db: Postgres, parts: string, { namespace, ageMs }: PruneScope): Promise<OldRows> {
  const counts = "(SELECT count(*)::integer FROM nights) AS nights, (SELECT count(*)::integer FROM workers) AS workers";
  const [row] = await db.query<OldRows>(`WITH ${parts} SELECT ${counts}`, [namespace, ageMs]);
  return row ?? { nights: 0, workers: 0 };
}
