import type { Postgres } from "./connection.ts";

/** An account at an endpoint, with its limits over all workers. */
export interface ServiceNow {
  /** Address, endpoint and the variable of its key. */
  name: string;
  inFlight: number;
  /** Milliseconds until the service may be asked again; 0: now. */
  pausedMs: number;
  /** The most in flight that was learned; null: nothing was. */
  learnedConcurrency: number | null;
  /** Why the limits were moved last. */
  reason: string | null;
}

/** Services that running batches send to, or that have something in flight. */
export async function servicesNow(db: Postgres): Promise<ServiceNow[]> {
  return db.query(
    `SELECT s.name, o.flying AS "inFlight", greatest(0, s.paused_until - tandem.now_ms()) AS "pausedMs",
       s.learned_concurrency AS "learnedConcurrency", s.reason
     FROM tandem.service s, LATERAL (
       SELECT count(*)::integer AS flying FROM tandem.sending WHERE service = s.id AND doubt_since IS NULL) AS o
     WHERE o.flying > 0 OR EXISTS (SELECT FROM tandem.batch_limit l JOIN tandem.batch b ON b.no = l.batch
       WHERE l.service = s.id AND b.state = 'running') ORDER BY s.name`,
  );
}

/** Attempts of a batch that its submitter does not have yet, and requests that are in flight. */
export async function notImported(db: Postgres, batch: number): Promise<{ unpulled: number; inFlight: number }> {
  const [row] = await db.query<{ unpulled: number; inFlight: number }>(
    `SELECT (SELECT count(*)::integer FROM tandem.unpulled WHERE batch = $1) AS unpulled,
       (SELECT count(*)::integer FROM tandem.sending WHERE batch = $1 AND doubt_since IS NULL) AS "inFlight"`,
    [batch],
  );
  return row ?? { unpulled: 0, inFlight: 0 };
}
