import PQueue from "p-queue";
import type { Endpoint } from "../api.ts";
import type { Client } from "../client/client.ts";
import type { Outcome, OutcomeKind } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, type Waits } from "./backoff.ts";
import type { Books, PaceEntry, PendingJob, Settlement } from "./books.ts";
import type { Budget } from "./budget.ts";
import { decide, type Decision, isSpent } from "./decision.ts";
import { JobSource } from "./job-source.ts";
import type { Lockstep } from "./lockstep.ts";
import { Repetition } from "./repetition.ts";
import type { LaneEvent } from "./lane-event.ts";
import { requestOf } from "./request.ts";
import type { RunTarget } from "./run-target.ts";
import { Tally, type LaneSnapshot } from "./tally.ts";
import { Traffic } from "./traffic.ts";

export interface LaneOptions {
  deployment: Deployment;
  endpoint: Endpoint;
  targets: RunTarget[];
  client: Client;
  books: Books;
  budget: Budget;
  lockstep: Lockstep | null;
  random: Random;
  waits: Waits;
  onAmbiguous: "retry" | "fail";
  /** Whether jobs may wait for others. */
  conversations: boolean;
  onEvent: (event: LaneEvent) => void;
  /** Told at once when the books cannot be kept; `run` rejects later, when nothing is in flight any more. */
  onFailure: () => void;
}

/** Why a lane is stopped, beside the reason in words. */
interface StopCause {
  /** The whole deployment is out of reach, with all its lanes. */
  deployment?: boolean;
  kind?: OutcomeKind | null;
}

interface Answered {
  job: PendingJob;
  target: RunTarget;
  entry: Settlement;
  decision: Decision;
  /** Milliseconds until a retry. */
  backoffMs: number;
}

/**
 * Drives the jobs of one endpoint of one deployment, with a cursor, a queue, limits and health of its own.
 * Slots are granted first (concurrency, then rate), then the attempt is entered in the books, then it is sent.
 * A job that waits, for a back-off or for a throttling service, holds no slot.
 */
export class Lane {
  readonly name: string;
  readonly #options: LaneOptions;
  readonly #jobs: JobSource;
  readonly #queue: PQueue;
  readonly #traffic: Traffic;
  readonly #tally: Tally;
  readonly #repetitions = new Map<number, Repetition>();
  readonly #stoppedTargets = new Set<number>();
  /** Target to its jobs that are not finished. */
  readonly #unfinished: Map<number, number>;
  /** Jobs in flight, with the time by which each has ended. They hold a slot. */
  readonly #inFlight = new Map<number, number>();
  /** Answers that are being committed and followed up. */
  #settling = 0;
  #stopped: string | null = null;
  #failure: { error: unknown } | null = null;
  #wake: () => void = () => {};
  #abandoned = false;
  #ended = false;
  /** The concurrency that was told last. */
  #told: number;

  constructor(options: LaneOptions) {
    const { deployment, endpoint, targets, books, random, waits, lockstep } = options;
    this.name = `${deployment.name}/${endpoint}`;
    this.#options = options;
    const ids = targets.map(({ id }) => id);
    this.#jobs = new JobSource(books, ids, () => this.#wake());
    this.#queue = new PQueue({ concurrency: deployment.concurrency });
    const onChange = (entry: PaceEntry): void => this.#paceChanged(entry);
    const onLongWait = (askedMs: number, waitMs: number): void =>
      options.onEvent({ type: "long-wait", lane: this.name, askedMs, waitMs });
    this.#traffic = new Traffic({ deployment, endpoint, books, random, waits, onChange, onLongWait });
    this.#told = this.#traffic.limit;
    this.#unfinished = new Map(targets.map(({ id, unfinished }) => [id, unfinished]));
    this.#tally = new Tally(targets.reduce((sum, { unfinished }) => sum + unfinished, 0));
    for (const id of ids) this.#repetitions.set(id, new Repetition());
    lockstep?.join(this.name, {
      frontier: () => (this.#isStopping || this.#ended || this.#traffic.isUnreached ? null : this.#jobs.frontier),
    });
  }

  /** Runs until nothing is left to do here or the lane is stopped; what is in flight then is finished first. */
  async run(): Promise<void> {
    try {
      while (!this.#isStopping) {
        const waitMs = this.#readiness();
        if (waitMs === "done") break;
        if (waitMs > 0) await this.#changeWithin(waitMs);
        else this.#start(this.#jobs.take());
      }
      while (!this.#isIdle) await this.#changeWithin(Number.POSITIVE_INFINITY);
    } catch (error) {
      this.#fail(error);
    }
    this.#ended = true;
    this.#jobs.close();
    this.#options.lockstep?.moved();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Starts nothing more; what is in flight is finished. `kind`: of the outcome that was the reason, if one was. */
  stop(reason: string, { deployment = false, kind = null }: StopCause = {}): void {
    if (this.#stopped !== null || this.#ended) return;
    this.#stopped = reason;
    this.#options.onEvent({ type: "lane-stopped", lane: this.name, reason, deployment, kind });
    this.#options.lockstep?.moved();
    this.#wake();
  }

  /** Like `stop`; what is in flight will be cut off by the client and stays in doubt. */
  abandon(reason: string): void {
    this.#abandoned = true;
    this.stop(reason);
  }

  /** Something outside the lane has changed: look again. */
  nudge(): void {
    this.#wake();
  }

  snapshot(): LaneSnapshot {
    const now = Date.now();
    return this.#tally.snapshot({
      lane: this.name,
      deployment: this.#options.deployment.name,
      inFlight: this.#inFlight.size,
      finishesWithinMs: Math.max(0, ...[...this.#inFlight.values()].map((deadline) => deadline - now)),
      waiting: this.#jobs.waiting,
      leftOut: [...this.#stoppedTargets].reduce((sum, id) => sum + (this.#unfinished.get(id) ?? 0), 0),
      limit: this.#traffic.limit,
      rate: this.#traffic.rate,
      pausedMs: this.#traffic.pauseMs(now),
      stopped: this.#stopped,
    });
  }

  get #isStopping(): boolean {
    return this.#stopped !== null || this.#failure !== null;
  }

  get #isIdle(): boolean {
    return this.#inFlight.size === 0 && this.#settling === 0;
  }

  /** Milliseconds until it is worth looking again, 0 to start a job now, or "done". */
  #readiness(): number | "done" {
    const now = Date.now();
    if (!this.#jobs.hasReady()) {
      return this.#isIdle && this.#jobs.waiting === 0 ? "done" : Number.POSITIVE_INFINITY;
    }
    const spent = this.#options.budget.spent(now);
    if (spent !== null) {
      // What is in flight may still turn out not to have cost anything.
      if (!this.#isIdle) return Number.POSITIVE_INFINITY;
      this.stop(spent);
      return "done";
    }
    const next = this.#jobs.peek();
    const isNew = next.firstTriedAt === null;
    if (isNew && this.#options.lockstep?.mustWait(this.name, next.id) === true) return Number.POSITIVE_INFINITY;
    return this.#traffic.waitMs(now, this.#inFlight.size);
  }

  /** Resolves when something changed, or after this time. */
  #changeWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(resolve, Math.min(Math.ceil(ms), 2 ** 31 - 1)) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }

  #start(job: PendingJob): void {
    const now = Date.now();
    if (this.#timeLeft(job, now) <= 0) {
      this.#followUp(() => this.#expire(job));
      return;
    }
    this.#traffic.take(job.id, now);
    this.#options.budget.take();
    const timeoutMs = Math.min(this.#options.deployment.timeoutMs, this.#timeLeft(job, now));
    this.#inFlight.set(job.id, now + timeoutMs);
    void this.#queue
      .add(() => this.#attempt(job, timeoutMs))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#inFlight.delete(job.id);
        this.#wake();
      });
  }

  /** Milliseconds of the job's time that are left. */
  #timeLeft(job: PendingJob, now: number): number {
    return (job.firstTriedAt ?? now) + this.#options.deployment.jobTimeoutMs - now;
  }

  /** One attempt, from its entry in the books to its answer: what holds a slot. */
  async #attempt(job: PendingJob, timeoutMs: number): Promise<void> {
    const { books, client, budget } = this.#options;
    const target = this.#targetOf(job);
    const request = requestOf(job, target, books, timeoutMs);
    const entry = { jobId: job.id, number: job.attempts + 1, queuedAt: Date.now() };
    await books.sending({ ...entry, service: this.#traffic.service });
    const outcome = await client.attempt(request);
    // Given up in flight: what became of it is not known, so the books leave it in doubt.
    if (this.#abandoned && outcome.kind === "ambiguous") return;
    const tried = { ...job, attempts: entry.number, firstTriedAt: job.firstTriedAt ?? entry.queuedAt };
    const { decision, backoffMs } = this.#judge(tried, outcome, entry.queuedAt);
    // A limit of failures is passed by what is in flight already, and by nothing that is sent after.
    if (decision === "finish" && outcome.kind !== "ok") budget.failed();
    if (decision === "stop-target") this.#jobs.drop(target.id);
    if (decision === "stop-deployment") this.stop(reasonOf(outcome), { deployment: true, kind: outcome.kind });
    const settlement = { ...entry, outcome, final: decision === "finish" };
    this.#followUp(() => this.#settle({ job: tried, target, entry: settlement, decision, backoffMs }));
  }

  /** What the service said of its limits holds from now on, before the next slot is given away; then the job's fate. */
  #judge(job: PendingJob, outcome: Outcome, queuedAt: number): { decision: Decision; backoffMs: number } {
    const { deployment, onAmbiguous, random, waits } = this.#options;
    if (!this.#abandoned) {
      const sent = { jobId: job.id, queuedAt, busy: this.#inFlight.size, more: this.#jobs.hasReady() };
      const givenUp = this.#traffic.answered(outcome, sent);
      if (givenUp !== null) this.stop(givenUp, { deployment: true, kind: outcome.kind });
    }
    const now = Date.now();
    const backoffMs = fullJitter(job.failures + 1, random, waits.retry);
    const waitMs = isSpent(outcome) ? backoffMs : this.#traffic.pauseMs(now);
    const outOfTime = this.#timeLeft(job, now) <= waitMs;
    const context = { failures: job.failures, retries: deployment.retries, onAmbiguous, outOfTime };
    return { decision: decide(outcome, context), backoffMs };
  }

  #followUp(work: () => Promise<void>): void {
    this.#settling += 1;
    void work()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#settling -= 1;
        this.#wake();
      });
  }

  /**
   * Commits an outcome, and only then counts it and follows it up. The slot is free by now, so that the entry of the next
   * attempt is in the same commit.
   */
  async #settle({ job, target, entry, decision, backoffMs }: Answered): Promise<void> {
    const { books, budget, onEvent } = this.#options;
    const { outcome } = entry;
    await books.settle(entry);
    this.#tally.settled(outcome, decision);
    onEvent({ type: "settled", lane: this.name, target: target.name, job, outcome, decision });
    if (!isSpent(outcome)) budget.giveBack();
    if (decision === "finish") await this.#finish(job, outcome);
    else if (decision === "wait") this.#jobs.again(job);
    else if (decision === "retry") this.#jobs.later({ ...job, failures: job.failures + 1 }, backoffMs);
    else this.#jobs.release(job.id);
    if (decision === "stop-target") await this.#stopTarget(target, reasonOf(outcome), outcome.kind);
    const repeated = this.#repetitions.get(target.id)?.note(job.caseId, outcome) ?? null;
    if (repeated !== null)
      await this.#stopTarget(target, `the same error for case after case: ${repeated}`, outcome.kind);
  }

  async #finish(job: PendingJob, outcome: Outcome): Promise<void> {
    const { books, conversations } = this.#options;
    this.#done(job, 1);
    const next = conversations ? books.successor(job.id) : null;
    if (next === null) return;
    if (outcome.kind === "ok") this.#jobs.follow(next);
    else await this.#skip(next, `turn ${job.turn} had no answer (${outcome.kind})`);
  }

  /** Ends a job whose time was over while it waited for its turn to be sent again. */
  async #expire(job: PendingJob): Promise<void> {
    this.#options.budget.failed();
    await this.#skip(job, "its time was used up by waiting (job_timeout)");
  }

  async #skip(job: PendingJob, reason: string): Promise<void> {
    const skipped = await this.#options.books.skip(job.id, reason);
    this.#tally.skipped(skipped);
    this.#done(job, skipped);
  }

  #done(job: PendingJob, count: number): void {
    this.#unfinished.set(job.targetId, (this.#unfinished.get(job.targetId) ?? 0) - count);
    this.#jobs.release(job.id);
    this.#options.lockstep?.moved();
  }

  async #stopTarget(target: RunTarget, reason: string, kind: OutcomeKind): Promise<void> {
    // Where nothing is left to do, there is nothing to stop.
    if (this.#stoppedTargets.has(target.id) || this.#unfinished.get(target.id) === 0) return;
    this.#stoppedTargets.add(target.id);
    this.#jobs.drop(target.id);
    this.#options.lockstep?.moved();
    await this.#options.books.stopTarget(target.id, reason);
    this.#options.onEvent({ type: "target-stopped", lane: this.name, target: target.name, reason, kind });
    if (this.#jobs.targets === 0) this.stop(`all its targets are stopped`);
  }

  /** The books cannot be kept: nothing more is started. */
  #fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    this.#options.onFailure();
    this.#wake();
  }

  /** Every move is entered; told is what a person would want to know: a cut, and the end of a recovery. */
  #paceChanged(entry: PaceEntry): void {
    const { books, onEvent } = this.#options;
    books.notePace(entry).catch((error: unknown) => this.#fail(error));
    const { concurrency, ceiling, reason } = entry;
    if (concurrency > this.#told && concurrency < ceiling) return;
    this.#told = concurrency;
    onEvent({ type: "pace", lane: this.name, concurrency, reason });
  }

  #targetOf(job: PendingJob): RunTarget {
    const target = this.#options.targets.find(({ id }) => id === job.targetId);
    if (target === undefined) throw new Error(`job ${job.id} belongs to no target of ${this.name}`);
    return target;
  }
}

/** Why an outcome ends a target or a deployment: its error, and how an unexpected body began. */
function reasonOf({ kind, error, bodyStart }: Outcome): string {
  const shown = kind === "not-the-api" && bodyStart !== null ? `; it begins: ${bodyStart.slice(0, 200)}` : "";
  return `${error ?? kind}${shown}`;
}
