import { setImmediate as nextTurn } from "node:timers/promises";
import type { Client } from "../client/client.ts";
import { outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import type { AccountSide, Health } from "./health.ts";
import type { Answers } from "./answers.ts";
import type { Budget } from "./budget.ts";
import type { Completion } from "./completion.ts";
import type { JobSource } from "./job-source.ts";
import type { JobsInFlight } from "./jobs-in-flight.ts";
import type { Journal, PendingJob, Sending } from "./journal.ts";
import { timeLeft } from "./next-step.ts";
import { requestOf } from "./request.ts";
import type { RunTarget } from "./run-target.ts";
import type { Deployment } from "../suite/suite.ts";
import type { SubmittedRuns } from "./submitted/submitted-runs.ts";

/** A job that may leave now. */
export interface GrantedJob {
  job: PendingJob;
  timeoutMs: number;
}

/** An attempt that was sent. */
interface Tried {
  job: PendingJob;
  target: RunTarget;
  entry: Sending;
  /** The moment of the steady clock at which it was queued. */
  queuedAt: number;
}

interface AttemptsOptions {
  /** By their ids. */
  targets: ReadonlyMap<number, RunTarget>;
  deployment: Deployment;
  client: Client;
  journal: Journal;
  health: Health;
  side: AccountSide;
  budget: Budget;
  jobs: JobSource;
  inFlight: JobsInFlight;
  completion: Completion;
  answers: Answers;
  submitted: SubmittedRuns;
}

/** An entry in the journal takes a few milliseconds; this long only where the disk or a lock keeps it. */
const longCommitMs = 500;

/** Makes the attempts of a queue, from the grant of what each needs and its entry in the journal to its answer. */
export class Attempts {
  readonly #options: AttemptsOptions;
  #abandoned = false;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Requests in flight are being cut off, and stay in doubt. */
  abandon(): void {
    this.#abandoned = true;
    this.#options.submitted.close();
  }

  /** Takes what an attempt needs before it may leave; null when the job's time is over. */
  grant(job: PendingJob): GrantedJob | null {
    const { deployment, completion, health, budget, inFlight } = this.#options;
    const now = steadyNow();
    const leftMs = timeLeft(job, deployment, now - health.standstillMs(now));
    if (leftMs <= 0) {
      completion.expired(job);
      return null;
    }
    health.take(job.id, now);
    budget.take();
    const timeoutMs = Math.min(deployment.timeoutMs, leftMs);
    inFlight.start(job.id, now, timeoutMs);
    return { job, timeoutMs };
  }

  /** Makes one attempt; its slot is free afterwards. */
  async make({ job, timeoutMs }: GrantedJob): Promise<void> {
    const { journal, client, health, side, inFlight } = this.#options;
    let hasLeft = false;
    try {
      const target = this.#targetOf(job);
      const request = requestOf(job, target, journal, timeoutMs);
      const askedAt = steadyNow();
      const date = journal.now();
      const entry: Sending = {
        jobId: job.id,
        number: job.attempts + 1,
        queuedAt: date,
        service: health.account.service,
      };
      if (!(await journal.sending(entry))) {
        this.#notSent(job);
        this.#options.jobs.leave(job.id);
        return;
      }
      const enteredAt = steadyNow();
      // A connection that the service has closed while the journal kept us is known as such a turn later.
      if (enteredAt - askedAt > longCommitMs) await nextTurn();
      // One that had to wait for leave was queued when it had that: its new date belongs to this moment.
      const queuedAt = entry.queuedAt === date ? askedAt : enteredAt;
      // All dates of an attempt go by the time to which the machine was set when it was queued.
      request.dateOffset = entry.queuedAt - queuedAt;
      const { leave } = health.account;
      if (leave !== null) request.mayLeave = () => (hasLeft ||= leave());
      const outcome = await client.attempt(request);
      if (outcome.heldBack === true) {
        await journal.giveBack(entry);
        this.#notSent(job);
        // It is sent when the share allows.
        this.#options.jobs.again(job);
        return;
      }
      // Given up in flight: its result is not known, so the journal leaves it in doubt.
      if (this.#abandoned && outcomes[outcome.kind].mayBePaid) return;
      const tried = { job, target, entry, queuedAt };
      if (target.mode === "async" && outcome.kind === "ok") await this.#taken(tried, outcome);
      else this.#answered(tried, outcome);
    } finally {
      inFlight.end(job.id);
      health.ended(side, hasLeft);
    }
  }

  #notSent(job: PendingJob): void {
    this.#options.budget.giveBack();
    this.#options.health.gaveBack(job.id);
  }

  /** Leaves an attempt to the service, which has taken it as a run. */
  async #taken(tried: Tried, outcome: Outcome): Promise<void> {
    const { answers, health, submitted } = this.#options;
    const { job, queuedAt } = tried;
    if (!this.#abandoned) answers.learn(job.id, outcome, queuedAt);
    const firstTriedAt = job.firstTriedAt ?? queuedAt - health.standstillMs(steadyNow());
    await submitted.take({ ...tried, job: { ...job, firstTriedAt } }, outcome);
    if (this.#abandoned) submitted.close();
  }

  #answered({ job, target, entry, queuedAt }: Tried, outcome: Outcome): void {
    const { answers, inFlight, health } = this.#options;
    // Set one by one: behind a spread, each name would be looked up anew.
    const tried = { ...job };
    tried.attempts = entry.number;
    // While a service cannot be reached nothing is tried: that time is nobody's.
    if (outcomes[outcome.kind].left || outcome.localLimit)
      tried.firstTriedAt ??= queuedAt - health.standstillMs(steadyNow());
    if (outcome.kind === "ok") inFlight.took(steadyNow() - queuedAt);
    const learned = this.#abandoned ? undefined : answers.learn(job.id, outcome, queuedAt);
    answers.settle({
      job: tried,
      target,
      queuedAt: entry.queuedAt,
      outcome: learned?.outcome ?? outcome,
      ...(learned !== undefined && { learned }),
    });
  }

  #targetOf(job: PendingJob): RunTarget {
    const target = this.#options.targets.get(job.targetId);
    if (target === undefined) throw new Error(`job ${job.id} belongs to no target of this queue`);
    return target;
  }
}
