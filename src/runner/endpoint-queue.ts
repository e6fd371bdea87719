import PQueue from "p-queue";
import type { Client } from "../client/client.ts";
import { type OutcomeKind, outcomes } from "../api/outcomes.ts";
import { steadyNow } from "../lib/clock.ts";
import { Attempts, type GrantedJob } from "./attempts.ts";
import type { OutageEntry, PaceEntry, PendingJob } from "./journal.ts";
import { JobSource } from "./job-source.ts";
import { JobsInFlight } from "./jobs-in-flight.ts";
import type { StepRules } from "./next-step.ts";
import type { RunTarget } from "./run-target.ts";
import { Answers } from "./answers.ts";
import { Completion, type SettlingOptions } from "./completion.ts";
import { SubmittedRuns } from "./submitted/submitted-runs.ts";
import type { QueueSnapshot } from "./tally.ts";
import type { AccountSide, Health } from "./health.ts";
import { waker } from "./waker.ts";

export interface EndpointQueueOptions
  extends
    StepRules,
    Pick<SettlingOptions, "journal" | "budget" | "lockstep" | "firstJobs" | "conversations" | "onEvent"> {
  /** One word for what its targets share. */
  endpoint: string;
  targets: RunTarget[];
  client: Client;
  /** Shared with the other queues of the same account. */
  health: Health;
  /** The key of a case by its id; empty where it is not known. */
  caseKey: (caseId: number) => string;
  /** Called at once when the journal cannot be kept; `run` rejects later, when nothing is in flight any more. */
  onFailure: () => void;
}

/** Cause of a queue's stop, beside the reason in words. */
interface StopCause {
  /** The whole deployment is out of reach, with all its queues. */
  deployment?: boolean;
  /** All its targets were stopped. */
  ofTargets?: true;
  kind?: OutcomeKind | null;
}

/** A queue that lets others catch up looks this often whether they still do. */
const lockstepLookMs = 1_000;

/** No more runs are submitted while so many are going on. */
const mostOpenRuns = 2_000;

/**
 * Drives the jobs of one endpoint of one deployment, with a cursor, a queue and health of its own.
 * Slots are granted first (concurrency, then rate), then the attempt is entered in the journal, then it is sent.
 * A job that waits, for a back-off or for a throttling service, holds no slot.
 */
export class EndpointQueue {
  readonly name: string;
  readonly #options: EndpointQueueOptions;
  readonly #targets: Map<number, RunTarget>;
  readonly #jobs: JobSource;
  /** The slots: as many as the deployment allows, whatever its account may have. It tells when one is free. */
  readonly #queue: PQueue;
  readonly #completion: Completion;
  readonly #side: AccountSide;
  readonly #inFlight = new JobsInFlight();
  readonly #attempts: Attempts;
  /** They hold no slot. */
  readonly #submitted: SubmittedRuns;
  #stopped: string | null = null;
  #isEnough = false;
  #failure: { error: unknown } | null = null;
  readonly #waker = waker();
  #ended = false;
  readonly #tellPace: (entry: PaceEntry) => void;

  constructor(options: EndpointQueueOptions) {
    const { deployment, endpoint, targets, journal, health, lockstep } = options;
    this.name = `${deployment.name}/${endpoint}`;
    this.#options = options;
    this.#targets = new Map(targets.map((target) => [target.id, target]));
    const onChange = this.#waker.wake;
    this.#jobs = new JobSource(journal, [...this.#targets.keys()], onChange);
    this.#queue = new PQueue({ concurrency: deployment.concurrency });
    this.#queue.addEventListener("next", onChange);
    this.#side = {
      deployment: deployment.name,
      targetIds: new Set(this.#targets.keys()),
      onEnded: onChange,
      onChange: (entry) => this.#paceChanged(entry),
      onLongWait: (askedMs, waitMs) => options.onEvent({ type: "long-wait", queue: this.name, askedMs, waitMs }),
      isProven: targets.some(({ isProven }) => isProven === true),
      unfinished: () => this.#jobs.unfinished,
      hasOther: (isOneOf) => this.#jobs.hasOther(isOneOf),
      openRuns: () => this.#submitted.size,
      isFirst: (jobId) => options.firstJobs?.isHolding(jobId) === true,
      isFirstSent: () => options.firstJobs !== null && this.#inFlight.some((id) => this.#side.isFirst(id)),
      onAway: ({ status, patienceMs, entry }, jobs) => {
        this.#jobs.parkWaiting(jobs);
        if (this.#ended) return;
        options.onEvent({ type: "away", queue: this.name, status, patienceMs });
        this.#noteOutage(entry);
      },
      onRecovered: (givenBack) => this.#jobs.unpark(givenBack),
      onThere: () => {
        journal.noteBack(deployment.name, endpoint, journal.now()).catch((error: unknown) => this.fail(error));
      },
      onBack: ({ forMs, entry }) => {
        if (!this.#ended) options.onEvent({ type: "back", queue: this.name, forMs });
        this.#noteOutage(entry);
      },
    };
    this.#completion = new Completion({
      ...options,
      queue: this.name,
      jobs: this.#jobs,
      onChange,
      onFailure: (error) => this.fail(error),
      onNothingLeft: (reason) => this.stop(reason, { ofTargets: true }),
    });
    const onStopped = (reason: string, kind: OutcomeKind): void => this.stop(reason, { deployment: true, kind });
    const answers = new Answers({
      ...options,
      side: this.#side,
      jobs: this.#jobs,
      completion: this.#completion,
      onStopped,
    });
    this.#submitted = new SubmittedRuns({
      ...options,
      jobs: this.#jobs,
      answers,
      onRefused: onStopped,
      onChange,
    });
    this.#attempts = new Attempts({
      ...options,
      targets: this.#targets,
      side: this.#side,
      jobs: this.#jobs,
      inFlight: this.#inFlight,
      completion: this.#completion,
      answers,
      submitted: this.#submitted,
    });
    health.join(this.#side);
    const reattached = this.#submitted.reattach(this.#targets);
    if (reattached.size > 0) this.#side.isProven = true;
    options.firstJobs?.join(
      targets.filter(({ id }) => !reattached.has(id)),
      this.#jobs,
    );
    this.#tellPace = paceTeller(health.account.limit, ({ concurrency, reason }) =>
      options.onEvent({ type: "pace", queue: this.name, concurrency, reason }),
    );
    if (lockstep !== null) this.#jobs.keepOrder();
    lockstep?.join(this.name, {
      frontier: () => (this.#isStopping || this.#ended || this.#givesNoSign() ? null : this.#jobs.frontier),
    });
  }

  /** Runs until nothing is left to do here or the queue is stopped; what is in flight then is finished first. */
  async run(): Promise<void> {
    try {
      while (!this.#isStopping) {
        const waitMs = this.#readiness(this.#queue.pending);
        if (waitMs === "done") break;
        if (waitMs > 0) await this.#waker.changeWithin(waitMs);
        else this.#start(this.#jobs.take());
      }
      while (!this.isIdle) await this.#waker.changeWithin(Number.POSITIVE_INFINITY);
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
  stop(reason: string, { deployment = false, kind = null, ofTargets }: StopCause = {}): void {
    if (this.#stopped !== null || this.#ended) return;
    this.#stopped = reason;
    const { onEvent, client } = this.#options;
    const stopped = { reason, deployment, kind, proxy: client.proxy, ...(ofTargets && { ofTargets }) };
    onEvent({ type: "queue-stopped", queue: this.name, ...stopped });
    this.#options.lockstep?.moved();
    // A service that is away is not asked for its runs any more: a later process does that.
    if (kind !== null && outcomes[kind].cause === "away") this.#submitted.close();
    if (deployment) this.#options.firstJobs?.unreached([...this.#targets.values()].map(({ name }) => name));
    this.#waker.wake();
  }

  /** Starts nothing more, because nothing more is needed: that is no stop before the end. */
  enough(): void {
    this.#isEnough = true;
    this.#options.lockstep?.moved();
    this.#waker.wake();
  }

  /** Sends nothing more to a target, because no more of it is needed: that is no stop, and others go on. */
  drop(targetId: number): void {
    if (!this.#targets.has(targetId)) return;
    this.#jobs.drop(targetId);
    this.#completion.dropped(targetId);
    this.#options.lockstep?.moved();
    this.#waker.wake();
  }

  /** Like `stop`; what is in flight will be cut off by the client and stays in doubt. */
  abandon(reason: string): void {
    this.#attempts.abandon();
    this.stop(reason);
  }

  /** Is told nothing more of its service, when it has ended. */
  leave(): void {
    this.#options.health.leave(this.#side);
  }

  /** Wakes the queue: something outside it has changed. */
  nudge(): void {
    this.#waker.wake();
  }

  snapshot(): QueueSnapshot {
    const { deployment, health } = this.#options;
    const now = steadyNow();
    return this.#completion.tally.snapshot({
      name: this.name,
      deployment: deployment.name,
      inFlight: this.#inFlight.size + this.#submitted.size,
      finishesWithinMs: Math.max(this.#inFlight.finishesWithinMs(now), this.#submitted.finishesWithinMs(now)),
      waiting: this.#jobs.waiting,
      leftOut: this.#completion.leftOut,
      limit: Math.min(deployment.concurrency, health.account.limit),
      rate: health.account.rate,
      pausedMs: health.pauseMs(now),
      stall: health.stall(now),
      stopped: this.#stopped,
    });
  }

  /** Nobody should wait for this queue: it hangs for longer than its answers take, or the service lets nothing through. */
  #givesNoSign(): boolean {
    const { health, waits } = this.#options;
    const now = steadyNow();
    const { finishedAt } = this.#completion;
    if (health.isAway(now) || this.#inFlight.isSilent(now, finishedAt, waits.lockstepMs)) return true;
    return this.#inFlight.size === 0 && this.#submitted.isSilent(now, finishedAt, waits.lockstepMs);
  }

  get #isStopping(): boolean {
    return this.#stopped !== null || this.#isEnough || this.#failure !== null;
  }

  /** Nothing is in flight, and everything that has arrived is entered. */
  get isIdle(): boolean {
    return this.#inFlight.size === 0 && this.#submitted.size === 0 && this.#completion.isIdle;
  }

  /** Milliseconds until it is worth looking again, 0 to start a job now, or "done". `taken`: slots that others hold. */
  #readiness(taken: number): number | "done" {
    const { budget, firstJobs, lockstep, health } = this.#options;
    const now = steadyNow();
    this.#lookFor();
    if (!this.#jobs.hasReady()) {
      if (!this.isIdle || this.#jobs.waiting > 0) return Number.POSITIVE_INFINITY;
      return health.nothingLeft(this.#side) ? Number.POSITIVE_INFINITY : "done";
    }
    const spent = budget.spent(now);
    if (spent !== null) {
      // Requests in flight may still turn out not to have cost anything.
      if (!this.isIdle) return Number.POSITIVE_INFINITY;
      this.stop(spent);
      return "done";
    }
    const next = this.#jobs.peek();
    if (firstJobs?.mustWait(next.id) === true) return Number.POSITIVE_INFINITY;
    if (firstJobs?.isHolding(next.id) === true && health.mustWait(this.#side)) return Number.POSITIVE_INFINITY;
    const isNew = next.firstTriedAt === null && firstJobs?.has(next.id) !== true;
    if (isNew && lockstep?.mustWait(this.name, next.id) === true) return lockstepLookMs;
    // A conversation goes on before another one begins: those that begin last would be alone at the end, each turn after the other.
    const held = next.turn === 1 && next.firstTriedAt === null ? this.#completion.following : 0;
    if (taken + held >= this.#queue.concurrency) return Number.POSITIVE_INFINITY;
    if (this.#submitted.size >= mostOpenRuns) return Number.POSITIVE_INFINITY;
    return health.waitMs(now);
  }

  /**
   * Chooses the job that looks for a service that is away: one that was never sent, whose answer tells of the service and
   * not of a row that fails by itself; where none is left, one that a gateway has answered.
   */
  #lookFor(): void {
    const { firstJobs, health } = this.#options;
    if (!health.wantsLook) return;
    const mayLook = (jobId: number): boolean => firstJobs?.mustWait(jobId) !== true;
    if (health.isOpen && this.#jobs.putFreshAhead(mayLook)) return;
    if (!this.#jobs.hasReady() || !mayLook(this.#jobs.peek().id)) this.#jobs.unparkOne(mayLook);
  }

  /** Gives a job a slot of the queue. */
  #start(job: PendingJob): void {
    const granted = this.#attempts.grant(job);
    if (granted !== null) void this.#queue.add(() => this.#inSlot(granted));
  }

  /** Holds a slot for one attempt after the other, as long as the next one may leave at once. */
  async #inSlot(first: GrantedJob): Promise<void> {
    try {
      for (let granted: GrantedJob | null = first; granted !== null; granted = this.#next())
        await this.#attempts.make(granted);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The next job if it may leave at once: in the slot that is free now, which spares the queue a task. */
  #next(): GrantedJob | null {
    // A slot that others may take as well is for the one who has waited.
    if (this.#isStopping || this.#options.health.isShared || this.#readiness(this.#queue.pending - 1) !== 0)
      return null;
    return this.#attempts.grant(this.#jobs.take());
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

  #noteOutage(entry: OutageEntry): void {
    this.#options.journal.noteOutage(entry).catch((error: unknown) => this.fail(error));
  }

  /** Every move is entered, and some are told. */
  #paceChanged(entry: PaceEntry): void {
    this.#options.journal.notePace(entry).catch((error: unknown) => this.fail(error));
    this.#tellPace(entry);
  }
}

/**
 * Tells the moves of a queue's concurrency that a person would want to know: a cut, and the end of a recovery.
 * `reported`: the concurrency that is known at first.
 */
function paceTeller(reported: number, tell: (entry: PaceEntry) => void): (entry: PaceEntry) => void {
  let last = reported;
  return (entry) => {
    if (entry.concurrency > last && entry.concurrency < entry.ceiling) return;
    last = entry.concurrency;
    tell(entry);
  };
}
