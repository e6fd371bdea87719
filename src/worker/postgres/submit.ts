import type { PendingJob } from "../../runner/journal.ts";
import type { BudgetLimits } from "../../runner/budget.ts";
import type { Rate } from "../../suite/suite.ts";
import type { Postgres } from "./connection.ts";
import { numberList } from "./number-list.ts";
import { storable } from "./text.ts";

export type RemoteState = "uploading" | "running" | "enough" | "stopping" | "stopped" | "finished";

export interface NewBatch {
  /** A UUID, by which its submitter finds it again. */
  id: string;
  namespace: string;
  /** One of its own within the namespace. */
  name: string;
  suiteName: string;
  /** Version of tandem. */
  version: string;
  /** The suite as JSON text. */
  suite: string;
  seed: number;
  onAmbiguous: "retry" | "fail";
  inDoubt: "hold" | "resend" | "fail";
  conversations: boolean;
  budget: BudgetLimits;
  /** Who submits: host and process. */
  submitter: string;
}

/** Enters a batch as `uploading`; of two with the same namespace and name the first one stays, and `isNew` is false. */
export async function enterBatch(
  db: Postgres,
  batch: NewBatch,
): Promise<{ no: number; id: string; state: RemoteState; isNew: boolean }> {
  const { budget } = batch;
  const texts = [batch.namespace, batch.name, batch.suiteName, batch.version, batch.suite].map(storable);
  const [made] = await db.query<{ no: number }>(
    `WITH made AS (
       INSERT INTO tandem.batch (id, namespace, name, suite_name, version, suite, seed, on_ambiguous, in_doubt, conversations, submitter,
         most_requests, most_failures, most_cost, most_duration_ms, state, submitter_seen_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'uploading', tandem.now_ms(), tandem.now_ms())
       ON CONFLICT DO NOTHING RETURNING no)
     INSERT INTO tandem.spending (batch) SELECT no FROM made RETURNING batch AS no`,
    [
      batch.id,
      ...texts,
      batch.seed,
      batch.onAmbiguous,
      batch.inDoubt,
      batch.conversations,
      storable(batch.submitter),
      budget.requests,
      budget.failures,
      budget.cost,
      budget.durationMs,
    ],
  );
  if (made !== undefined) return { no: made.no, id: batch.id, state: "uploading", isNew: true };
  const [found] = await db.query<{ no: number; id: string; state: RemoteState }>(
    "SELECT no, id, state FROM tandem.batch WHERE namespace = $1 AND name = $2 OR id = $3",
    [texts[0], texts[1], batch.id],
  );
  if (found === undefined) throw new Error(`batch ${batch.name} was neither made nor found`);
  return { ...found, isNew: false };
}

/** An account at an endpoint, with the limits that a batch has there. */
interface NewService {
  name: string;
  concurrency: number;
  rate: Rate | null;
  /** Milliseconds for which it is waited for while it is away; null: neither the suite nor a flag says. */
  patienceMs?: number | null;
  /** It has answered the batch itself. */
  isProven?: boolean;
}

/** Finds a service by its name, or enters it; the limits that a batch configures for it are entered with it. Returns its id. */
export async function addService(
  db: Postgres,
  batch: number,
  { name, concurrency, rate, patienceMs = null, isProven = false }: NewService,
): Promise<number> {
  await db.query("INSERT INTO tandem.service (name) VALUES ($1) ON CONFLICT DO NOTHING", [storable(name)]);
  const [row] = await db.query<{ service: number }>(
    `INSERT INTO tandem.batch_limit (batch, service, concurrency, rate_count, rate_window_ms, patience_ms, proven)
     SELECT $1, id, $3, $4, $5, $6, $7 FROM tandem.service WHERE name = $2
     ON CONFLICT (service, batch) DO UPDATE SET concurrency = $3, rate_count = $4, rate_window_ms = $5, patience_ms = $6, proven = $7,
       waits_since = NULL RETURNING service`,
    [
      batch,
      storable(name),
      concurrency,
      rate?.count ?? null,
      rate === null ? null : Math.round(rate.windowMs),
      patienceMs,
      isProven,
    ],
  );
  if (row === undefined) throw new Error(`service ${name} was not entered`);
  return row.service;
}

export interface NewTarget {
  id: number;
  name: string;
  deployment: string;
  endpoint: string;
  service: number;
  /** Fields of the RunTarget as JSON text. */
  data: string;
}

export async function addTargets(db: Postgres, batch: number, targets: readonly NewTarget[]): Promise<void> {
  await insertRows(db, batch, "tandem.target (id, name, deployment, endpoint, service, data)", targets);
}

export interface NewChunk {
  /** 1, 2, ... within the batch. */
  id: number;
  deployment: string;
  service: number;
  /** Unfinished jobs in it. */
  jobs: number;
}

export async function addChunks(db: Postgres, batch: number, chunks: readonly NewChunk[]): Promise<void> {
  await insertRows(db, batch, "tandem.slice (id, deployment, service, jobs)", chunks);
}

/** Inputs of jobs as JSON text: of a case, which all its jobs share, or of one question to a judge. */
export async function addInputs(
  db: Postgres,
  batch: number,
  inputs: readonly { id: number; input: string }[],
): Promise<void> {
  await insertRows(db, batch, "tandem.input (id, input)", inputs);
}

export interface NewJob extends Omit<PendingJob, "targetId" | "input" | "firstTriedAt"> {
  slice: number;
  target: number;
  /** Id of its input. */
  input: number;
  /** `ok`: a turn that was answered before, of which `record` is the run record's body; null: to be sent. */
  outcome: "ok" | null;
  record: string | null;
}

/**
 * Enters a page of jobs, some thousands at the most; those that are there stay as they are. A job that comes again goes on
 * after the attempts that are entered, which its submitter may not have: no number is given twice.
 */
export async function addJobs(db: Postgres, batch: number, jobs: readonly NewJob[]): Promise<void> {
  const entered = await latestNumbers(
    db,
    batch,
    jobs.map(({ id }) => id),
  );
  await insertRows(
    db,
    batch,
    "tandem.job (id, slice, target, case_id, input, repeat, turn, waits_for, attempts, failures, outcome)",
    jobs.map((job) => ({
      ...job,
      case_id: job.caseId,
      waits_for: job.waitsFor,
      attempts: Math.max(job.attempts, entered.get(job.id) ?? 0),
      record: null,
    })),
  );
  for (const { id, record } of jobs)
    if (record !== null)
      await db.query("INSERT INTO tandem.earlier (batch, job, record) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [
        batch,
        id,
        Buffer.from(record),
      ]);
}

/** The highest numbers of attempts that are entered for jobs. */
async function latestNumbers(db: Postgres, batch: number, jobs: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ job: number; latest: number }>(
    "SELECT job, max(number) AS latest FROM tandem.attempt WHERE batch = $1 AND job = ANY ($2::bigint[]) GROUP BY job",
    [batch, numberList(jobs)],
  );
  return new Map(rows.map(({ job, latest }) => [job, latest]));
}

/** Enters a part of the planned batch as a file: the parts in their order are one file. */
export async function addFile(db: Postgres, batch: number, part: number, bytes: Buffer): Promise<void> {
  await db.query("INSERT INTO tandem.batch_file (batch, part, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [
    batch,
    part,
    bytes,
  ]);
}

/** The file is there to its end; the jobs of its plan are known by their places up to this one. */
export async function endFile(db: Postgres, batch: number, planned: number): Promise<void> {
  await db.query("UPDATE tandem.batch SET planned = $2 WHERE no = $1", [batch, planned]);
}

/** Jobs of the plan whose file is there; null: it is not there to its end. */
export async function plannedThere(db: Postgres, batch: number): Promise<number | null> {
  const [row] = await db.query<{ planned: number | null }>("SELECT planned FROM tandem.batch WHERE no = $1", [batch]);
  return row?.planned ?? null;
}

/** A part of the planned batch's file, from 0 on; null: there is none. */
export async function batchFile(db: Postgres, batch: number, part: number): Promise<Buffer | null> {
  const [row] = await db.query<{ bytes: Buffer }>(
    "SELECT bytes FROM tandem.batch_file WHERE batch = $1 AND part = $2",
    [batch, part],
  );
  return row?.bytes ?? null;
}

/** Moves a batch. Its time begins to count when it first is `running`. Workers see it with their next `take`. */
export async function setRemoteState(
  db: Postgres,
  batch: number,
  state: RemoteState,
  reason: string | null = null,
): Promise<void> {
  if (state === "running") await forgetLessons(db, batch);
  await db.transaction(async (within) => {
    // No `take` that has seen the state before is still on its way when this is done.
    await within.query("SELECT pg_advisory_xact_lock(746320, $1)", [batch]);
    await within.query(
      `UPDATE tandem.batch SET state = $2, reason = $3,
         ends_at = CASE WHEN $2 = 'running' THEN coalesce(ends_at, tandem.now_ms() + most_duration_ms) ELSE ends_at END WHERE no = $1`,
      [batch, state, reason === null ? null : storable(reason)],
    );
  });
  await db.query("SELECT pg_notify($1, '')", [`tandem_b${batch}`]);
}

/** A new batch finds out anew what its services take, as on one machine, unless another batch is just being sent there. */
async function forgetLessons(db: Postgres, batch: number): Promise<void> {
  await db.query(
    `UPDATE tandem.service s SET learned_concurrency = NULL, learned_ceiling = NULL, learned_rate_count = NULL,
       learned_rate_window_ms = NULL, reason = NULL
     FROM tandem.batch_limit own JOIN tandem.batch b ON b.no = own.batch
     WHERE b.no = $1 AND b.state = 'uploading' AND s.id = own.service AND NOT EXISTS (
       SELECT FROM tandem.batch_limit l JOIN tandem.batch other ON other.no = l.batch
       WHERE l.service = s.id AND other.no <> $1 AND other.state = 'running')`,
    [batch],
  );
}

/** Takes a batch and all that belongs to it away. */
export async function removeRemoteBatch(db: Postgres, batch: number): Promise<void> {
  await db.transaction(async (within) => {
    // Before the row, as everybody does.
    await within.query("SELECT pg_advisory_xact_lock(746320, $1)", [batch]);
    await within.query("DELETE FROM tandem.batch WHERE no = $1", [batch]);
  });
}

/** Enters rows with the columns of `into`, such as `tandem.input (id, input)`, in one statement; a row that is there stays as it is. Nobody takes the batch away meanwhile. */
async function insertRows(db: Postgres, batch: number, into: string, rows: readonly object[]): Promise<void> {
  const [table = "", columns = ""] = into.split(/[()]/);
  await db.query(
    `WITH held AS MATERIALIZED (SELECT no FROM tandem.batch WHERE no = $1 FOR KEY SHARE)
     INSERT INTO ${table} (batch, ${columns}) SELECT no, ${columns} FROM held, json_populate_recordset(NULL::${table}, $2)
     ON CONFLICT DO NOTHING`,
    [batch, JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? storable(value) : value))],
  );
}
