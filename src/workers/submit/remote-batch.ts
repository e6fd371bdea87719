import { randomUUID } from "node:crypto";
import { AppError } from "../../errors.ts";
import type { BudgetLimits } from "../../runner/budget.ts";
import { atWorkers, doubtPolicyOverWorkers, noteAtWorkers } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { HandedRank, HandedResult } from "../../store/journal/handed-over.ts";
import { packBatch } from "../../store/packed-rows.ts";
import { goneAfterMs, openChunks, type OpenChunk, type WorkerState } from "../postgres/calls.ts";
import type { Queued } from "../postgres/queue.ts";
import type { Lane } from "./lanes.ts";
import type { Session } from "./session.ts";

/** A worker as those who wait for it see it. */
export interface WorkerSeen {
  id: string;
  name: string;
  state: WorkerState;
  inFlight: number;
  silentMs: number;
  serves: string[];
  leaves: Record<string, { reason: string; isByService: boolean; kind: string | null }>;
}

/** A batch as it goes on at the workers. */
export interface RemoteProgress {
  open: number;
  /** Lane to the requests in flight of those who drive it. */
  inFlight: Map<number, number>;
  /** Some worker that gives signs has a chunk of it. */
  isDriven: boolean;
  inDoubt: number;
  /** Some worker that has been silent for less than this has what would clear a doubt. */
  mayClear: boolean;
  /** Lane to the milliseconds until what a worker that has gone had in flight is surely over: so long its share is kept. */
  goneMs: Map<number, number>;
  stops: { target: number; reason: string; kind: string }[];
  workers: WorkerSeen[];
}

/** A worker that is silent for less may be back, and clear its doubts. */
const clearsWithinMs = 60_000;

export const isAlive = ({ silentMs }: WorkerSeen): boolean => silentMs < goneAfterMs;

/** Time that a job may take at the most, of which nothing else is known: retries and pauses among it. */
const longestJobMs = 10 * 60_000;

/** Results that are brought at a time. */
const pageSize = 1_000;

interface BroughtResult extends HandedResult {
  /** The id of the worker that handed it in; null: nobody did. */
  origin: string | null;
}

/** A batch at the workers. */
export class RemoteBatch {
  readonly #session: Session;
  readonly no: number;
  readonly id: string;
  #results = 0;
  #notes = 0;

  constructor(session: Session, { no, id }: { no: number; id: string }) {
    this.#session = session;
    this.no = no;
    this.id = id;
  }

  /** Results that have not been brought yet. */
  async results(): Promise<BroughtResult[]> {
    const rows = await this.#session.db.query<{
      no: number;
      job: number;
      number: number;
      rank: HandedRank;
      row: string | null;
      origin: string | null;
    }>(
      "SELECT no, job, number, rank, row, origin FROM tandem.result WHERE batch = $1 AND no > $2 ORDER BY no LIMIT $3",
      [this.no, this.#results, pageSize],
      "tandem_results",
    );
    this.#results = rows.at(-1)?.no ?? this.#results;
    return rows;
  }

  async notes(): Promise<string[]> {
    const rows = await this.#session.db.query<{ no: number; text: string }>(
      "SELECT no, text FROM tandem.note WHERE batch = $1 AND no > $2 ORDER BY no LIMIT $3",
      [this.no, this.#notes, pageSize],
      "tandem_notes",
    );
    this.#notes = rows.at(-1)?.no ?? this.#notes;
    return rows.map(({ text }) => text);
  }

  /** Looks how it goes on, and says that the submitter is there. */
  async progress(): Promise<RemoteProgress> {
    const { db, submitter } = this.#session;
    const [row] = await db.query<{
      open: number;
      lanes: { lane: number; inFlight: number }[] | null;
      isDriven: boolean;
      inDoubt: number;
      mayClear: boolean;
      gone: { lane: number; ms: number }[] | null;
      stops: RemoteProgress["stops"] | null;
      workers: WorkerSeen[] | null;
    }>(
      `WITH seen AS (UPDATE tandem.batch SET submitter = $2, submitter_seen_at = tandem.now_ms() WHERE no = $1),
       now AS MATERIALIZED (SELECT tandem.now_ms() AS ms),
       driving AS MATERIALIZED (SELECT DISTINCT c.lane, w.id, w.in_flight FROM tandem.chunk c JOIN tandem.worker w ON w.id = c.worker
         WHERE c.batch = $1 AND NOT c.done AND w.seen_at > (SELECT ms FROM now) - $3::bigint)
       SELECT (SELECT count(*)::integer FROM tandem.chunk WHERE batch = $1 AND NOT done) AS open,
         (SELECT json_agg(l) FROM (SELECT lane, sum(in_flight)::integer AS "inFlight" FROM driving GROUP BY lane) AS l) AS lanes,
         EXISTS (SELECT FROM driving) AS "isDriven",
         (SELECT count(*)::integer FROM tandem.result WHERE batch = $1 AND rank = 0) AS "inDoubt",
         EXISTS (SELECT FROM tandem.result r JOIN tandem.worker w ON w.id = r.origin
           WHERE r.batch = $1 AND r.rank = 0 AND w.seen_at > (SELECT ms FROM now) - $4::bigint) AS "mayClear",
         (SELECT json_agg(g) FROM (SELECT al.lane, max(s.over_at) - (SELECT ms FROM now) AS ms FROM tandem.account_lane al JOIN tandem.share s USING (account)
           WHERE al.batch = $1 AND s.granted > 0 AND s.until < (SELECT ms FROM now) AND s.over_at > (SELECT ms FROM now) GROUP BY al.lane) AS g) AS gone,
         (SELECT json_agg(s) FROM (SELECT target, reason, kind FROM tandem.stop WHERE batch = $1 ORDER BY target) AS s) AS stops,
         (SELECT json_agg(w) FROM (SELECT id, name, state, in_flight AS "inFlight", (SELECT ms FROM now) - seen_at AS "silentMs", serves, leaves
           FROM tandem.worker ORDER BY name) AS w) AS workers
       FROM tandem.batch WHERE no = $1`,
      [this.no, submitter, goneAfterMs, clearsWithinMs],
      "tandem_progress",
    );
    if (row === undefined)
      throw new AppError("WORKERS_BATCH", "The batch was taken away from the workers while it was sent.", {
        hint: "What had arrived is kept. If their database is gone for good: tandem resume --workers-lost",
      });
    const { lanes, gone, stops, workers, ...others } = row;
    return {
      ...others,
      inFlight: new Map((lanes ?? []).map(({ lane, inFlight }) => [lane, inFlight])),
      goneMs: new Map((gone ?? []).map(({ lane, ms }) => [lane, ms])),
      stops: stops ?? [],
      workers: workers ?? [],
    };
  }

  /** Jobs of chunks that are not done. */
  async covered(): Promise<Set<number>> {
    const rows = await this.#session.db.query<{ job: number }>(
      "SELECT DISTINCT unnest(jobs) AS job FROM tandem.chunk WHERE batch = $1 AND NOT done",
      [this.no],
    );
    return new Set(rows.map(({ job }) => job));
  }

  /** Those of `held` that never left: a worker has come back and has taken its doubt back, in a chunk that is done. */
  async unsent(held: readonly number[]): Promise<number[]> {
    const rows = await this.#session.db.query<{ job: number }>(
      `SELECT job FROM unnest($2::bigint[]) AS job
       WHERE EXISTS (SELECT FROM tandem.chunk WHERE batch = $1 AND job = ANY (jobs))
         AND NOT EXISTS (SELECT FROM tandem.chunk WHERE batch = $1 AND job = ANY (jobs) AND NOT done)
         AND NOT EXISTS (SELECT FROM tandem.result r WHERE r.batch = $1 AND r.job = job.job AND r.rank IN (0, 1, 3))`,
      [this.no, held],
    );
    return rows.map(({ job }) => job);
  }

  /** Enters lanes, with the limits that the suite has now; gives their numbers. */
  async enterLanes(lanes: readonly Lane[]): Promise<void> {
    const { db, queue } = this.#session;
    for (const lane of lanes) {
      await queue.make(lane.queue);
      const { concurrency, rate } = lane.deployment;
      const [row] = await db.query<{ id: number }>(
        `INSERT INTO tandem.lane (batch, id, name, queue, deployment, concurrency, rate_count, rate_window_ms, asked_at)
         SELECT $1, coalesce((SELECT id FROM tandem.lane WHERE batch = $1 AND name = $2), (SELECT coalesce(max(id), 0) + 1 FROM tandem.lane WHERE batch = $1)), $2, $3, $4, $5, $6, $7, tandem.now_ms()
         ON CONFLICT (batch, id) DO UPDATE SET queue = excluded.queue, concurrency = excluded.concurrency, rate_count = excluded.rate_count, rate_window_ms = excluded.rate_window_ms, asked_at = excluded.asked_at
         RETURNING id`,
        [
          this.no,
          lane.name,
          lane.queue,
          lane.deployment.name,
          concurrency,
          rate?.count ?? null,
          rate?.windowMs ?? null,
        ],
      );
      lane.id = row?.id ?? 0;
      // A service that refused them before is asked again.
      await db.query("UPDATE tandem.worker SET leaves = leaves - $1 WHERE leaves ? $1", [lane.queue]);
    }
  }

  /**
   * Adds a chunk; what is known of its jobs is in its rows, and in `runs` what the service has taken of them and is asked for.
   * Gives its number.
   */
  async addChunk(
    lane: number,
    {
      jobs,
      waits,
      tried,
      body,
      isFirst,
      runs,
    }: {
      jobs: number[];
      waits: number[];
      tried: number[];
      body: Buffer;
      isFirst: boolean;
      runs: readonly HandedResult[];
    },
  ): Promise<number> {
    return this.#session.db.transaction(async (db) => {
      await db.query("DELETE FROM tandem.result WHERE batch = $1 AND job = ANY ($2::bigint[])", [this.no, jobs]);
      for (const { job, number, rank, row } of runs)
        await db.query("INSERT INTO tandem.result (batch, job, number, rank, row) VALUES ($1, $2, $3, $4, $5)", [
          this.no,
          job,
          number,
          rank,
          row,
        ]);
      const [added] = await db.query<{ id: number }>(
        `INSERT INTO tandem.chunk (batch, id, lane, jobs, waits, tried, body, is_first)
         SELECT $1, 1 + coalesce((SELECT max(id) FROM tandem.chunk WHERE batch = $1), 0), $2, $3::bigint[], $4::bigint[], $5::integer[], $6, $7 RETURNING id`,
        [this.no, lane, jobs, waits, tried, body, isFirst],
        "tandem_add_chunk",
      );
      return added?.id ?? 0;
    });
  }

  async openChunks(): Promise<OpenChunk[]> {
    return openChunks(this.#session.db, this.no);
  }

  /** Puts chunks into their queues; those that are there, or that workers have, stay where they are. */
  async dispatch(chunks: readonly OpenChunk[]): Promise<void> {
    for (const [queue, own] of Map.groupBy(chunks, (chunk) => chunk.queue)) {
      const queued = own.map(({ id, round, jobs }): Queued => ({
        batch: this.id,
        no: this.no,
        chunk: id,
        round,
        expiresInMs: jobs * longestJobMs,
      }));
      await this.#session.queue.put(queue, queued);
    }
  }

  async setState(state: "running" | "stopping" | "stopped", reason: string | null = null): Promise<void> {
    const { db } = this.#session;
    await db.query("UPDATE tandem.batch SET state = $2, reason = $3 WHERE no = $1", [this.no, state, reason]);
  }

  /** Closes what is open, of a lane or of all: what may have been sent of it is in doubt. */
  async close(lane: number | null = null): Promise<void> {
    await this.#session.db.query(
      `SELECT tandem.take(NULL, batch, id, NULL) FROM tandem.chunk WHERE batch = $1 AND NOT done AND lane = coalesce($2, lane) ORDER BY id`,
      [this.no, lane],
    );
  }

  /** Chunks that no worker has go into their queues anew: an entry of before may have been used up. */
  async renewRounds(): Promise<void> {
    const { db } = this.#session;
    await db.query("UPDATE tandem.chunk SET round = round + 1 WHERE batch = $1 AND NOT done AND worker IS NULL", [
      this.no,
    ]);
  }

  /** It is decided here what becomes of them. */
  async forgetDoubts(): Promise<void> {
    await this.#session.db.query("DELETE FROM tandem.result WHERE batch = $1 AND rank = 0", [this.no]);
  }

  /** Nothing of it is missed there: it is removed. One with doubts stays until somebody brings what comes of them. */
  async end(reason: string | null): Promise<void> {
    await this.setState("stopped", reason);
    await this.#session.db.query(
      "DELETE FROM tandem.batch WHERE no = $1 AND NOT EXISTS (SELECT FROM tandem.result WHERE batch = $1 AND rank = 0)",
      [this.no],
    );
  }
}

/** Enters a batch at the workers, or finds it there; it is noted here that it is there. */
export async function joinBatch(
  session: Session,
  { db, batch, limits }: { db: Connection; batch: Batch; limits: BudgetLimits },
): Promise<{ remote: RemoteBatch; isNew: boolean }> {
  const place = atWorkers(db, batch.id);
  if (place !== null && !place.rests && place.database !== session.database) {
    throw new AppError("WORKERS_BATCH", `${batch.name} is at workers, and ${session.db.shown} is not their database.`, {
      hint: `Name the one to which it was given. If that is gone for good: tandem resume ${batch.name} --workers-lost`,
    });
  }
  const inDoubt = session.onInDoubt ?? doubtPolicyOverWorkers(batch.suite);
  const head = JSON.stringify(withoutLock(packBatch(db, batch.id)));
  const given = [head, inDoubt, JSON.stringify(limits), session.submitter];
  if (place !== null && place.database === session.database) {
    const [known] = await session.db.query<{ no: number }>(
      `UPDATE tandem.batch SET head = $2, in_doubt = $3, limits = $4, submitter = $5, submitter_seen_at = tandem.now_ms(),
         requests = 0, failures = 0, cost = 0, cost_unknown = false WHERE id = $1 RETURNING no`,
      [place.remote, ...given],
    );
    if (known !== undefined) {
      await session.db.query("DELETE FROM tandem.stop WHERE batch = $1", [known.no]);
      return { remote: new RemoteBatch(session, { no: known.no, id: place.remote }), isNew: false };
    }
    if (!place.rests)
      throw new AppError("WORKERS_BATCH", `${batch.name} is at workers, and ${session.db.shown} has nothing of it.`, {
        hint: `Jobs without an answer here may have been sent: tandem resume ${batch.name} --workers-lost continues from here with those in doubt (with --workers URL: over workers).`,
      });
  }
  const id = randomUUID();
  noteAtWorkers(db, batch.id, { remote: id, database: session.database });
  const [row] = await session.db.query<{ no: number }>(
    `INSERT INTO tandem.batch (id, name, head, in_doubt, limits, submitter, created_at, submitter_seen_at)
     VALUES ($1, $6, $2, $3, $4, $5, tandem.now_ms(), tandem.now_ms()) RETURNING no`,
    [id, ...given, batch.name],
  );
  if (row === undefined) throw new Error("the batch was not entered");
  return { remote: new RemoteBatch(session, { no: row.no, id }), isNew: true };
}

/** The rows of a batch without its holder here. */
function withoutLock(rows: ReturnType<typeof packBatch>): ReturnType<typeof packBatch> {
  const batch = (rows["batch"] ?? []).map((row) => ({
    ...row,
    lock_pid: null,
    lock_host: null,
    lock_started: null,
    lock_at: null,
  }));
  return { ...rows, batch };
}
