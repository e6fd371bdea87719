import { setImmediate as nextTurn } from "node:timers/promises";
import PQueue from "p-queue";
import type { Client } from "../client/client.ts";
import type { Outcome, OutcomeKind } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import type { Journal, PaceEntry, PendingJob, Sending } from "./journal.ts";
import type { Budget } from "./budget.ts";
import type { FirstJobs } from "./first-jobs.ts";
import { JobSource } from "./job-source.ts";
import { JobsInFlight } from "./jobs-in-flight.ts";
import type { Lockstep } from "./lockstep.ts";
import { type StepRules, timeLeft } from "./next-step.ts";
import { paceTeller } from "./pace-teller.ts";
import type { QueueEvent } from "./queue-event.ts";
import { requestOf } from "./request.ts";
import type { RunTarget } from "./run-target.ts";
import { Answers } from "./answers.ts";
import { Completion } from "./completion.ts";
import { SubmittedRuns } from "./submitted/submitted-runs.ts";
import type { QueueSnapshot } from "./tally.ts";
import type { AccountLimits, AccountSide } from "./account-limits.ts";
import { waker } from "./waker.ts";

export interface EndpointQueueOptions extends StepRules {
  /** One word for what its targets share. */
  endpoint: string;
  targets: RunTarget[];
  client: Client;
  journal: Journal;
  budget: Budget;
  lockstep: Lockstep | null;
  /** Holds the others back; null: nothing is held back. */
  firstJobs: FirstJobs | null;
  /** Shared with the other queues of the same account. */
  limits: AccountLimits;
  /** True when jobs may wait for others. */
  conversations: boolean;
  onEvent: (event: QueueEvent) => void;
  /** Called at once when the journal cannot be kept; `run` rejects later, when nothing is in flight any more. */
  onFailure: () => void;
}

/** Cause of a queue's stop, beside the reason in words. */
interface StopCause {
  /** The whole deployment is out of reach, with all its queues. */
  deployment?: boolean;
  kind?: OutcomeKind | null;
}

/** A job that may leave now. */
interface Granted {
  job: PendingJob;
  timeoutMs: number;
}

/** An entry in the journal takes a few milliseconds; this long only where the disk or a lock keeps it. */
const longCommitMs = 500;

/** A queue that lets others catch up looks this often whether they still do. */
const lockstepLookMs = 1_000;

/** No more runs are submitted while so many are going on. */
const mostOpenRuns = 1_000;

/** An attempt that was sent, with the moment of the steady clock at which it was queued. */
interface Tried {
  job: PendingJob;
  target: RunTarget;
  entry: Sending;
  queuedAt: number;
}

/**
 * Drives the jobs of one endpoint of one deployment, with a cursor, a queue, limits and health of its own.
 * Slots are granted first (concurrency, then rate), then the attempt is entered in the journal, then it is sent.
 * A job that waits, for a back-off or for a throttling service, holds no slot.
 */
export class EndpointQueue {
  readonly name: string;
  readonly #options: EndpointQueueOptions;
  readonly #targets: Map<number, RunTarget>;
  readonly #jobs: JobSource;
  readonly #queue: PQueue;
  readonly #completion: Completion;
  readonly #side: AccountSide;
  readonly #inFlight = new JobsInFlight();
  readonly #answers: Answers;
  /** They hold no slot. */
  readonly #submitted: SubmittedRuns;
  #stopped: string | null = null;
  #isEnough = false;
  #failure: { error: unknown } | null = null;
  readonly #waker = waker();
  #abandoned = false;
  #ended = false;
  readonly #tellPace: (entry: PaceEntry) => void;

  constructor(options: EndpointQueueOptions) {
    const { deployment, endpoint, targets, journal, limits, lockstep } = options;
    this.name = `${deployment.name}/${endpoint}`;
    this.#options = options;
    this.#targets = new Map(targets.map((target) => [target.id, target]));
    const onChange = this.#waker.wake;
    this.#jobs = new JobSource(journal, [...this.#targets.keys()], onChange);
    this.#queue = new PQueue({ concurrency: deployment.concurrency });
    this.#side = {
      deployment: deployment.name,
      onEnded: onChange,
      onChange: (entry) => this.#paceChanged(entry),
      onLongWait: (askedMs, waitMs) => options.onEvent({ type: "long-wait", lane: this.name, askedMs, waitMs }),
    };
    this.#completion = new Completion({
      ...options,
      lane: this.name,
      jobs: this.#jobs,
      onChange,
      onFailure: (error) => this.fail(error),
      onNothingLeft: (reason) => this.stop(reason),
    });
    const onStopped = (reason: string, kind: OutcomeKind): void => this.stop(reason, { deployment: true, kind });
    this.#answers = new Answers({
      ...options,
      side: this.#side,
      jobs: this.#jobs,
      completion: this.#completion,
      onStopped,
    });
    this.#submitted = new SubmittedRuns({
      ...options,
      jobs: this.#jobs,
      answers: this.#answers,
      onRefused: onStopped,
      onChange,
    });
    limits.join(this.#side);
    const reattached = this.#submitted.reattach(this.#targets);
    options.firstJobs?.join(
      targets.filter(({ id }) => !reattached.has(id)),
      this.#jobs,
    );
    this.#tellPace = paceTeller(limits.limit, ({ concurrency, reason }) =>
      options.onEvent({ type: "pace", lane: this.name, concurrency, reason }),
    );
    lockstep?.join(this.name, {
      frontier: () => (this.#isStopping || this.#ended || this.#givesNoSign() ? null : this.#jobs.frontier),
    });
  }

  /** Runs until nothing is left to do here or the queue is stopped; what is in flight then is finished first. */
  async run(): Promise<void> {
    try {
      while (!this.#isStopping) {
        const waitMs = this.#readiness();
        if (waitMs === "done") break;
        if (waitMs > 0) await this.#waker.changeWithin(waitMs);
        else this.#start(this.#jobs.take());
      }
      while (!this.#isIdle) await this.#waker.changeWithin(Number.POSITIVE_INFINITY);
      const { leftReason } = this.#submitted;
      if (leftReason !== null) this.stop(leftReason);
    } catch (error) {
      this.fail(error);
    }
    this.#ended = true;
    this.#submitted.close();
    this.#jobs.close();
    this.#options.lockstep?.moved();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Starts nothing more; what is in flight is finished. `kind`: of the outcome that was the reason, if one was. */
  stop(reason: string, { deployment = false, kind = null }: StopCause = {}): void {
    if (this.#stopped !== null || this.#ended) return;
    this.#stopped = reason;
    const { onEvent, client } = this.#options;
    onEvent({ type: "lane-stopped", lane: this.name, reason, deployment, kind, proxy: client.proxy });
    this.#options.lockstep?.moved();
    if (deployment) this.#options.firstJobs?.unreached([...this.#targets.values()].map(({ name }) => name));
    this.#waker.wake();
  }

  /** Starts nothing more, because nothing more is needed: that is no stop before the end. */
  enough(): void {
    this.#isEnough = true;
    this.#options.lockstep?.moved();
    this.#waker.wake();
  }

  /** Like `stop`; what is in flight will be cut off by the client and stays in doubt. */
  abandon(reason: string): void {
    this.#abandoned = true;
    this.#submitted.close();
    this.stop(reason);
  }

  /** Wakes the queue: something outside it has changed. */
  nudge(): void {
    this.#waker.wake();
  }

  snapshot(): QueueSnapshot {
    const { deployment, limits } = this.#options;
    const now = steadyNow();
    return this.#completion.tally.snapshot({
      lane: this.name,
      deployment: deployment.name,
      inFlight: this.#inFlight.size + this.#submitted.size,
      finishesWithinMs: Math.max(this.#inFlight.finishesWithinMs(now), this.#submitted.finishesWithinMs(now)),
      waiting: this.#jobs.waiting,
      leftOut: this.#completion.leftOut,
      limit: Math.min(deployment.concurrency, limits.limit),
      rate: limits.rate,
      pausedMs: limits.pauseMs(now),
      stopped: this.#stopped,
    });
  }

  /** Nobody should wait for this queue: it hangs for longer than its answers take, or the service lets nothing through. */
  #givesNoSign(): boolean {
    const { limits, waits } = this.#options;
    const now = steadyNow();
    const { finishedAt } = this.#completion;
    if (limits.isAway(now) || this.#inFlight.isSilent(now, finishedAt, waits.lockstepMs)) return true;
    return this.#inFlight.size === 0 && this.#submitted.isSilent(now, finishedAt, waits.lockstepMs);
  }

  get #isStopping(): boolean {
    return this.#stopped !== null || this.#isEnough || this.#failure !== null;
  }

  get #isIdle(): boolean {
    return this.#inFlight.size === 0 && this.#submitted.size === 0 && this.#completion.isIdle;
  }

  /** Milliseconds until it is worth looking again, 0 to start a job now, or "done". */
  #readiness(): number | "done" {
    const { deployment, budget, firstJobs, lockstep, limits } = this.#options;
    const now = steadyNow();
    if (!this.#jobs.hasReady()) {
      return this.#isIdle && this.#jobs.waiting === 0 ? "done" : Number.POSITIVE_INFINITY;
    }
    const spent = budget.spent(now);
    if (spent !== null) {
      // Requests in flight may still turn out not to have cost anything.
      if (!this.#isIdle) return Number.POSITIVE_INFINITY;
      this.stop(spent);
      return "done";
    }
    const next = this.#jobs.peek();
    if (firstJobs?.mustWait(next.id) === true) return Number.POSITIVE_INFINITY;
    const isNew = next.firstTriedAt === null && firstJobs?.has(next.id) !== true;
    if (isNew && lockstep?.mustWait(this.name, next.id) === true) return lockstepLookMs;
    if (this.#inFlight.size >= deployment.concurrency) return Number.POSITIVE_INFINITY;
    if (this.#submitted.size >= mostOpenRuns) return Number.POSITIVE_INFINITY;
    return limits.waitMs(now);
  }

  /** Gives a job a slot of the queue. */
  #start(job: PendingJob): void {
    const granted = this.#grant(job);
    if (granted !== null) void this.#queue.add(() => this.#inSlot(granted));
  }

  /** Takes what an attempt needs before it may leave; null when the job's time is over. */
  #grant(job: PendingJob): Granted | null {
    const now = steadyNow();
    const leftMs = timeLeft(job, this.#options.deployment, now);
    if (leftMs <= 0) {
      this.#completion.expired(job);
      return null;
    }
    this.#options.limits.take(job.id, now);
    this.#options.budget.take();
    const timeoutMs = Math.min(this.#options.deployment.timeoutMs, leftMs);
    this.#inFlight.start(job.id, now, timeoutMs);
    return { job, timeoutMs };
  }

  /** Holds a slot for one attempt after the other, as long as the next one may leave at once. */
  async #inSlot(first: Granted): Promise<void> {
    try {
      for (let granted: Granted | null = first; granted !== null; granted = this.#next()) await this.#attempt(granted);
    } catch (error) {
      this.fail(error);
    }
    this.#waker.wake();
  }

  /** The next job if it may leave at once: in the slot that is free now, which spares the queue a task. */
  #next(): Granted | null {
    // A slot that others may take as well is for the one who has waited.
    if (this.#isStopping || this.#options.limits.isShared || this.#readiness() !== 0) return null;
    return this.#grant(this.#jobs.take());
  }

  /** Makes one attempt, from the entry in the journal to the answer. */
  async #attempt({ job, timeoutMs }: Granted): Promise<void> {
    const { journal, client, limits } = this.#options;
    try {
      const target = this.#targetOf(job);
      const request = requestOf(job, target, journal, timeoutMs);
      const queuedAt = steadyNow();
      const date = journal.now();
      const entry: Sending = { jobId: job.id, number: job.attempts + 1, queuedAt: date, service: limits.service };
      if (!(await journal.sending(entry))) {
        this.#givenBack(job);
        return;
      }
      // A connection that the service has closed while the journal kept us is known as such a turn later.
      if (journal.now() - date > longCommitMs) await nextTurn();
      // All dates of an attempt go by the time to which the machine was set when it was queued.
      request.dateOffset = date - queuedAt;
      const outcome = await client.attempt(request);
      // Given up in flight: its result is not known, so the journal leaves it in doubt.
      if (this.#abandoned && outcome.kind === "ambiguous") return;
      const tried = { job, target, entry, queuedAt: queuedAt + entry.queuedAt - date };
      if (target.mode === "async" && outcome.kind === "ok") await this.#taken(tried, outcome);
      else this.#answered(tried, outcome);
    } finally {
      this.#inFlight.end(job.id);
      limits.ended(this.#side);
    }
  }

  /** Leaves a job, which may not be sent, to whoever has it. */
  #givenBack(job: PendingJob): void {
    const { budget, limits } = this.#options;
    budget.giveBack();
    limits.gaveBack(job.id);
    this.#jobs.leave(job.id);
  }

  /** Leaves an attempt to the service, which has taken it as a run. */
  async #taken(tried: Tried, outcome: Outcome): Promise<void> {
    const { job, queuedAt } = tried;
    if (!this.#abandoned) this.#answers.learn(job.id, outcome, queuedAt);
    const firstTriedAt = job.firstTriedAt ?? queuedAt;
    await this.#submitted.take({ ...tried, job: { ...job, firstTriedAt } }, outcome);
    if (this.#abandoned) this.#submitted.close();
  }

  #answered({ job, target, entry, queuedAt }: Tried, outcome: Outcome): void {
    // Set one by one: behind a spread, each name would be looked up anew.
    const tried = { ...job };
    tried.attempts = entry.number;
    // While a service cannot be reached nothing is tried: that time is nobody's.
    if (outcome.kind !== "not-sent" || outcome.localLimit) tried.firstTriedAt ??= queuedAt;
    if (outcome.kind === "ok") this.#inFlight.took(steadyNow() - queuedAt);
    if (!this.#abandoned) this.#answers.learn(job.id, outcome, queuedAt);
    this.#answers.settle({ job: tried, target, queuedAt: entry.queuedAt, outcome });
  }

  /** The journal cannot be kept: nothing more is started. */
  fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    // Their ends could not be entered.
    this.#submitted.close();
    this.#options.onFailure();
    this.#waker.wake();
  }

  /** Every move is entered, and some are told. */
  #paceChanged(entry: PaceEntry): void {
    this.#options.journal.notePace(entry).catch((error: unknown) => this.fail(error));
    this.#tellPace(entry);
  }

  #targetOf(job: PendingJob): RunTarget {
    const target = this.#targets.get(job.targetId);
    if (target === undefined) throw new Error(`job ${job.id} belongs to no target of ${this.name}`);
    return target;
  }
}
