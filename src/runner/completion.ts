import type { Client } from "../client/client.ts";
import { type OutcomeKind, outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import type { Deployment } from "../suite/suite.ts";
import type { Health } from "./health.ts";
import type { Journal, PendingJob, Settlement } from "./journal.ts";
import { type Budget, paidFor } from "./budget.ts";
import { type Decision, isSpent } from "./decision.ts";
import type { FirstJobs } from "./first-jobs.ts";
import type { JobSource } from "./job-source.ts";
import type { QueueEvent } from "./queue-event.ts";
import type { Lockstep } from "./lockstep.ts";
import { Repetition } from "./repetition.ts";
import type { RunTarget } from "./run-target.ts";
import { Tally } from "./tally.ts";

export interface SettlingOptions {
  /** The queue's name. */
  queue: string;
  deployment: Pick<Deployment, "retries">;
  health: Pick<Health, "isWaiting" | "givenBackTo">;
  targets: readonly RunTarget[];
  jobs: JobSource;
  journal: Journal;
  client: Pick<Client, "proxy">;
  budget: Budget;
  lockstep: Lockstep | null;
  /** Holds the others back; null: nothing is held back. */
  firstJobs: FirstJobs | null;
  /** True when jobs may wait for others. */
  conversations: boolean;
  onEvent: (event: QueueEvent) => void;
  /** Called when something has been settled. */
  onChange: () => void;
  /** The journal cannot be kept. */
  onFailure: (error: unknown) => void;
  /** Every target is stopped or has finished; the reason names those that were stopped. */
  onNothingLeft: (reason: string) => void;
}

/** An attempt with its answer, and what that means for its job. */
export interface Answered {
  job: PendingJob;
  target: RunTarget;
  entry: Settlement;
  decision: Decision;
  /** Milliseconds until a retry. */
  backoffMs: number;
  /** The number of times that the job's tries had been given back by then. */
  givenBack: number;
  /** It is throttled, and others go before it. */
  goesBehind: boolean;
  /** Milliseconds for which it alone has to wait before that. */
  ownWaitMs: number;
  /** The reason why nothing more is sent to the target; null: the decision is another. */
  stopReason: string | null;
}

/**
 * Completes a job after its answer: the answer is committed, and only then counted; then the job is finished, sent
 * again, or left, and the jobs that depend on it are let go or skipped. It holds no slot, so that the entry of the next
 * attempt is in the same commit.
 */
export class Completion {
  readonly tally: Tally;
  readonly #options: SettlingOptions;
  readonly #repetitions = new Map<number, Repetition>();
  /** Stopped target to the words for that. */
  readonly #stoppedTargets = new Map<number, string>();
  /** Targets of which no more is needed. */
  readonly #dropped = new Set<number>();
  /** Target to its jobs that are not finished. */
  readonly #unfinished: Map<number, number>;
  #busy = 0;
  /** Answers that are being committed, and that the next turn of a conversation may follow. */
  following = 0;
  /** When a job was finished last; 0: none was. */
  finishedAt = 0;

  constructor(options: SettlingOptions) {
    this.#options = options;
    this.#unfinished = new Map(options.targets.map(({ id, unfinished }) => [id, unfinished]));
    for (const { id } of options.targets) this.#repetitions.set(id, new Repetition());
    this.tally = new Tally(options.targets.reduce((sum, { unfinished }) => sum + unfinished, 0));
  }

  /** True when nothing is being committed or followed up. */
  get isIdle(): boolean {
    return this.#busy === 0;
  }

  /** Unfinished jobs of targets to which nothing more is sent. */
  get leftOut(): number {
    return [...new Set([...this.#stoppedTargets.keys(), ...this.#dropped])].reduce(
      (sum, id) => sum + (this.#unfinished.get(id) ?? 0),
      0,
    );
  }

  /** No more is needed of a target: it is not stopped for what still fails. */
  dropped(targetId: number): void {
    this.#dropped.add(targetId);
  }

  /** Settles an answer; the queue goes on meanwhile. */
  answered(given: Answered): void {
    const { decision, entry } = given;
    const isFollowed = this.#options.conversations && decision === "finish" && entry.outcome.kind === "ok";
    if (isFollowed) this.following += 1;
    void this.#inTurn(async () => {
      try {
        await this.#settle(given);
      } finally {
        if (isFollowed) this.following -= 1;
      }
    });
  }

  /** Ends a job by its latest attempt, whose refusal is the fault of its row. */
  conclude(job: PendingJob, target: RunTarget, outcome: Outcome): void {
    const { queue, budget, journal, onEvent } = this.#options;
    budget.failed();
    void this.#inTurn(async () => {
      await journal.conclude?.(job.id, job.attempts, outcome.kind);
      this.tally.concluded();
      onEvent({ type: "settled", queue, target: target.name, job, outcome, decision: "finish" });
      await this.#finish(job, outcome);
    });
  }

  /** Sends nothing more to a target. */
  stopTarget(target: RunTarget, reason: string, kind: OutcomeKind): void {
    this.#options.jobs.drop(target.id);
    void this.#inTurn(() => this.#stopTarget(target, reason, kind));
  }

  /** Ends a job whose time was over while it waited for its turn to be sent again. */
  expired(job: PendingJob): void {
    this.#options.budget.failed();
    this.#options.firstJobs?.gone(job.id);
    void this.#inTurn(() => this.#skip(job, "its time was used up by waiting (job_timeout)"));
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    this.#busy += 1;
    try {
      await work();
    } catch (error) {
      this.#options.onFailure(error);
    }
    this.#busy -= 1;
    this.#options.onChange();
  }

  async #settle({
    job,
    target,
    entry,
    decision,
    backoffMs,
    givenBack,
    goesBehind,
    ownWaitMs,
    stopReason,
  }: Answered): Promise<void> {
    const { queue, jobs, journal, budget, firstJobs, onEvent } = this.#options;
    const { outcome } = entry;
    if (!(await journal.settle(entry))) {
      if (!isSpent(outcome)) budget.giveBack();
      jobs.leave(job.id);
      return;
    }
    this.tally.settled(outcome, decision);
    onEvent({ type: "settled", queue, target: target.name, job, outcome, decision });
    if (!isSpent(outcome)) budget.giveBack();
    else if (entry.reattached === undefined) this.#pay(target, outcome);
    if (decision === "finish") await this.#finish(job, outcome);
    else if (decision === "wait") {
      if (ownWaitMs > 0) jobs.later(job, ownWaitMs);
      else if (goesBehind) jobs.behind(job);
      else jobs.again(job);
    } else if (decision === "hold") this.#hold(job, givenBack);
    // Until it is known whether the row is at fault, others need not wait for it.
    else if (decision === "set-aside") jobs.leave(job.id);
    else if (decision === "retry") jobs.later({ ...job, failures: job.failures + 1 }, backoffMs);
    else jobs.release(job.id);
    if (stopReason !== null) await this.#stopTarget(target, stopReason, outcome.kind);
    firstJobs?.settled(job.id, outcome, decision);
    const repeated = this.#repetitions.get(target.id)?.note(job.caseId, outcome) ?? null;
    if (repeated !== null)
      await this.#stopTarget(target, `the same error for case after case: ${repeated}`, outcome.kind);
  }

  /** Lets a job wait until it is known whether its service is there. */
  #hold(job: PendingJob, givenBack: number): void {
    const { jobs, health, deployment } = this.#options;
    // Where its tries came back meanwhile it has all of them; else the last one is made once more.
    const isWhole = health.givenBackTo(job.id) > givenBack;
    const held = { ...job, failures: isWhole ? 0 : Math.min(job.failures + 1, deployment.retries) };
    if (health.isWaiting(job.id)) jobs.park(held);
    else jobs.again(held);
  }

  /** A run that was submitted is paid for by then. */
  #pay({ price = null }: RunTarget, outcome: Outcome): void {
    this.#options.budget.pay(paidFor(price, outcome));
  }

  async #finish(job: PendingJob, outcome: Outcome): Promise<void> {
    const { journal, jobs, conversations } = this.#options;
    this.#done(job, 1);
    const next = conversations ? journal.successor(job.id) : null;
    if (next === null) return;
    if (outcome.kind === "ok") jobs.follow(next);
    else await this.#skip(next, `turn ${job.turn} had no answer (${outcome.kind})`);
  }

  async #skip(job: PendingJob, reason: string): Promise<void> {
    const skipped = await this.#options.journal.skip(job.id, reason);
    this.tally.skipped(skipped);
    this.#done(job, skipped);
  }

  #done(job: PendingJob, count: number): void {
    this.#unfinished.set(job.targetId, (this.#unfinished.get(job.targetId) ?? 0) - count);
    this.#options.jobs.release(job.id);
    this.finishedAt = steadyNow();
    this.#options.lockstep?.moved();
  }

  async #stopTarget(target: RunTarget, reason: string, kind: OutcomeKind): Promise<void> {
    const { queue, jobs, journal, client, lockstep, onEvent, onNothingLeft } = this.#options;
    // A target without unfinished jobs need not be stopped.
    if (this.#stoppedTargets.has(target.id) || this.#unfinished.get(target.id) === 0) return;
    if (this.#dropped.has(target.id)) return;
    this.#stoppedTargets.set(target.id, `${target.name} was stopped: ${reason}`);
    jobs.drop(target.id);
    lockstep?.moved();
    await journal.stopTarget(target.id, reason);
    onEvent({ type: "target-stopped", queue, target: target.name, reason, kind, proxy: client.proxy });
    if (jobs.targets === 0) onNothingLeft([...this.#stoppedTargets.values()].join("; "));
  }
}

/** The reason why an outcome ends a target or a deployment: its error, and the beginning of an unexpected body. */
export function reasonOf({ kind, error, bodyStart }: Outcome): string {
  const shown =
    outcomes[kind].cause === "other-api" && bodyStart !== null ? `; it begins: ${bodyStart.slice(0, 200)}` : "";
  return `${error ?? kind}${shown}`;
}
