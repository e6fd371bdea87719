import PQueue from "p-queue";
import { type OutcomeKind, outcomes } from "../api/outcomes.ts";
import { steadyNow } from "../lib/clock.ts";
import { Attempts, type AttemptsOptions, type GrantedJob } from "./attempts.ts";
import type { GatedQueue } from "./gate.ts";
import type { AccountSide } from "./health.ts";
import type { OutageEntry, PaceEntry, PendingJob } from "./journal.ts";
import { JobSource } from "./job-source.ts";
import type { QueueSnapshot } from "./tally.ts";
import { waker } from "./waker.ts";

export interface EndpointQueueOptions extends Omit<
  AttemptsOptions,
  "queue" | "side" | "jobs" | "onChange" | "onFailure" | "onStopped" | "onNothingLeft"
> {
  /** One word for what its targets share. */
  endpoint: string;
  /** Called when gates may have opened for the jobs of others. */
  onMoved: () => void;
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

/** A queue that is held back by a gate looks this often whether it still is: others may give no sign any more. */
const gateLookMs = 1_000;

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
  readonly #jobs: JobSource;
  /** The slots: as many as the deployment allows, whatever its account may have. It tells when one is free. */
  readonly #queue: PQueue;
  readonly #side: AccountSide;
  readonly #gated: GatedQueue;
  readonly #attempts: Attempts;
  #stopped: string | null = null;
  #isEnough = false;
  #failure: { error: unknown } | null = null;
  readonly #waker = waker();
  #ended = false;
  readonly #tellPace: (entry: PaceEntry) => void;

  constructor(options: EndpointQueueOptions) {
    const { deployment, endpoint, targets, journal, health, gates } = options;
    this.name = `${deployment.name}/${endpoint}`;
    this.#options = options;
    const ids = targets.map(({ id }) => id);
    this.#jobs = new JobSource(journal, ids, this.#waker.wake);
    this.#queue = new PQueue({ concurrency: deployment.concurrency });
    this.#queue.addEventListener("next", this.#waker.wake);
    this.#side = this.#sideOf(ids);
    this.#attempts = new Attempts({
      ...options,
      queue: this.name,
      side: this.#side,
      jobs: this.#jobs,
      onChange: () => this.#moved(),
      onFailure: (error) => this.fail(error),
      onStopped: (reason, kind) => this.stop(reason, { deployment: true, kind }),
      onNothingLeft: (reason) => this.stop(reason, { ofTargets: true }),
    });
    health.join(this.#side);
    const reattached = this.#attempts.reattach();
    if (reattached.size > 0) this.#side.isProven = true;
    this.#tellPace = paceTeller(health.account.limit, ({ concurrency, reason }) =>
      options.onEvent({ type: "pace", queue: this.name, concurrency, reason }),
    );
    this.#gated = {
      targets: targets.filter(({ id }) => !reattached.has(id)),
      jobs: this.#jobs,
      frontier: () => (this.#isStopping || this.#ended || this.#givesNoSign() ? null : this.#jobs.frontier),
      isAskedByOthers: () => health.isAskedBeside(this.#side),
    };
    for (const gate of gates) gate.join(this.#gated);
  }

  /** The queue as one of those who send with its account. */
  #sideOf(targetIds: readonly number[]): AccountSide {
    const { deployment, endpoint, targets, journal, gates, onEvent } = this.#options;
    return {
      deployment: deployment.name,
      waitForServiceMs: deployment.waitForServiceMs ?? null,
      targetIds: new Set(targetIds),
      onEnded: this.#waker.wake,
      onChange: (entry) => this.#paceChanged(entry),
      onLongWait: (askedMs, waitMs) => onEvent({ type: "long-wait", queue: this.name, askedMs, waitMs }),
      isProven: targets.some(({ isProven }) => isProven === true),
      unfinished: () => this.#jobs.unfinished,
      hasOther: (isOneOf) => this.#jobs.hasOther(isOneOf),
      openRuns: () => this.#attempts.runs.size,
      isFirst: (jobId) => gates.some((gate) => gate.isAwaited(jobId)),
      isFirstSent: () => this.#attempts.inFlight.some((id) => this.#side.isFirst(id)),
      onAway: ({ status, patienceMs, entry }, jobs) => {
        this.#jobs.parkWaiting(jobs);
        if (this.#ended) return;
        onEvent({ type: "away", queue: this.name, status, patienceMs });
        this.#noteOutage(entry);
      },
      onGivenUp: (reason, kind) => this.stop(reason, { deployment: true, kind }),
      onRecovered: (givenBack) => this.#jobs.unpark(givenBack),
      onThere: () => {
        journal.noteBack(deployment.name, endpoint, journal.now()).catch((error: unknown) => this.fail(error));
      },
      onBack: ({ forMs, entry }) => {
        if (!this.#ended) onEvent({ type: "back", queue: this.name, forMs });
        this.#noteOutage(entry);
      },
    };
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
      const { leftReason } = this.#attempts.runs;
      if (leftReason !== null) this.stop(leftReason);
    } catch (error) {
      this.fail(error);
    }
    this.#ended = true;
    this.#attempts.runs.close();
    this.#jobs.close();
    this.#options.onMoved();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Starts nothing more; what is in flight is finished. `kind`: of the outcome that was the reason, if one was. */
  stop(reason: string, { deployment = false, kind = null, ofTargets }: StopCause = {}): void {
    if (this.#stopped !== null || this.#ended) return;
    this.#stopped = reason;
    const { onEvent, client } = this.#options;
    const { proxy, isKeyless } = client;
    const stopped = { reason, deployment, kind, proxy, isKeyless, ...(ofTargets && { ofTargets }) };
    onEvent({ type: "queue-stopped", queue: this.name, ...stopped });
    // A service that is away is not asked for its runs any more: a later process does that.
    if (kind !== null && outcomes[kind].cause === "away") this.#attempts.runs.close();
    this.#moved();
  }

  /** Starts nothing more, because nothing more is needed: that is no stop before the end. */
  enough(): void {
    this.#isEnough = true;
    this.#moved();
  }

  /** Sends nothing more to a target, because no more of it is needed: that is no stop, and others go on. */
  drop(targetId: number): void {
    if (!this.#side.targetIds.has(targetId)) return;
    this.#attempts.drop(targetId);
    this.#moved();
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

  /** Name of its deployment. */
  get deployment(): string {
    return this.#options.deployment.name;
  }

  get targetNames(): string[] {
    return this.#options.targets.map(({ name }) => name);
  }

  snapshot(): QueueSnapshot {
    const { deployment, health } = this.#options;
    const now = steadyNow();
    const { tally, inFlight, runs, leftOut } = this.#attempts;
    return tally.snapshot({
      name: this.name,
      deployment: deployment.name,
      inFlight: inFlight.size + runs.size,
      finishesWithinMs: Math.max(inFlight.finishesWithinMs(now), runs.inFlight.finishesWithinMs(now)),
      waiting: this.#jobs.waiting,
      leftOut,
      limit: Math.min(deployment.concurrency, health.account.limit),
      rate: health.account.rate,
      pausedMs: health.pauseMs(now),
      stall: health.stall(now, this.#side),
      stopped: this.#stopped,
    });
  }

  /** Others must not wait for this queue: it hangs for longer than its answers take, or the service lets nothing through. */
  #givesNoSign(): boolean {
    const { health, waits } = this.#options;
    const now = steadyNow();
    const { inFlight, runs, finishedAt } = this.#attempts;
    if (health.isAway(now) || inFlight.isSilent(now, finishedAt, waits.lockstepMs)) return true;
    return inFlight.size === 0 && runs.inFlight.isSilent(now, finishedAt, waits.lockstepMs);
  }

  get #isStopping(): boolean {
    return this.#stopped !== null || this.#isEnough || this.#failure !== null;
  }

  /** Nothing is in flight, and everything that has arrived is entered. */
  get isIdle(): boolean {
    return this.#attempts.isIdle;
  }

  /** Milliseconds until it is worth looking again, 0 to start a job now, or "done". `taken`: slots that others hold. */
  #readiness(taken: number): number | "done" {
    const { budget, health } = this.#options;
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
    if (!this.#mayBegin(next)) return gateLookMs;
    // A conversation goes on before another one begins: those that begin last would be alone at the end, each turn after the other.
    const held = next.turn === 1 && next.firstTriedAt === null ? this.#attempts.following : 0;
    if (taken + held >= this.#queue.concurrency) return Number.POSITIVE_INFINITY;
    if (this.#attempts.runs.size >= mostOpenRuns) return Number.POSITIVE_INFINITY;
    return health.waitMs(now);
  }

  #mayBegin(job: PendingJob): boolean {
    for (const gate of this.#options.gates) {
      const word = gate.mayBegin(job, this.#gated);
      if (word !== null) return word;
    }
    return true;
  }

  /**
   * Chooses the job that looks for a service that is away: one that was never sent, whose answer tells of the service and
   * not of a row that fails by itself; where none is left, one that a gateway has answered.
   */
  #lookFor(): void {
    const { health } = this.#options;
    if (!health.wantsLook) return;
    const mayLook = (job: PendingJob): boolean => this.#mayBegin(job);
    if (health.isOpen && this.#jobs.putFreshAhead(mayLook)) return;
    if (!this.#jobs.hasReady() || !mayLook(this.#jobs.peek())) this.#jobs.unparkOne(mayLook);
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
    this.#attempts.runs.close();
    this.#options.onFailure();
    this.#waker.wake();
  }

  #moved(): void {
    this.#waker.wake();
    this.#options.onMoved();
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
