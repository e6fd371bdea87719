import type { Connection } from "../connection.ts";
import { ofBatch } from "../batch-jobs.ts";
import { slowedSql } from "../outcome-lists.ts";
import { selectRows, sqlite } from "../sqlite.ts";

/** A limit of requests that a proxy kept by answering 503 to some while others were answered. */
export interface LimitFound {
  deployment: string;
  /** Requests that it refused. */
  refused: number;
  /** The most that were answered within `windowMs` while it did; null: it did so too shortly to tell. */
  measured: { most: number; windowMs: number } | null;
}

const windowMs = 10_000;

/** The limits of requests that proxies kept while a batch ran, by deployment. */
export function limitsFound(db: Connection, batchId: number): LimitFound[] {
  const sql = sqlite(db);
  const limits = selectRows<{ deployment: string; refused: number; since: number; until: number }>(
    db,
    `SELECT target.deployment, count(*) AS refused, min(attempt.done_at) AS since, max(attempt.done_at) AS until
     FROM job CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.outcome IN (${slowedSql})
     CROSS JOIN target ON target.id = job.target_id
     WHERE ${ofBatch()} AND attempt.status = 503 AND attempt.retry_after_ms IS NULL GROUP BY 1 ORDER BY 1`,
    { batch: batchId },
  );
  if (limits.length === 0) return [];
  const answered = sql
    .prepare<{ batch: number; deployment: string; since: number; until: number }, number>(
      `SELECT attempt.done_at FROM job CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.outcome = 'ok'
       CROSS JOIN target ON target.id = job.target_id
       WHERE ${ofBatch()} AND target.deployment = @deployment AND attempt.done_at BETWEEN @since AND @until ORDER BY 1`,
    )
    .pluck();
  return limits.map(({ deployment, refused, since, until }) => {
    // Shorter than a window, it counts no more than what there was to ask.
    if (until - since < windowMs) return { deployment, refused, measured: null };
    const times = answered.all({ batch: batchId, deployment, since: since - windowMs, until: until + windowMs });
    return { deployment, refused, measured: { most: mostWithin(times), windowMs } };
  });
}

/** The most of these times, in their order, that lie in one window. */
function mostWithin(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [place, time] of times.entries()) {
    while ((times[first] ?? time) <= time - windowMs) first += 1;
    most = Math.max(most, place - first + 1);
  }
  return most;
}
