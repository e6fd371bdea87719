import type { EarlierTurn, PendingJob, Settlement } from "../../runner/journal.ts";
import type { LoadedSlice } from "../postgres/slice.ts";

/**
 * The jobs of a slice in memory, as they stand: a loaded slice answers at once what a runner asks of its plan. Whole
 * conversations are in one slice.
 */
export class SliceJobs {
  readonly #jobs: PendingJob[];
  readonly #byId = new Map<number, PendingJob>();
  readonly #next = new Map<number, PendingJob>();
  /** Turns that were answered, with what they were asked and the record of their answer. */
  readonly #turns = new Map<number, AnsweredTurn>();
  readonly #open: Set<number>;
  readonly #hasTurns: boolean;

  constructor({ jobs, earlier, batch }: Pick<LoadedSlice, "jobs" | "earlier" | "batch">) {
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
    const record = outcome.record?.body?.toString("utf8") ?? "";
    this.#turns.set(jobId, { waitsFor: job.waitsFor, input: job.input, record });
  }

  /** Takes note that a job and all that wait for it were ended. */
  skipped(jobId: number): void {
    for (let job = this.#byId.get(jobId); job !== undefined; job = this.#next.get(job.id)) this.#open.delete(job.id);
  }
}

/** An answered turn, with the job of the turn before. */
type AnsweredTurn = EarlierTurn & { waitsFor: number | null };
