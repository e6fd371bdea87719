import { setTimeout as delay } from "node:timers/promises";
import { steadyNow } from "../../lib/clock.ts";
import { version } from "../../lib/version.ts";
import type { Drive, DriveOptions } from "../../runner/drive.ts";
import { FirstJobs, type FirstLook } from "../../runner/first-jobs.ts";
import type { RunEnd } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import { type Waker, waker } from "../../runner/waker.ts";
import { LinkClosed } from "../journal/database-link.ts";
import type { RemoteProgress } from "../postgres/watch.ts";
import { RemoteOutages } from "./remote-outages.ts";
import { RemoteQueues } from "./remote-queues.ts";
import { isAlive, QueueWatch } from "./watch-queues.ts";
import type { BatchAtWorkers } from "./batch-at-workers.ts";

/** It is looked at least this often what has arrived; workers tell before that. */
const lookMs = 1_000;
/** While much arrives, what comes within this time is brought together. */
const busyLookMs = 200;
/** It is looked this often who is there, and told that the submitter is. */
const workersMs = 3_000;
/** Chunks that nobody has are put back when nothing has moved for so long. */
const quietMs = 5_000;
/** Chunks of first jobs that may follow when one is a wrong request. */
const mostHeads = 3;

/** Has a load sent by workers, and brings what they do into the journal here as if it had been sent from here. */
export class RemoteDrive implements Drive {
  readonly #options: DriveOptions;
  readonly #remote: BatchAtWorkers;
  readonly #lanes: RemoteQueues;
  readonly #watch: QueueWatch;
  readonly #outages: RemoteOutages;
  readonly #waker: Waker = waker();
  readonly #firstJobs: FirstJobs | null;
  #stopping: { state: "stopping" | "enough"; reason: string } | null = null;
  #isStopTold = false;
  #isAborted = false;
  /** Nothing is at the workers yet that they may send. */
  #isUploading = false;
  /** It was stopped then: a database that is away is not waited for. */
  #isLeaving = false;
  #isGivingSign = false;
  /** Another submits the batch by now. */
  #lost: { error: unknown } | null = null;
  #inDoubt = 0;
  #workersSeenAt = Number.NEGATIVE_INFINITY;
  #movedAt = steadyNow();
  /** The rest waits for the answers of first jobs. */
  #holdsBack = false;

  /** `held`: targets with jobs that are held here; workers may have been told what becomes of them. */
  constructor(
    options: DriveOptions & { held: ReadonlySet<number>; waitsForMs: number | null },
    open: (queues: RemoteQueues) => BatchAtWorkers,
  ) {
    const { load, held, waitsForMs, onEvent, onNotice, firstLook } = options;
    this.#options = options;
    this.#firstJobs = firstLook === undefined ? null : this.#firstJobsOf(firstLook);
    this.#lanes = new RemoteQueues({ load, held, waitsForMs, onEvent, firstJobs: this.#firstJobs });
    this.#outages = new RemoteOutages({ journal: load.journal, onEvent });
    const { all: queues, hasLeft } = this.#lanes;
    const batch = (): string => this.#remote.name;
    this.#watch = new QueueWatch({ lanes: queues, hasLeft, waitsForMs, batch, version, onNotice, onEvent });
    this.#remote = open(this.#lanes);
  }

  #firstJobsOf(firstLook: FirstLook): FirstJobs {
    return new FirstJobs({
      ...firstLook,
      onRefused: (reason) => this.stop(reason),
      onOpen: () => {
        this.#holdsBack = false;
        this.#waker.wake();
      },
    });
  }

  async run(): Promise<RunEnd> {
    const signs = setInterval(() => void this.#giveSign(), workersMs);
    try {
      await this.#begin();
      const end = await this.#follow();
      await this.#end(end);
    } catch (error) {
      // Whoever leaves does not wait for a database that is away.
      if (!(this.#isAborted || this.#isLeaving) || !(error instanceof LinkClosed)) throw error;
    } finally {
      clearInterval(signs);
      this.#firstJobs?.close();
    }
    await this.#firstJobs?.examined;
    const stopped = this.snapshot().flatMap(({ lane: queue, stopped: reason, done, total }) =>
      reason === null || done >= total ? [] : [{ lane: queue, reason }],
    );
    const refusal = this.#firstJobs?.refusal ?? null;
    return { stopped, ...(refusal !== null && { refusal }) };
  }

  /** Says that this submitter is there, however long something takes; a database that is away is waited for once. */
  async #giveSign(): Promise<void> {
    if (this.#isGivingSign) return;
    this.#isGivingSign = true;
    try {
      await this.#remote.seen();
    } catch (error) {
      if (!(error instanceof LinkClosed)) this.#lost = { error };
      this.#waker.wake();
    }
    this.#isGivingSign = false;
  }

  stop(reason: string): void {
    if (this.#isUploading && this.#stopping === null) {
      this.#isLeaving = true;
      this.#remote.leave();
    }
    this.#halt({ state: "stopping", reason });
    this.#lanes.stop(reason);
  }

  enough(): void {
    this.#halt({ state: "enough", reason: "nothing more is needed" });
  }

  /** Leaves at once: what is in flight goes on at the workers. */
  abort(): void {
    this.#isAborted = true;
    this.#remote.leave();
    this.#waker.wake();
  }

  snapshot(): QueueSnapshot[] {
    return this.#lanes.snapshot();
  }

  lines(): string[] {
    const reported = this.#watch.workers
      .filter(isAlive)
      .map(({ name, inFlight, state }) => (state === "on" ? `${name} ${inFlight}` : `${name} ${inFlight} (${state})`));
    const doubt = this.#inDoubt === 0 ? "" : `  ${this.#inDoubt} in doubt`;
    const away = this.#remote.isAway ? "  PostgreSQL is away" : "";
    return [`workers  ${reported.length === 0 ? "none" : reported.join("  ")}${doubt}${away}`];
  }

  readonly leaving = (inFlight: number): string =>
    `Leaving: the ${inFlight} in flight continue at the workers; \`tandem resume ${this.#remote.name} --workers URL\` brings them.`;

  close(): Promise<void> {
    return this.#remote.release();
  }

  /** Uploads what is to be sent, and lets it go: first jobs before the rest. */
  async #begin(): Promise<void> {
    const firstJobs = this.#firstJobs;
    const queues = this.#lanes.all;
    this.#isUploading = true;
    await this.#remote.begin(queues);
    if (this.#stopping !== null) return;
    for (const queue of queues) {
      for (const target of queue.targets) {
        if (firstJobs === null || target.isProven === true) continue;
        const heads = await this.#remote.uploadHeads(queue, target.id, mostHeads);
        if (this.#addHead(target.name, heads)) this.#holdsBack = true;
      }
      await this.#remote.uploadRest(queue, () => this.#stopping !== null || this.#lost !== null);
    }
    if (this.#stopping !== null || this.#lost !== null) return;
    this.#isUploading = false;
    this.#lanes.begin();
    firstJobs?.begin();
    await this.#remote.start();
    if (!this.#holdsBack) await this.#remote.dispatch.all();
  }

  /** Lets the first job of a target go; where it is a wrong request, the next one. */
  #addHead(target: string, heads: { slice: number; job: number }[]): boolean {
    const [first, ...others] = heads;
    if (first === undefined) return false;
    this.#firstJobs?.add(first.job, target, () => this.#addHead(target, others));
    this.#remote.dispatch.later(first.slice);
    return true;
  }

  /** Follows what workers do until nothing more is to come; returns why it ended before its end, or null. */
  async #follow(): Promise<string | null> {
    let heldBack = this.#holdsBack;
    for (;;) {
      if (this.#isAborted) return null;
      if (this.#lost !== null) throw this.#lost.error;
      // The database keeps the budget where workers ask for leave; none may be there to ask when the time is used up.
      const spent = this.#options.budget.spent(steadyNow());
      if (spent !== null && this.#stopping === null) this.stop(spent);
      if (heldBack && !this.#holdsBack && this.#stopping === null) {
        heldBack = false;
        await this.#remote.dispatch.all();
      }
      await this.#remote.dispatch.waiting();
      await this.#tellStop();
      const arrived = await this.#remote.pull();
      const progress = await this.#remote.progress();
      await this.#see(progress);
      await this.#putBack(arrived, progress);
      if (arrived === 0 && this.#isOver(progress)) return progress.state === "running" ? null : progress.reason;
      if (arrived === 0) await this.#remote.change(this.#waker, lookMs);
      else if (!this.#isAborted) await delay(busyLookMs);
    }
  }

  /** Hands chunks out again that nobody seems to have: while they wait, nothing moves. */
  async #putBack(arrived: number, { services, openSlices: openChunks }: RemoteProgress): Promise<void> {
    const isMoving = arrived > 0 || services.some(({ inFlight }) => inFlight > 0);
    if (isMoving || openChunks === 0) this.#movedAt = steadyNow();
    if (this.#stopping !== null || steadyNow() - this.#movedAt < quietMs) return;
    this.#movedAt = steadyNow();
    await this.#remote.dispatch.again();
  }

  async #end(reason: string | null): Promise<void> {
    if (this.#isAborted) return;
    const left = this.#options.load.left();
    if (reason !== null && this.#stopping === null) this.#lanes.stop(reason);
    for (const job of await this.#remote.hold()) this.#lanes.ended(job, 1);
    await this.#remote.rest(left === 0 ? "finished" : "stopped", this.#stopping?.reason ?? reason);
  }

  #halt(stopping: { state: "stopping" | "enough"; reason: string }): void {
    this.#stopping ??= stopping;
    this.#waker.wake();
  }

  async #tellStop(): Promise<void> {
    if (this.#stopping === null || this.#isStopTold) return;
    this.#isStopTold = true;
    await this.#remote.halt(this.#stopping.state, this.#stopping.reason);
  }

  async #see(progress: RemoteProgress): Promise<void> {
    for (const queue of this.#lanes.all) {
      queue.service = this.#remote.serviceOf(queue, progress);
      this.#watch.limitsMoved(queue);
      await this.#outages.sees(queue);
    }
    this.#inDoubt = progress.services.reduce((sum, { inDoubt }) => sum + inDoubt, 0);
    this.#lanes.stopTargets(this.#remote.stoppedHere(progress));
    await this.#lanes.enterStops();
    if (steadyNow() - this.#workersSeenAt < workersMs) return;
    this.#workersSeenAt = steadyNow();
    this.#watch.sees(await this.#remote.workers(), steadyNow());
    const given = this.#watch.givesUp(steadyNow());
    if (given !== null && this.#stopping === null) this.stop(given);
  }

  #isOver(progress: RemoteProgress): boolean {
    const { services, state, openSlices: openChunks, undecided } = progress;
    const inFlight = services.reduce((sum, { inFlight: count }) => sum + count, 0);
    const atService = services.reduce((sum, { atService: count }) => sum + count, 0);
    if (state !== "running") return inFlight === 0;
    if (inFlight + undecided > 0) return false;
    // The rest is in doubt, or waits for those, or is at a service that nobody asks any more.
    return openChunks === 0 || (atService === 0 && this.#lanes.left === 0);
  }
}
