import type { JobOutcome } from "../../api/outcomes.ts";
import type { BudgetLimits } from "../../runner/budget.ts";
import type { Postgres } from "./connection.ts";
import { numberList } from "./number-list.ts";
import { storable } from "./text.ts";

/** A submitter without a sign of life for so long has gone. */
export const submitterGoneMs = 20_000;

/** Makes a submitter the one of a batch, unless another gives signs of life: then who that is. */
export async function claimBatch(
  db: Postgres,
  batch: number,
  submitter: string,
): Promise<{ submitter: string; silentMs: number } | null> {
  const claimed = await db.query(
    `UPDATE tandem.batch SET submitter = $2, submitter_seen_at = tandem.now_ms()
     WHERE no = $1 AND (submitter = $2 OR submitter_seen_at < tandem.now_ms() - $3) RETURNING no`,
    [batch, storable(submitter), submitterGoneMs],
  );
  if (claimed.length > 0) return null;
  const [other] = await db.query<{ submitter: string; silentMs: number }>(
    `SELECT submitter, tandem.now_ms() - submitter_seen_at AS "silentMs" FROM tandem.batch WHERE no = $1`,
    [batch],
  );
  return other ?? null;
}

/** True where a batch with this id is there. */
export async function isBatchThere(db: Postgres, id: string): Promise<boolean> {
  const rows = await db.query("SELECT 1 FROM tandem.batch WHERE id = $1", [id]);
  return rows.length > 0;
}

/** The submitter goes: the next one need not wait. */
export async function releaseBatch(db: Postgres, batch: number, submitter: string): Promise<void> {
  await db.query("UPDATE tandem.batch SET submitter_seen_at = 0 WHERE no = $1 AND submitter = $2", [
    batch,
    storable(submitter),
  ]);
}

/** Settings that a command asks for a batch, new or not. */
export interface AskedOfBatch {
  /** The suite as JSON text: its limits may be others by now. */
  suite: string;
  /** Version of tandem. */
  version: string;
  budget: BudgetLimits;
  onAmbiguous: "retry" | "fail";
  inDoubt: "hold" | "resend" | "fail";
}

/** Gives a batch what a command asks of it, and counts its spending anew. */
export async function renewBatch(db: Postgres, batch: number, asked: AskedOfBatch): Promise<void> {
  const { requests, failures, cost, durationMs } = asked.budget;
  await db.transaction(async (within) => {
    // Locks in the order of those who ask for leave: the batch as a whole, what it has spent, its row.
    await within.query("SELECT pg_advisory_xact_lock(746320, $1)", [batch]);
    await within.query(
      "UPDATE tandem.spending SET requests = 0, failures = 0, cost = 0, cost_unknown = false WHERE batch = $1",
      [batch],
    );
    await within.query(
      `UPDATE tandem.batch SET suite = $2, on_ambiguous = $3, in_doubt = $4, most_requests = $5, most_failures = $6, most_cost = $7,
         most_duration_ms = $8, version = $9, ends_at = NULL WHERE no = $1`,
      [
        batch,
        storable(asked.suite),
        asked.onAmbiguous,
        asked.inDoubt,
        requests,
        failures,
        cost,
        durationMs,
        storable(asked.version),
      ],
    );
    await within.query("UPDATE tandem.target SET stopped = NULL WHERE batch = $1 AND stopped IS NOT NULL", [batch]);
  });
}

/** A job as it stands there. */
export interface JobThere {
  id: number;
  /** null: not over. */
  outcome: JobOutcome | null;
  /** It is in a chunk that a worker has, or will have. */
  isCarried: boolean;
  /** An attempt is in flight, at the service or in doubt. */
  isOut: boolean;
}

/** Which of these jobs are there. */
export async function jobsThere(db: Postgres, batch: number, ids: readonly number[]): Promise<JobThere[]> {
  return db.query(
    `SELECT j.id, j.outcome, s.state = 'open' AS "isCarried", o.job IS NOT NULL AS "isOut"
     FROM tandem.job j JOIN tandem.slice s ON s.batch = j.batch AND s.id = j.slice
     LEFT JOIN tandem.sending o ON o.batch = j.batch AND o.job = j.id
     WHERE j.batch = $1 AND j.id = ANY ($2::bigint[])`,
    [batch, numberList(ids)],
  );
}

/** Takes jobs away that are to come again in another chunk, and out of the count of their old one; attempts stay. */
export async function dropJobs(db: Postgres, batch: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction(async (within) => {
    // Who asks for leave for one of them has got it by now, or finds it gone.
    await within.query("SELECT pg_advisory_xact_lock(746320, $1)", [batch]);
    await within.query(dropSql, [batch, numberList(ids)]);
  });
}

const dropSql = `WITH gone AS (
       DELETE FROM tandem.job j WHERE j.batch = $1 AND j.id = ANY ($2::bigint[])
         AND NOT EXISTS (SELECT FROM tandem.sending s WHERE s.batch = $1 AND s.job = j.id) RETURNING j.slice, j.outcome
     ), counted AS (SELECT slice, count(*) AS jobs, count(outcome) AS done FROM gone GROUP BY slice)
     UPDATE tandem.slice s SET jobs = greatest(0, s.jobs - c.jobs), done = greatest(0, s.done - c.done)
     FROM counted c WHERE s.batch = $1 AND s.id = c.slice`;

export interface OpenChunk {
  id: number;
  deployment: string;
  service: number;
}

export async function openChunks(db: Postgres, batch: number): Promise<OpenChunk[]> {
  return db.query("SELECT id, deployment, service FROM tandem.slice WHERE batch = $1 AND state = 'open' ORDER BY id", [
    batch,
  ]);
}

/** The number of the latest chunk; 0: there is none. */
export async function latestChunk(db: Postgres, batch: number): Promise<number> {
  const [row] = await db.query<{ latest: number }>(
    "SELECT coalesce(max(id), 0) AS latest FROM tandem.slice WHERE batch = $1",
    [batch],
  );
  return row?.latest ?? 0;
}

/** Ends all chunks: nothing more of a batch is fetched, whatever its state becomes. */
export async function closeChunks(db: Postgres, batch: number): Promise<void> {
  await db.query("UPDATE tandem.slice SET state = 'done' WHERE batch = $1 AND state = 'open'", [batch]);
}

/** Opens chunks again of which a service has taken runs that have not ended: a worker asks for them. */
export async function reopenChunks(db: Postgres, batch: number): Promise<void> {
  await db.query(
    `UPDATE tandem.slice c SET state = 'open' WHERE c.batch = $1 AND c.state = 'done' AND c.id IN (
       SELECT j.slice FROM tandem.sending s JOIN tandem.job j ON j.batch = s.batch AND j.id = s.job
       WHERE s.batch = $1 AND s.run_id IS NOT NULL AND s.doubt_since IS NULL)`,
    [batch],
  );
}

/** Everything is to be pulled once more: another machine submits now, and has nothing. */
export async function pullAgain(db: Postgres, batch: number): Promise<void> {
  await db.query(
    `INSERT INTO tandem.unpulled (batch, job, number, bytes)
     SELECT batch, job, number, coalesce(octet_length(body), 0) + coalesce(length(entry), 0) FROM tandem.attempt WHERE batch = $1
     ON CONFLICT DO NOTHING`,
    [batch],
  );
  await db.query("UPDATE tandem.skipped SET pulled = false WHERE batch = $1", [batch]);
}

/** Takes the file of a planned batch away, of which perhaps only a part is there. */
export async function dropFile(db: Postgres, batch: number): Promise<void> {
  await db.transaction(async (within) => {
    await within.query("UPDATE tandem.batch SET planned = NULL WHERE no = $1", [batch]);
    await within.query("DELETE FROM tandem.batch_file WHERE batch = $1", [batch]);
  });
}

/** Brings a target to what the suite says of it now. */
export async function renewTarget(
  db: Postgres,
  batch: number,
  { id, service, data }: { id: number; service: number; data: string },
): Promise<void> {
  await db.query(
    `UPDATE tandem.target SET service = $3, data = $4 WHERE batch = $1 AND id = $2 AND (service, data) IS DISTINCT FROM ($3, $4)`,
    [batch, id, service, storable(data)],
  );
}
