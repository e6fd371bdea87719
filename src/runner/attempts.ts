import { setImmediate as nextTurn } from "node:timers/promises";
import { isAnswerer, type OutcomeKind, outcomes } from "../api/outcomes.ts";
import { costOf } from "../api/price.ts";
import type { Client } from "../client/client.ts";
import type { Outcome } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import { type Budget, paidFor } from "./budget.ts";
import { type Decision, nextStep, Repetition, type StepRules, timeLeft } from "./decision.ts";
import type { Gate } from "./gate.ts";
import type { AccountSide, Health, Learned } from "./health.ts";
import type { JobSource } from "./job-source.ts";
import { JobsInFlight } from "./jobs-in-flight.ts";
import type { Journal, PendingJob, Sending, Settlement } from "./journal.ts";
import type { QueueEvent } from "./queue-event.ts";
import type { RefusalMeaning, RefusedRequest, RefusedStreak } from "./refusals.ts";
import { requestOf } from "./request.ts";
import type { RunTarget } from "./run-target.ts";
import { OpenRuns } from "./submitted/open-runs.ts";
import { Tally } from "./tally.ts";

/** Cases that the reason of a stop names. */
const mostNamed = 3;

export interface AttemptsOptions extends StepRules {
  /** The queue's name. */
  queue: string;
  targets: readonly RunTarget[];
  client: Client;
  journal: Journal;
  health: Health;
  side: AccountSide;
  budget: Budget;
  jobs: JobSource;
  gates: readonly Gate[];
  /** True when jobs may wait for others. */
  conversations: boolean;
  /** The key of a case by its id; empty where it is not known. */
  caseKey: (caseId: number) => string;
  onEvent: (event: QueueEvent) => void;
  /** Called when something has been entered, and when a run has ended. */
  onChange: () => void;
  /** The journal cannot be kept. */
  onFailure: (error: unknown) => void;
  /** Nothing more is sent to the deployment. */
  onStopped: (reason: string, kind: OutcomeKind) => void;
  /** Every target is stopped or has finished; the reason names those that were stopped. */
  onNothingLeft: (reason: string) => void;
}

/** A job that may leave now. */
export interface GrantedJob {
  job: PendingJob;
  timeoutMs: number;
}

/** An attempt that was sent. */
interface Tried {
  /** As it is after the attempt. */
  job: PendingJob;
  target: RunTarget;
  entry: Sending;
  /** The moment of the steady clock at which it was queued. */
  queuedAt: number;
}

/** An attempt with its answer. */
interface Answered {
  job: PendingJob;
  target: RunTarget;
  /** When the attempt was queued, as it was entered. */
  queuedAt: number;
  outcome: Outcome;
  /** The lesson of its answer. */
  learned?: Learned;
  /** Nothing is sent again, whatever the outcome. Default: the table decides. */
  isFinal?: boolean;
  /** True for a run that another process had submitted, false for one of this process; left out: its answer was waited for. */
  reattached?: boolean;
}

/** A decision about a job, made by an answer. */
interface Step {
  job: PendingJob;
  target: RunTarget;
  entry: Settlement;
  decision: Decision;
  /** Milliseconds until a retry. */
  backoffMs: number;
  learned: Learned | undefined;
  /** The number of times that the job's tries had been given back by then. */
  givenBack: number;
}

/** An entry in the journal takes a few milliseconds; this long only where the disk or a lock keeps it. */
const longCommitMs = 500;

/**
 * The way of a queue's jobs, from the slot to the end. An attempt is granted what it needs, entered in the journal, and
 * sent. Its answer tells of the service, decides the fate of the job, and is committed; only then it is counted, and
 * the job is finished, sent again, or left. Nothing of that holds a slot but the sending, so that the entry of the next
 * attempt is in the same commit.
 */
export class Attempts {
  readonly tally: Tally;
  /** Those that hold a slot. */
  readonly inFlight = new JobsInFlight();
  /** Those that the service has taken, and that hold none. */
  readonly runs: OpenRuns;
  readonly #options: AttemptsOptions;
  readonly #targets: ReadonlyMap<number, RunTarget>;
  readonly #repetitions: ReadonlyMap<number, Repetition>;
  /** Stopped target to the words for that. */
  readonly #stoppedTargets = new Map<number, string>();
  /** Targets of which no more is needed. */
  readonly #dropped = new Set<number>();
  /** Target to its jobs that are not finished. */
  readonly #unfinished: Map<number, number>;
  #abandoned = false;
  #busy = 0;
  /** Answers that are being committed, and that the next turn of a conversation may follow. */
  following = 0;
  /** When a job was finished last; 0: none was. */
  finishedAt = 0;

  constructor(options: AttemptsOptions) {
    const { targets } = options;
    this.#options = options;
    this.#targets = new Map(targets.map((target) => [target.id, target]));
    this.#repetitions = new Map(targets.map(({ id }) => [id, new Repetition()]));
    this.#unfinished = new Map(targets.map(({ id, unfinished }) => [id, unfinished]));
    this.tally = new Tally(targets.reduce((sum, { unfinished }) => sum + unfinished, 0));
    const { health, side, jobs, onStopped } = options;
    this.runs = new OpenRuns({
      ...options,
      onEnded: ({ job, target, taken: { number, queuedAt }, reattached }, outcome, isFinal) =>
        this.#settle({ job: { ...job, attempts: number }, target, queuedAt, outcome, isFinal, reattached }),
      onOutcome: ({ job: { id: jobId } }, outcome, askedAt) =>
        health.asked(outcome, { jobId, queuedAt: askedAt, answeredAt: steadyNow() }, side),
      onLeft: ({ job }) => jobs.leave(job.id),
      onRefused: (outcome) => {
        this.runs.close();
        onStopped(reasonOf(outcome), outcome.kind);
      },
    });
  }

  /** Nothing is in flight, and everything that has arrived is entered and followed up. */
  get isIdle(): boolean {
    return this.inFlight.size === 0 && this.runs.size === 0 && this.#busy === 0;
  }

  /** Unfinished jobs of targets to which nothing more is sent. */
  get leftOut(): number {
    const ids = new Set([...this.#stoppedTargets.keys(), ...this.#dropped]);
    return [...ids].reduce((sum, id) => sum + (this.#unfinished.get(id) ?? 0), 0);
  }

  /** No more is needed of a target: it is not stopped for what still fails. */
  drop(targetId: number): void {
    this.#dropped.add(targetId);
    this.#options.jobs.drop(targetId);
  }

  /** Requests in flight are being cut off, and stay in doubt. */
  abandon(): void {
    this.#abandoned = true;
    this.runs.close();
  }

  /** Goes on asking for the runs that an earlier process had submitted; gives the ids of the targets that have taken them. */
  reattach(): Set<number> {
    const found = new Set<number>();
    const { journal, jobs } = this.#options;
    for (const { job, taken } of journal.takenRuns([...this.#targets.keys()])) {
      const target = this.#targetOf(job);
      jobs.hold(job.id);
      // Only dates are known of the time until now. Where the clock was set back meanwhile, that time counts as none.
      const date = Math.max(journal.now(), taken.sentAt ?? taken.queuedAt);
      this.runs.add({ job, target, taken, reattached: true, dateOffset: date - steadyNow() });
      found.add(target.id);
    }
    return found;
  }

  /** Takes what an attempt needs before it may leave; null when the job's time is over. */
  grant(job: PendingJob): GrantedJob | null {
    const { deployment, health, budget } = this.#options;
    const now = steadyNow();
    const leftMs = timeLeft(job, deployment, now - health.standstillMs(now));
    if (leftMs <= 0) {
      this.#expired(job);
      return null;
    }
    health.take(job.id, now);
    budget.take();
    const timeoutMs = Math.min(deployment.timeoutMs, leftMs);
    this.inFlight.start(job.id, now, timeoutMs);
    return { job, timeoutMs };
  }

  /** Makes one attempt; its slot is free afterwards. */
  async make({ job, timeoutMs }: GrantedJob): Promise<void> {
    const { journal, client, health, side, jobs } = this.#options;
    let hasLeft = false;
    try {
      const target = this.#targetOf(job);
      const request = requestOf(job, target, journal, timeoutMs);
      const askedAt = steadyNow();
      const date = journal.now();
      const { service, leave } = health.account;
      const entry: Sending = { jobId: job.id, number: job.attempts + 1, queuedAt: date, service };
      if (!(await journal.sending(entry))) {
        this.#notSent(job);
        jobs.leave(job.id);
        return;
      }
      const enteredAt = steadyNow();
      // A connection that the service has closed while the journal kept us is known as such a turn later.
      if (enteredAt - askedAt > longCommitMs) await nextTurn();
      // One that had to wait for leave was queued when it had that: its new date belongs to this moment.
      const queuedAt = entry.queuedAt === date ? askedAt : enteredAt;
      // All dates of an attempt go by the time to which the machine was set when it was queued.
      request.dateOffset = entry.queuedAt - queuedAt;
      if (leave !== null) request.mayLeave = () => (hasLeft ||= leave());
      const outcome = await client.attempt(request);
      if (outcome.heldBack === true) {
        await journal.giveBack(entry);
        this.#notSent(job);
        // It is sent when the share allows.
        jobs.again(job);
        return;
      }
      // Given up in flight: its result is not known, so the journal leaves it in doubt.
      if (this.#abandoned && outcomes[outcome.kind].mayBePaid) return;
      // Set one by one: behind a spread, each name would be looked up anew.
      const tried = { ...job };
      tried.attempts = entry.number;
      // While a service cannot be reached nothing is tried: that time counts for no job.
      if (outcomes[outcome.kind].left || outcome.localLimit)
        tried.firstTriedAt ??= queuedAt - health.standstillMs(steadyNow());
      const attempt = { job: tried, target, entry, queuedAt };
      if (target.mode === "async" && outcome.kind === "ok") await this.#taken(attempt, outcome);
      else this.#answered(attempt, outcome);
    } finally {
      this.inFlight.end(job.id);
      health.ended(side, hasLeft);
    }
  }

  /** Gives back what an attempt took that was not sent. */
  #notSent(job: PendingJob): void {
    this.#options.budget.giveBack();
    this.#options.health.gaveBack(job.id);
  }

  /** Leaves an attempt to the service, which has taken it as a run: from here on it is asked for, whatever becomes of this process. */
  async #taken({ job, target, entry, queuedAt: moment }: Tried, outcome: Outcome): Promise<void> {
    const { journal, budget } = this.#options;
    if (!this.#abandoned) this.#learn(job.id, outcome, moment);
    const { jobId, number, queuedAt } = entry;
    const { record, timing } = outcome;
    const run = { id: record?.id ?? "", url: record?.url ?? null, createdAt: record?.createdAt ?? null };
    const taken = { jobId, number, queuedAt, sentAt: timing.sentAt, run };
    await journal.taken(taken);
    // A price by the run is due from here on, not when the run ends; these endpoints tell no tokens.
    const cost = costOf(target.price ?? null, null);
    if (cost !== null) budget.pay(cost);
    this.runs.add({ job, target, taken, reattached: false, dateOffset: queuedAt - moment });
    if (this.#abandoned) this.runs.close();
  }

  #answered({ job, target, entry, queuedAt }: Tried, outcome: Outcome): void {
    if (outcome.kind === "ok") this.inFlight.took(steadyNow() - queuedAt);
    const learned = this.#abandoned ? undefined : this.#learn(job.id, outcome, queuedAt);
    this.#settle({
      job,
      target,
      queuedAt: entry.queuedAt,
      outcome: learned?.outcome ?? outcome,
      ...(learned !== undefined && { learned }),
    });
  }

  /** Applies the limits that the service told, before the next slot is given away. `queuedAt`: on the steady clock. */
  #learn(jobId: number, outcome: Outcome, queuedAt: number): Learned {
    const { health, side, jobs } = this.#options;
    return health.answered(outcome, { jobId, queuedAt, answeredAt: steadyNow(), more: jobs.hasReady() }, side);
  }

  /** Decides the fate of a job, and does with the queue what was decided; the rest is done when it is committed. */
  #settle({ job, target, queuedAt, outcome, learned, isFinal = false, reattached }: Answered): void {
    const { health, budget, jobs, onAmbiguous, conversations, onStopped } = this.#options;
    const time = steadyNow();
    const isProbe = learned?.isProbe === true && isAnswerer(outcome.answeredBy, "tellsAway");
    // Where nothing that may be paid is sent again, what looks for a service that is away is no loss of a row.
    const waitsForService = learned?.waits === true && (onAmbiguous === "retry" || isProbe);
    const isForgiven = learned?.isForgiven === true;
    // A forgiven attempt leaves the failure count unchanged.
    const counted = isForgiven ? { ...job, failures: -1 } : job;
    if (outcomes[outcome.kind].accepted) health.accepted(target.id, queuedAt);
    const refusal = this.#meaningOf(job, target, queuedAt, outcome);
    const facts = { now: time - health.standstillMs(time), pauseMs: health.pauseMs(time), waitsForService, refusal };
    const next = nextStep(counted, outcome, this.#options, facts);
    const decision = isFinal ? "finish" : next.decision;
    // A limit of failures is passed by what is in flight already, and by nothing that is sent after.
    if (decision === "finish" && outcome.kind !== "ok") budget.failed();
    if (decision === "stop-target") jobs.drop(target.id);
    if (decision === "stop-deployment") onStopped(this.#stopReason([job], outcome), outcome.kind);
    const entry: Settlement = {
      jobId: job.id,
      number: job.attempts,
      queuedAt,
      outcome,
      final: decision === "finish",
      ...(reattached !== undefined && { reattached }),
      ...(isForgiven && { isForgiven: true }),
    };
    const givenBack = health.givenBackTo(job.id);
    const isFollowed = conversations && decision === "finish" && outcome.kind === "ok";
    if (isFollowed) this.following += 1;
    void this.#inTurn(async () => {
      try {
        await this.#enter({ job: counted, target, entry, decision, backoffMs: next.backoffMs, learned, givenBack });
      } finally {
        if (isFollowed) this.following -= 1;
      }
    });
  }

  /** The meaning of a refusal; `stops` too for what is none. */
  #meaningOf(job: PendingJob, target: RunTarget, sentAt: number, outcome: Outcome): RefusalMeaning {
    const { health, side, journal, onStopped } = this.#options;
    const { next } = outcomes[outcome.kind];
    const ofKey = next === "stop-deployment";
    if ((!ofKey && next !== "stop-target") || journal.conclude === undefined) return "stops";
    const refusal = {
      side,
      jobId: job.id,
      caseId: job.caseId,
      targetId: target.id,
      sentAt,
      ofKey,
      onRow: () => this.#conclude(job, target, outcome),
      onStop: ({ refused, ofKey: isOfKey }: RefusedStreak) => {
        const reason = this.#stopReason(refused, outcome);
        if (isOfKey) {
          onStopped(reason, outcome.kind);
          return;
        }
        this.#options.jobs.drop(target.id);
        void this.#inTurn(() => this.#stopTarget(target, reason, outcome.kind));
      },
    };
    return health.refused(refusal, side.isFirst(job.id));
  }

  /** The reason of a stop, with the cases that were refused. */
  #stopReason(refused: readonly Pick<RefusedRequest, "caseId">[], outcome: Outcome): string {
    const keys = [...new Set(refused.map(({ caseId }) => this.#options.caseKey(caseId)))].filter((key) => key !== "");
    const reason = reasonOf(outcome);
    if (keys.length === 0) return reason;
    if (keys.length === 1) return `${reason} (case ${keys[0]})`;
    const named = keys.slice(0, mostNamed);
    const more = keys.length === named.length ? "" : ` and ${keys.length - named.length} more`;
    return `${reason} (cases ${named.join(", ")}${more}, one after the other)`;
  }

  /** Works on while the queue goes on. */
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

  /** Enters an answer, and does for its job what was decided. */
  async #enter({ job, target, entry, decision, backoffMs, learned, givenBack }: Step): Promise<void> {
    const { queue, jobs, journal, budget, gates, onEvent } = this.#options;
    const { outcome } = entry;
    const isSpent = outcomes[outcome.kind].spends;
    if (!(await journal.settle(entry))) {
      if (!isSpent) budget.giveBack();
      jobs.leave(job.id);
      return;
    }
    this.tally.settled(outcome, decision);
    onEvent({ type: "settled", queue, target: target.name, job, outcome, decision });
    if (!isSpent) budget.giveBack();
    // A run that was submitted is paid for by then.
    else if (entry.reattached === undefined) budget.pay(paidFor(target.price ?? null, outcome));
    if (decision === "finish") await this.#finish(job, outcome);
    else if (decision === "wait") this.#wait(job, learned);
    else if (decision === "hold") this.#hold(job, givenBack);
    // Until it is known whether the row is at fault, others need not wait for it.
    else if (decision === "set-aside") jobs.leave(job.id);
    else if (decision === "retry") jobs.later({ ...job, failures: job.failures + 1 }, backoffMs);
    else jobs.release(job.id);
    if (decision === "stop-target") await this.#stopTarget(target, this.#stopReason([job], outcome), outcome.kind);
    for (const gate of gates) gate.settled(job.id, { outcome, decision });
    const repeated = this.#repetitions.get(target.id)?.note(job.caseId, outcome) ?? null;
    if (repeated !== null)
      await this.#stopTarget(target, `the same error for case after case: ${repeated}`, outcome.kind);
  }

  /** Sends a job again that was throttled: by itself after a while, behind others, or next. */
  #wait(job: PendingJob, learned: Learned | undefined): void {
    const { jobs } = this.#options;
    const { ownWaitMs = 0, goesBehind = false } = learned ?? {};
    if (ownWaitMs > 0) jobs.later(job, ownWaitMs);
    else if (goesBehind) jobs.behind(job);
    else jobs.again(job);
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

  async #finish(job: PendingJob, outcome: Outcome): Promise<void> {
    const { journal, jobs, conversations } = this.#options;
    this.#done(job, 1);
    const next = conversations ? journal.successor(job.id) : null;
    if (next === null) return;
    if (outcome.kind === "ok") jobs.follow(next);
    else await this.#skip(next, `turn ${job.turn} had no answer (${outcome.kind})`);
  }

  /** Ends a job by its latest attempt, whose refusal is the fault of its row. */
  #conclude(job: PendingJob, target: RunTarget, outcome: Outcome): void {
    const { queue, budget, journal, onEvent } = this.#options;
    budget.failed();
    void this.#inTurn(async () => {
      await journal.conclude?.(job.id, job.attempts, outcome.kind);
      this.tally.concluded();
      onEvent({ type: "settled", queue, target: target.name, job, outcome, decision: "finish" });
      await this.#finish(job, outcome);
    });
  }

  /** Ends a job whose time was over while it waited for its turn to be sent again. */
  #expired(job: PendingJob): void {
    this.#options.budget.failed();
    for (const gate of this.#options.gates) gate.settled(job.id, null);
    void this.#inTurn(() => this.#skip(job, "its time was used up by waiting (job_timeout)"));
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
  }

  async #stopTarget(target: RunTarget, reason: string, kind: OutcomeKind): Promise<void> {
    const { queue, jobs, journal, client, onEvent, onNothingLeft } = this.#options;
    // A target without unfinished jobs need not be stopped.
    if (this.#stoppedTargets.has(target.id) || this.#unfinished.get(target.id) === 0) return;
    if (this.#dropped.has(target.id)) return;
    this.#stoppedTargets.set(target.id, `${target.name} was stopped: ${reason}`);
    jobs.drop(target.id);
    await journal.stopTarget(target.id, reason);
    const { proxy, isKeyless } = client;
    onEvent({ type: "target-stopped", queue, target: target.name, reason, kind, proxy, isKeyless });
    if (jobs.targets === 0) onNothingLeft([...this.#stoppedTargets.values()].join("; "));
  }

  #targetOf(job: PendingJob): RunTarget {
    const target = this.#targets.get(job.targetId);
    if (target === undefined) throw new Error(`job ${job.id} belongs to no target of this queue`);
    return target;
  }
}

/** The reason why an outcome ends a target or a deployment: its error, and the beginning of an unexpected body. */
function reasonOf({ kind, error, bodyStart }: Outcome): string {
  const shown =
    outcomes[kind].cause === "other-api" && bodyStart !== null ? `; it begins: ${bodyStart.slice(0, 200)}` : "";
  return `${error ?? kind}${shown}`;
}
