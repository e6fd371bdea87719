import type { AttemptOutcome } from "../../api/outcomes.ts";
import type { Postgres } from "./connection.ts";
import { attemptLists } from "./take.ts";

/** An attempt that the submitter does not have yet. */
export interface PulledAttempt {
  job: number;
  number: number;
  /** Null: entered because its worker died. */
  worker: string | null;
  /** Kind of the outcome; `in-doubt`: nobody knows, and the policy has decided. */
  kind: AttemptOutcome;
  final: boolean;
  /** The settlement as JSON text without the body; null when it is in doubt. */
  entry: string | null;
  body: Buffer | null;
}

/** Bytes of a page, beyond its first attempt. */
const pageBytes = 16 * 1024 * 1024;

/** A page of attempts that are not pulled yet, by job and number, behind `after`. Until they are marked they come again. */
export async function pullAttempts(
  db: Postgres,
  batch: number,
  { limit, after = { job: 0, number: 0 } }: { limit: number; after?: { job: number; number: number } },
): Promise<PulledAttempt[]> {
  return db.query<PulledAttempt>(
    `SELECT a.job, a.number, a.worker, a.kind, a.final, a.entry, a.body
     FROM (SELECT batch, job, number, sum(bytes) OVER (ORDER BY job, number) - bytes AS before
       FROM (SELECT batch, job, number, bytes FROM tandem.unpulled WHERE batch = $1 AND (job, number) > ($4, $5)
         ORDER BY job, number LIMIT $2) AS page) AS page
     JOIN tandem.attempt a ON a.batch = page.batch AND a.job = page.job AND a.number = page.number
     WHERE page.before < $3 ORDER BY a.job, a.number`,
    [batch, limit, pageBytes, after.job, after.number],
  );
}

/** Marks attempts as pulled: the submitter has committed them. */
export async function markPulled(
  db: Postgres,
  batch: number,
  attempts: readonly { job: number; number: number }[],
): Promise<void> {
  await db.query(
    `DELETE FROM tandem.unpulled u USING unnest($2::bigint[], $3::integer[]) AS pulled (job, number)
     WHERE u.batch = $1 AND u.job = pulled.job AND u.number = pulled.number`,
    [batch, ...attemptLists(attempts)],
  );
}

/** Jobs that were ended without being sent, each the first of those that wait for it. */
export async function pullSkipped(db: Postgres, batch: number): Promise<{ job: number; reason: string }[]> {
  return db.query("SELECT job, reason FROM tandem.skipped WHERE batch = $1 AND NOT pulled ORDER BY job", [batch]);
}

export async function markSkippedPulled(db: Postgres, batch: number, jobs: readonly number[]): Promise<void> {
  await db.query("UPDATE tandem.skipped SET pulled = true WHERE batch = $1 AND job = ANY ($2)", [batch, jobs]);
}

/** A request of which nobody knows what became of it: its worker died. */
export interface RemoteDoubt {
  job: number;
  number: number;
  worker: string;
  /** Name of the worker, and its host. */
  workerName: string;
  host: string;
  queuedAt: number;
  /** By the database's clock, like `queuedAt`. */
  since: number;
}

export async function remoteDoubts(db: Postgres, batch: number): Promise<RemoteDoubt[]> {
  return db.query(
    `SELECT s.job, s.number, s.worker, w.name AS "workerName", w.host, s.queued_at AS "queuedAt", s.doubt_since AS since
     FROM tandem.sending s JOIN tandem.worker w ON w.id = s.worker
     WHERE s.batch = $1 AND s.doubt_since IS NOT NULL ORDER BY s.job`,
    [batch],
  );
}

/** Lets jobs in doubt be sent again, or ends them; left out: all of the batch. Returns the chunks that a worker has to drive again. */
export async function resolveDoubts(
  db: Postgres,
  batch: number,
  { policy, jobs }: { policy: "resend" | "fail"; jobs?: readonly number[] },
): Promise<number[]> {
  const [row] = await db.query<{ slices: number[] }>("SELECT to_jsonb(tandem.decide_doubts($1, $2, $3)) AS slices", [
    batch,
    jobs ?? null,
    policy,
  ]);
  return row?.slices ?? [];
}
