import { outcomes } from "../../api/outcomes.ts";
import { answererOf } from "../../client/outcome.ts";
import { textOfRecord } from "../../client/run-record.ts";
import { costOf, type Price } from "../../api/price.ts";
import { isSpent } from "../../runner/decision.ts";
import type { Journal, Sending, Settlement, TakenRun, EarlierTurn, PendingJob } from "../../runner/journal.ts";
import type { RunTarget } from "../../runner/run-target.ts";
import type { LoadedChunk } from "../postgres/chunk.ts";
import type { DatabaseClock, Lease } from "./lease.ts";
import { type SentResult, settlementText } from "./result.ts";
import type { SettleDesk } from "./settle-desk.ts";
import type { Attempt, TakeCounter } from "./take-desk.ts";

/** Entries of a chunk that are made one by one, each tried until the database has it. */
interface ChunkEntries {
  taken: (run: TakenRun) => Promise<boolean>;
  skip: (jobId: number, reason: string) => Promise<number>;
  stopTarget: (targetId: number, reason: string) => Promise<void>;
  giveBack: (attempt: Attempt) => Promise<unknown>;
}

interface ChunkJournalOptions {
  workerId: string;
  slice: LoadedChunk;
  targets: readonly RunTarget[];
  takes: TakeCounter;
  settles: Pick<SettleDesk, "add" | "expect">;
  entries: ChunkEntries;
  clock: DatabaseClock;
  lease: Lease;
  /** Called for a result that came too late to decide anything. */
  onStray: () => void;
}

/** The runner's journal of one chunk: its jobs are in memory, its entries in PostgreSQL. */
export interface ChunkJournal extends Journal {
  readonly jobs: ChunkJobs;
  /** Nothing more comes of what has left: its runner has ended. */
  close: () => void;
}

export function createChunkJournal(options: ChunkJournalOptions): ChunkJournal {
  const { slice: chunk, takes, settles, entries, clock, lease } = options;
  const jobs = new ChunkJobs(chunk);
  const onTheirWay = new Set<number>();
  const arrived = (jobId: number): void => {
    if (onTheirWay.delete(jobId)) settles.expect(-1);
  };
  return {
    jobs,
    close: () => onTheirWay.forEach(arrived),
    pending: (targetIds, after, limit) => jobs.pending(targetIds, after, limit),
    successor: (jobId) => jobs.successor(jobId),
    history: (job) => jobs.history(job),
    async sending(entry: Sending) {
      const isGranted = await takes.ask({ job: entry.jobId, number: entry.number });
      entry.queuedAt = clock.now();
      if (isGranted && !onTheirWay.has(entry.jobId)) {
        onTheirWay.add(entry.jobId);
        settles.expect(1);
      }
      return isGranted;
    },
    async taken(run) {
      arrived(run.jobId);
      await entries.taken(run);
    },
    takenRuns: (targetIds) => openRuns(options, jobs, targetIds),
    async settle(entry) {
      arrived(entry.jobId);
      const settled = await settles.add(resultOf(options, jobs, entry));
      if (settled === "stray") options.onStray();
      const isEntered = settled === "landed" || settled === "known";
      if (isEntered) jobs.settled(entry);
      return isEntered;
    },
    async skip(jobId, reason) {
      jobs.skipped(jobId);
      return entries.skip(jobId, reason);
    },
    stopTarget: entries.stopTarget,
    now: () => clock.now(),
    // Rates and limits are kept where all workers ask for leave.
    sentSince: () => [],
    notePace: async () => {},
    // Outages are kept where all workers ask for leave, and the tries of jobs with them.
    noteOutage: async () => {},
    noteBack: async () => {},
    lastPace: () => null,
    lease: { isHeld: () => lease.isHeld },
    async giveBack({ jobId, number }) {
      arrived(jobId);
      await entries.giveBack({ job: jobId, number });
    },
    // A database that is away is waited for.
    check: () => {},
  };
}

function openRuns({ slice: chunk, targets }: ChunkJournalOptions, jobs: ChunkJobs, targetIds: readonly number[]) {
  const known = new Set(targets.map(({ id }) => id));
  return chunk.taken.flatMap((taken) => {
    const job = jobs.job(taken.jobId);
    const isOurs = job !== null && known.has(job.targetId) && targetIds.includes(job.targetId);
    return isOurs ? [{ job, taken }] : [];
  });
}

function resultOf(
  { workerId, slice: chunk, targets }: ChunkJournalOptions,
  jobs: ChunkJobs,
  entry: Settlement,
): SentResult {
  const { jobId: job, number, outcome, final } = entry;
  const price = targets.find(({ id }) => id === jobs.job(job)?.targetId)?.price ?? null;
  return {
    worker: workerId,
    batch: chunk.batch.no,
    job,
    number,
    kind: outcome.kind,
    final,
    failure: final && outcome.kind !== "ok",
    spent: isSpent(outcome),
    countsAsTry: outcomes[outcome.kind].countsAsTry,
    answeredBy: answererOf(outcome),
    ...costs(price, entry),
    entry: settlementText(entry),
    body: outcome.record?.body ?? null,
  };
}

/** The cost of an attempt, for a limit of cost. */
function costs(price: Price | null, { outcome, reattached }: Settlement): Pick<SentResult, "cost" | "costUnknown"> {
  const { kind, possiblyPaid, usage } = outcome;
  if (price === null) return { cost: null, costUnknown: false };
  const cost = costOf(price, usage ?? null);
  // A run that was submitted tells no tokens.
  if (kind === "ok") return { cost, costUnknown: cost === null && reattached === undefined };
  return { cost: possiblyPaid ? cost : null, costUnknown: false };
}

/**
 * The jobs of a chunk in memory, as they stand: a loaded chunk answers at once what a runner asks of its plan. Whole
 * conversations are in one chunk.
 */
class ChunkJobs {
  readonly #jobs: PendingJob[];
  readonly #byId = new Map<number, PendingJob>();
  readonly #next = new Map<number, PendingJob>();
  /** Turns that were answered, with what they were asked and the record of their answer. */
  readonly #turns = new Map<number, AnsweredTurn>();
  readonly #open: Set<number>;
  readonly #hasTurns: boolean;

  constructor({ jobs, earlier, batch }: Pick<LoadedChunk, "jobs" | "earlier" | "batch">) {
    this.#jobs = jobs;
    this.#hasTurns = batch.conversations;
    this.#open = new Set(jobs.map(({ id }) => id));
    for (const job of jobs) {
      this.#byId.set(job.id, job);
      if (job.waitsFor !== null) this.#next.set(job.waitsFor, job);
    }
    for (const [job, turn] of earlier) this.#turns.set(job, turn);
  }

  /** Unfinished jobs, sent or not. */
  get left(): number {
    return this.#open.size;
  }

  /** Unfinished jobs of a target. */
  leftOf(targetId: number): number {
    return this.#jobs.filter((job) => job.targetId === targetId && this.#open.has(job.id)).length;
  }

  job(id: number): PendingJob | null {
    return this.#byId.get(id) ?? null;
  }

  pending(targetIds: readonly number[], after: number, limit: number): PendingJob[] {
    const found: PendingJob[] = [];
    for (const job of this.#jobs) {
      if (found.length === limit) break;
      const isFree = job.waitsFor === null || this.#turns.has(job.waitsFor);
      if (job.id > after && isFree && this.#open.has(job.id) && targetIds.includes(job.targetId)) found.push(job);
    }
    return found;
  }

  successor(jobId: number): PendingJob | null {
    const next = this.#next.get(jobId);
    return next !== undefined && this.#open.has(next.id) ? next : null;
  }

  history(job: PendingJob): EarlierTurn[] {
    const turns: EarlierTurn[] = [];
    for (let id = job.waitsFor; id !== null;) {
      const turn = this.#turns.get(id);
      if (turn === undefined) break;
      turns.unshift({ input: turn.input, record: turn.record });
      id = turn.waitsFor;
    }
    return turns;
  }

  /** Takes note of the end of a job. */
  settled({ jobId, outcome, final }: Settlement): void {
    const job = this.#byId.get(jobId);
    if (!final || job === undefined) return;
    this.#open.delete(jobId);
    if (!this.#hasTurns || outcome.kind !== "ok" || !this.#next.has(jobId)) return;
    const record = outcome.record === null ? "" : textOfRecord(outcome.record);
    this.#turns.set(jobId, { waitsFor: job.waitsFor, input: job.input, record });
  }

  /** Takes note that a job and all that wait for it were ended. */
  skipped(jobId: number): void {
    for (let job = this.#byId.get(jobId); job !== undefined; job = this.#next.get(job.id)) this.#open.delete(job.id);
  }
}

/** An answered turn, with the job of the turn before. */
type AnsweredTurn = EarlierTurn & { waitsFor: number | null };
