import type { Postgres } from "./postgres/connection.ts";
import type { Queue, Queued } from "./postgres/queue.ts";

interface Reopened {
  id: string;
  no: number;
  chunk: number;
  round: number;
  queue: string;
  jobs: number;
}

/** Time that a job may take at the most, of which nothing else is known: retries and pauses among it. */
const longestJobMs = 10 * 60_000;

/** Time within which an attempt at a chunk surely ends. */
export const expiresInMs = (jobs: number): number => jobs * longestJobMs;

/** Puts chunks into their queues of which something may be sent after all. */
export async function putAgain(
  db: Postgres,
  queue: Queue,
  chunks: readonly (readonly [batch: number, chunk: number])[],
): Promise<void> {
  if (chunks.length === 0) return;
  const found = await db.query<Reopened>(
    `SELECT b.id, b.no, c.id AS chunk, c.round, l.queue, cardinality(c.jobs) AS jobs
     FROM tandem.chunk c JOIN tandem.batch b ON b.no = c.batch JOIN tandem.lane l ON l.batch = c.batch AND l.id = c.lane
     WHERE (c.batch, c.id) IN (SELECT (value ->> 0)::integer, (value ->> 1)::integer FROM jsonb_array_elements($1) AS value)`,
    [JSON.stringify(chunks)],
  );
  for (const [name, own] of Map.groupBy(found, (each) => each.queue)) {
    const queued = own.map(({ id: batch, no, chunk, round, jobs }): Queued => ({
      batch,
      no,
      chunk,
      round,
      expiresInMs: expiresInMs(jobs),
    }));
    await queue.put(name, queued);
  }
}
