import { steadyNow } from "../../lib/clock.ts";
import { Budget, type BudgetLimits, paidFor, requestsUntilSpent, spentReason } from "../../runner/budget.ts";
import { outcomes } from "../../api/outcomes.ts";
import type { Journal, OutageEntry, PaceEntry } from "../../runner/journal.ts";
import type { QueueEvent, ServiceEvent } from "../../runner/queue-event.ts";
import { Runner } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import { type InDoubtPolicy, settleInDoubt } from "../../store/journal/in-doubt.ts";
import { createJournal } from "../../store/journal/journal.ts";
import { storedAttempts } from "../../store/journal/job-states.ts";
import type { ChunkTold, PaidResult, SyncAsked } from "../postgres/calls.ts";
import type { Fetched } from "../postgres/queue.ts";
import type { OpenAccount } from "./accounts.ts";
import type { ChunkFile } from "./chunk-file.ts";
import type { OpenedService } from "./clients.ts";

/** Jobs that may be sent beyond the furthest at the least. */
const leastPage = 20;
/** Requests before it is known how fast a limit is spent. */
const firstPage = 4;
/** Results of one statement, and bytes of their rows. */
const mostResults = 400;
const mostBytes = 4 * 1024 * 1024;

export interface ChunkRunOptions {
  fetched: Fetched;
  /** The batch by its id. */
  batch: string;
  lane: { deployment: string; word: string };
  file: ChunkFile;
  opened: OpenedService;
  account: OpenAccount;
  /** The id of the worker. */
  worker: string;
  policy: InDoubtPolicy;
  limits: BudgetLimits;
  /** Its jobs, in the order in which the mark moves over them. */
  jobs: readonly number[];
  /** So many of them may have been sent, as the database knows already. */
  mark: number;
  /** By its answers it is known whether the rest of the batch may go: one whose service is away waits. */
  isFirst: boolean;
  /** An earlier process of this worker has begun it: what that has entered is handed in, and what it had in flight is in doubt. */
  isLeft: boolean;
  /** Tells the database more as soon as it can. */
  hurry: () => void;
  /** A job is over. */
  onSettled: (isOk: boolean) => void;
  /** All that may be spent is spent. */
  onSpent: (reason: string) => void;
  onStopped: (target: { target: number; reason: string; kind: string }) => void;
  /** The service, or the key, refuses the whole deployment. */
  onRefused: (reason: string, kind: string | null) => void;
}

/** A word of a worker about a service, as it is handed in. */
export interface WorkerNote {
  /** The id of the worker. */
  worker: string;
  pace?: PaceEntry;
  outage?: OutageEntry;
  event?: ServiceEvent;
}

type Facts = Pick<PaidResult, "requests" | "failures" | "cost">;

const nothingPaid: Facts = { requests: 0, failures: 0, cost: 0 };

/** Something that is to be handed in. */
interface Dirty extends Facts {
  job: number;
  number: number;
  decision?: string;
}

/** Requests that may be sent until it is heard again what all have spent. */
const requestsLeft = (limits: BudgetLimits, spent: Parameters<typeof requestsUntilSpent>[1]): number => {
  const isPaced = limits.cost !== null || limits.failures !== null;
  return Math.min(
    requestsUntilSpent(limits, spent),
    isPaced && spent.requests === 0 ? firstPage : Number.POSITIVE_INFINITY,
  );
};

/** A chunk that this worker drives with an ordinary runner, and what others have to know of it. */
export class ChunkRun {
  readonly fetched: Fetched;
  readonly options: ChunkRunOptions;
  readonly #runner: Runner;
  readonly #places: Map<number, number>;
  readonly #dirty = new Map<string, Dirty>();
  readonly #notes: string[] = [];
  readonly #reportedEnds = new Set<number>();
  readonly #stopped = new Set<number>();
  #mark: number;
  /** Jobs that have asked for leave, by the furthest place. */
  #furthest = 0;
  #waiting: { place: number; answer: (mayLeave: boolean) => void }[] = [];
  /** Requests that may still be sent of the budget until it is heard again. */
  #budgetLeft = Number.POSITIVE_INFINITY;
  #isHeld = true;
  #isEnding = false;
  #leaving: string | null = null;
  #onEnded: ((told: ChunkTold) => void) | null = null;
  #isAborted = false;

  constructor(options: ChunkRunOptions) {
    const { file, opened, lane, account, fetched, isLeft, policy } = options;
    this.options = options;
    this.fetched = fetched;
    this.#mark = options.mark;
    this.#budgetLeft = requestsLeft(options.limits, { requests: 0, failures: 0, cost: 0 });
    if (isLeft) settleInDoubt(file.db, file.batch.id, policy);
    this.#places = new Map(options.jobs.map((id, place) => [id, place]));
    if (isLeft) this.#recover();
    const { suite, seed } = file.batch;
    this.#runner = new Runner({
      sides: [
        {
          // Its rate is kept by the share, over all workers.
          deployment: { ...opened.deployment, rate: null },
          account: opened.account,
          client: opened.client,
          targets: file.targets(lane.deployment, lane.word),
        },
      ],
      journal: this.#journal(createJournal(file.db, file.batch.id)),
      seed: `${seed} ${fetched.claim}`,
      budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
      interleave: "off",
      onAmbiguous: suite.onAmbiguous,
      conversations: suite.mapping.turn !== null,
      healthOf: () => account.health,
      ...(options.isFirst && { firstLook: { prefers: () => true, examine: () => Promise.resolve(null) } }),
      onEvent: (event) => this.#heard(event),
    });
  }

  get name(): string {
    return this.options.file.batch.name;
  }

  /** Jobs that are neither over nor on their way. */
  get startable(): number {
    const [queue] = this.#runner.snapshot();
    if (queue === undefined || this.#leaving !== null) return 0;
    return Math.max(0, queue.total - queue.done - queue.leftOut - queue.inFlight);
  }

  /** Requests that it could have in flight. */
  get wanted(): number {
    const [queue] = this.#runner.snapshot();
    if (queue === undefined || this.#leaving !== null || this.#isEnding) return 0;
    return Math.max(0, queue.total - queue.done - queue.leftOut);
  }

  snapshot(): QueueSnapshot | null {
    return this.#runner.snapshot()[0] ?? null;
  }

  /** Drives it to its end, here or elsewhere; resolves when everything has been handed in. */
  async run(): Promise<ChunkTold> {
    const forget = this.options.account.share.listen(() => this.#runner.nudge());
    try {
      if (this.#leaving !== null) this.#runner.stop(this.#leaving);
      await this.#runner.run();
    } finally {
      forget();
    }
    if (this.#isAborted) {
      const { file, policy } = this.options;
      settleInDoubt(file.db, file.batch.id, policy);
      this.#recover();
    }
    this.#noteEnds();
    this.#isEnding = true;
    return new Promise((resolve) => {
      this.#onEnded = resolve;
      this.options.hurry();
    });
  }

  /** Starts nothing more of it; what is in flight is finished. */
  leave(reason: string): void {
    this.#leaving ??= reason;
    this.#runner.stop(reason);
    this.#answerWaiting();
  }

  /** Gives up what is in flight as well. */
  abort(): void {
    this.leave("aborted");
    this.#isAborted = true;
    this.#runner.abort();
  }

  /** Everything that the database is to be told now. */
  ask(): {
    results: PaidResult[];
    taken: string[];
    notes: [number, string][];
    chunk: SyncAsked["chunks"][number];
    isWhole: boolean;
  } {
    const { fetched, file, account } = this.options;
    const { batch, chunk, claim } = fetched;
    const page = Math.max(1, Math.min(Math.max(leastPage, 2 * account.share.places), this.#budgetLeft));
    const wanted = this.#leaving === null && !this.#isEnding ? this.#furthest + page : 0;
    const mark = Math.max(this.#mark, Math.min(this.#places.size, wanted));
    const results: PaidResult[] = [];
    const taken: string[] = [];
    let bytes = 0;
    for (const [known, { job, number, decision, ...facts }] of this.#dirty) {
      if (results.length >= mostResults || bytes >= mostBytes) break;
      taken.push(known);
      const found = file.result(job, number, decision);
      if (found === null) continue;
      bytes += found.row?.length ?? 0;
      results.push({ ...found, ...facts, batch });
    }
    const isWhole = taken.length === this.#dirty.size;
    const ends = this.#isEnding && isWhole;
    return {
      results,
      taken,
      isWhole,
      notes: this.#notes.map((text) => [batch, text]),
      chunk: { batch, chunk, claim, mark, ends, isDone: ends && this.#isDone(), unsent: ends ? this.#unsent() : [] },
    };
  }

  /** Keeps what the database has answered. */
  told(asked: ReturnType<ChunkRun["ask"]>, answer: ChunkTold): void {
    for (const known of asked.taken) this.#dirty.delete(known);
    this.#notes.splice(0, asked.notes.length);
    if (asked.chunk.ends && (answer.isHeld || !this.#isHeld)) {
      this.#onEnded?.(answer);
      return;
    }
    if (answer.isHeld) this.#mark = Math.max(this.#mark, asked.chunk.mark);
    else if (this.#isHeld) {
      this.#isHeld = false;
      this.leave("another worker has taken it over");
      // It is told next what had not left.
      if (this.#isEnding) this.options.hurry();
    }
    this.#heed(answer);
    this.#answerWaiting();
  }

  #heed({ batch, stops }: ChunkTold): void {
    const { limits, account } = this.options;
    if (batch === null) this.leave("its batch was taken away");
    else if (batch.state !== "running") this.leave(batch.reason ?? "its batch was stopped");
    else {
      const spent = spentReason(limits, batch);
      if (spent !== null) {
        this.leave(spent);
        this.options.onSpent(spent);
      }
      // Others have not heard of it either: no more than half of what is left at a time.
      this.#budgetLeft = Math.ceil((requestsLeft(limits, batch) - account.share.flying - this.#dirty.size) / 2);
    }
    for (const target of stops) {
      if (this.#stopped.has(target)) continue;
      this.#stopped.add(target);
      this.#runner.drop(target);
    }
  }

  /** True when nothing is left that could be sent. */
  #isDone(): boolean {
    const states = this.options.file.states();
    const byId = new Map(states.map((state) => [state.id, state]));
    return states.every(({ targetId, waitsFor, outcome, isSending }) => {
      if (outcome !== null || this.#stopped.has(targetId)) return true;
      const before = waitsFor === null ? undefined : byId.get(waitsFor);
      // A turn that waits for one in doubt is sent when that is known.
      return !isSending && before !== undefined && before.outcome !== "ok";
    });
  }

  /** Jobs that may be in doubt elsewhere, and that never left. */
  #unsent(): number[] {
    return this.#isHeld ? [] : this.options.file.unsent();
  }

  #journal(own: Journal): Journal {
    return {
      ...own,
      sending: async (entry) => {
        const answer = this.#mayLeave(entry.jobId);
        if (typeof answer === "boolean") return answer ? own.sending(entry) : false;
        const mayLeave = await answer;
        entry.queuedAt = own.now();
        return mayLeave ? own.sending(entry) : false;
      },
      taken: async (entry) => {
        await own.taken(entry);
        this.#add({ job: entry.jobId, number: entry.number, ...nothingPaid });
      },
      skip: async (jobId, reason) => {
        const skipped = await own.skip(jobId, reason);
        this.#noteEnds();
        return skipped;
      },
      noteOutage: async (entry) => {
        await own.noteOutage(entry);
        this.#note({ outage: { ...entry, givenBack: [] } });
      },
      notePace: async (entry) => {
        await own.notePace(entry);
        this.options.account.learned(entry);
        this.#note({ pace: entry });
      },
    };
  }

  /** True as soon as the database knows that a job may have been sent. False: it is not to be sent from here any more. */
  #mayLeave(jobId: number): boolean | Promise<boolean> {
    const place = this.#places.get(jobId) ?? 0;
    this.#furthest = Math.max(this.#furthest, place + 1);
    const page = Math.max(leastPage, 2 * this.options.account.share.places);
    if (this.#mark - this.#furthest < page / 2 && this.#mark < this.#places.size) this.options.hurry();
    if (this.#leaving !== null) return false;
    if (place < this.#mark && this.#budgetLeft > 0) {
      this.#budgetLeft -= 1;
      return true;
    }
    this.options.hurry();
    return new Promise((answer) => this.#waiting.push({ place, answer }));
  }

  #answerWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) {
      if (this.#leaving !== null) each.answer(false);
      else if (each.place < this.#mark && this.#budgetLeft > 0) {
        this.#budgetLeft -= 1;
        each.answer(true);
      } else this.#waiting.push(each);
    }
  }

  #heard(event: QueueEvent): void {
    if (event.type === "settled") {
      const { job, outcome, decision } = event;
      const price = this.options.file.priceOf(job.targetId);
      const isSent = outcomes[outcome.kind].spends;
      if (decision === "finish") this.options.onSettled(outcome.kind === "ok");
      this.#add({
        job: job.id,
        number: job.attempts,
        decision,
        requests: isSent ? 1 : 0,
        failures: decision === "finish" && outcome.kind !== "ok" ? 1 : 0,
        cost: isSent ? paidFor(price, outcome) : 0,
      });
      return;
    }
    if (event.type === "target-stopped") {
      const target = this.options.file.targetId(event.target);
      this.#stopped.add(target);
      this.options.onStopped({ target, reason: event.reason, kind: event.kind });
      return;
    }
    if (event.type === "queue-stopped") {
      if (event.deployment) this.options.onRefused(event.reason, event.kind);
      return;
    }
    this.#note({ event });
  }

  #note(facts: Omit<WorkerNote, "worker">): void {
    const note: WorkerNote = { ...facts, worker: this.options.worker };
    this.#notes.push(JSON.stringify(note));
    this.options.hurry();
  }

  #add(dirty: Dirty): void {
    this.#dirty.set(`${dirty.job} ${dirty.number}`, dirty);
    if (this.#dirty.size >= mostResults / 2) this.options.hurry();
  }

  /** Jobs that ended without an attempt. */
  #noteEnds(): void {
    for (const { job, number } of storedAttempts(this.options.file.db)) {
      if (number !== 0 || this.#reportedEnds.has(job)) continue;
      this.#reportedEnds.add(job);
      this.#add({ job, number, ...nothingPaid });
    }
  }

  /** Hands everything in that is entered: what is known already is not entered twice. */
  #recover(): void {
    for (const { job, number } of storedAttempts(this.options.file.db))
      this.#add({ job, number, ...nothingPaid, requests: number === 0 ? 0 : 1 });
  }
}
