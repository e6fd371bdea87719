import type { NewBatch, NewTarget, RemoteState } from "./submit.ts";
import type { EarlierTurn, PendingJob, TakenRun } from "../../runner/journal.ts";
import type { Postgres } from "./connection.ts";

interface ChunkBatch extends Pick<
  NewBatch,
  "id" | "namespace" | "name" | "version" | "suite" | "seed" | "onAmbiguous" | "conversations"
> {
  no: number;
  state: RemoteState;
  reason: string | null;
}

export interface ChunkTarget extends Omit<NewTarget, "service"> {
  stopped: string | null;
}

/** A part of a batch, as a worker drives it. */
export interface LoadedChunk {
  batch: ChunkBatch;
  deployment: string;
  service: { id: number; name: string };
  targets: ChunkTarget[];
  /** Unfinished jobs that nobody else has, in the order of the plan; those of `taken` among them. */
  jobs: PendingJob[];
  /** Jobs in doubt: nobody sends them until somebody decides. */
  held: number[];
  /** Jobs that another worker still has in flight. */
  busy: number[];
  /** Answered turns of unfinished conversations, by their job, with the job of the turn before. */
  earlier: Map<number, EarlierTurn & { waitsFor: number | null }>;
  /** Runs that this worker asks for: those of workers that have gone are its own now. */
  taken: TakenRun[];
}

interface JobRow {
  id: number;
  target: number;
  case_id: number;
  repeat: number;
  turn: number;
  waits_for: number | null;
  input: string;
  attempts: number;
  failures: number;
}

/** Gives a chunk to a worker. Null: there is no such chunk, or it is done. */
export async function loadChunk(
  db: Postgres,
  { batch, slice: chunk, worker }: { batch: number; slice: number; worker: string },
): Promise<LoadedChunk | null> {
  const [opened] = await db.query<{ head: Omit<LoadedChunk, "jobs" | "earlier"> | null }>(
    "SELECT tandem.open_slice($1, $2, $3) AS head",
    [batch, chunk, worker],
  );
  const head = opened?.head ?? null;
  if (head === null) return null;
  const jobs = await db.query<JobRow>("SELECT * FROM tandem.slice_jobs($1, $2, $3)", [batch, chunk, worker]);
  const turns = head.batch.conversations
    ? await db.query<{ job: number; waits_for: number | null; input: string; record: Buffer | null }>(
        "SELECT * FROM tandem.slice_turns($1, $2)",
        [batch, chunk],
      )
    : [];
  return {
    ...head,
    jobs: jobs.map(pendingJob),
    earlier: new Map(
      turns.map(({ job, waits_for: waitsFor, input, record }) => [
        job,
        { input, record: record?.toString("utf8") ?? "null", waitsFor },
      ]),
    ),
  };
}

function pendingJob({ target: targetId, case_id: caseId, waits_for: waitsFor, ...row }: JobRow): PendingJob {
  return { ...row, targetId, caseId, waitsFor, firstTriedAt: null };
}

/** A worker asks for the runs of a chunk no more: whoever has it next does. */
export async function leaveRuns(
  db: Postgres,
  { batch, slice: chunk, worker }: { batch: number; slice: number; worker: string },
): Promise<void> {
  await db.query("SELECT tandem.leave_runs($1, $2, $3)", [worker, batch, chunk]);
}

/** Ends a chunk of which every job is over, in doubt or stopped. Returns the number of its jobs that are not: then it stays open. */
export async function endChunk(
  db: Postgres,
  { batch, slice: chunk }: { batch: number; slice: number },
): Promise<number> {
  const [row] = await db.query<{ left: number }>('SELECT tandem.end_slice($1, $2) AS "left"', [batch, chunk]);
  return row?.left ?? 0;
}
