import { setTimeout as delay } from "node:timers/promises";
import { steadyNow } from "../../lib/clock.ts";
import { version } from "../../lib/version.ts";
import type { Drive, DriveOptions } from "../../runner/drive.ts";
import { FirstJobs } from "../../runner/first-jobs.ts";
import { reasonOf } from "../../runner/completion.ts";
import type { RunEnd } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import { type Waker, waker } from "../../runner/waker.ts";
import type { JobHere } from "../../store/journal/pulled.ts";
import type { Settlement } from "../../runner/journal.ts";
import { LinkClosed } from "../journal/database-link.ts";
import type { RemoteProgress } from "../postgres/watch.ts";
import { decisionOf } from "./arrived.ts";
import { type Lane, laneSnapshot, lanesOf, TargetCounts } from "./lanes.ts";
import { LaneWatch } from "./watch-lanes.ts";
import type { BatchAtWorkers } from "./batch-at-workers.ts";

/** It is looked at least this often what has arrived; workers tell before that. */
const lookMs = 1_000;
/** While much arrives, what comes within this time is brought together. */
const busyLookMs = 200;
/** It is looked this often who is there. */
const workersMs = 3_000;
/** Slices that nobody has are put back when nothing has moved for so long. */
const quietMs = 5_000;
/** Slices of first jobs that may follow when one is a wrong request. */
const mostHeads = 3;

/** Has a load sent by workers, and brings what they do into the journal here as if it had been sent from here. */
export class RemoteDrive implements Drive {
  readonly #options: DriveOptions;
  readonly #remote: BatchAtWorkers;
  readonly #lanes: Lane[];
  readonly #counts: TargetCounts;
  readonly #watch: LaneWatch;
  readonly #waker: Waker = waker();
  readonly #firstJobs: FirstJobs | null;
  #stopping: { state: "stopping" | "enough"; reason: string } | null = null;
  #isStopTold = false;
  /** False while results of earlier commands arrive, which say nothing about the targets of now. */
  #isSending = false;
  /** Targets to which nothing more is sent, with the reasons, on their way into the journal. */
  readonly #stops: [targetId: number, reason: string][] = [];
  #isAborted = false;
  #inDoubt = 0;
  #workersSeenAt = Number.NEGATIVE_INFINITY;
  #movedAt = steadyNow();
  /** The rest waits for the answers of first jobs. */
  #holdsBack = false;

  /** `held`: targets with jobs that are held here; workers may have been told what becomes of them. */
  constructor(
    options: DriveOptions & { held: ReadonlySet<number> },
    open: (given: Pick<RemoteDrive, "settled" | "ended" | "reopened">) => BatchAtWorkers,
  ) {
    this.#options = options;
    this.#lanes = lanesOf(options.load, options.held);
    this.#counts = new TargetCounts(options.load.targets);
    this.#watch = new LaneWatch({
      lanes: this.#lanes,
      hasLeft: ({ targets }) => this.#counts.hasLeft(targets),
      version,
      onNotice: options.onNotice,
      onEvent: options.onEvent,
    });
    this.#remote = open(this);
    const { examine } = options;
    this.#firstJobs =
      examine === undefined
        ? null
        : new FirstJobs({
            examine,
            onRefused: (reason) => this.stop(reason),
            onOpen: () => {
              this.#holdsBack = false;
              this.#waker.wake();
            },
          });
  }

  async run(): Promise<RunEnd> {
    try {
      await this.#begin();
      const end = await this.#follow();
      await this.#end(end);
    } catch (error) {
      // Whoever leaves does not wait for a database that is away.
      if (!this.#isAborted || !(error instanceof LinkClosed)) throw error;
    } finally {
      this.#firstJobs?.close();
    }
    await this.#firstJobs?.examined;
    const stopped = this.snapshot().flatMap(({ lane, stopped: reason, done, total }) =>
      reason === null || done >= total ? [] : [{ lane, reason }],
    );
    const refusal = this.#firstJobs?.refusal ?? null;
    return { stopped, ...(refusal !== null && { refusal }) };
  }

  stop(reason: string): void {
    this.#halt({ state: "stopping", reason });
    for (const lane of this.#lanes) this.#stopLane(lane, reason);
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
    return this.#lanes.map((lane) => laneSnapshot(lane, this.#counts)).filter(({ total }) => total > 0);
  }

  lines(): string[] {
    const here = this.#watch.workers.filter(({ state }) => state !== "gone");
    const told = here.map(({ name, inFlight, state }) =>
      state === "on" ? `${name} ${inFlight}` : `${name} ${inFlight} (${state})`,
    );
    const doubt = this.#inDoubt === 0 ? "" : `  ${this.#inDoubt} in doubt`;
    const away = this.#remote.isAway ? "  PostgreSQL is away" : "";
    return [`workers  ${told.length === 0 ? "none" : told.join("  ")}${doubt}${away}`];
  }

  readonly leaving = (inFlight: number): string =>
    `Leaving: the ${inFlight} in flight go on at the workers; \`tandem resume ${this.#remote.name} --workers URL\` brings them.`;

  close(): Promise<void> {
    return this.#remote.release();
  }

  /** Called for each attempt that has arrived. */
  settled(job: JobHere, entry: Settlement): void {
    const decision = decisionOf(entry);
    const lane = this.#laneOf(job.targetId);
    if (lane === undefined) return;
    lane.tally.settled(entry.outcome, decision);
    this.#counts.settled(job.targetId, entry, decision);
    const target = lane.targets.find(({ id }) => id === job.targetId)?.name ?? "";
    const { outcome } = entry;
    this.#options.onEvent({ type: "settled", lane: lane.name, target, job, outcome, decision });
    // Its worker says so in the database, too, but perhaps after all that is in flight has been brought.
    if (decision === "stop-target" && this.#isSending) this.#targetStopped(lane, job.targetId, reasonOf(outcome));
    // A key that one worker has may be better than another's: the lane stops when nobody serves it any more.
    if (decision !== "stop-deployment") this.#firstJobs?.settled(job.id, outcome, decision);
  }

  /** Called for jobs that have ended without an answer. */
  ended(job: JobHere, jobs: number): void {
    this.#laneOf(job.targetId)?.tally.skipped(jobs);
    this.#counts.ended(job.targetId, jobs);
    this.#firstJobs?.gone(job.id);
  }

  /** Called for a job that was held when this began, and of which something has arrived. */
  reopened(job: JobHere): void {
    this.#laneOf(job.targetId)?.tally.reopened(1);
    this.#counts.reopened(job.targetId);
  }

  #laneOf(targetId: number): Lane | undefined {
    return this.#lanes.find(({ targets }) => targets.some(({ id }) => id === targetId));
  }

  /** Uploads what is to be sent, and lets it go: first jobs before the rest. */
  async #begin(): Promise<void> {
    const firstJobs = this.#firstJobs;
    await this.#remote.begin(this.#lanes);
    if (this.#stopping !== null) return;
    for (const lane of this.#lanes) {
      for (const target of lane.targets) {
        if (firstJobs === null || target.isProven === true) continue;
        const heads = await this.#remote.uploadHeads(lane, target.id, mostHeads);
        if (this.#addHead(target.name, heads)) this.#holdsBack = true;
      }
      await this.#remote.uploadRest(lane);
    }
    this.#isSending = true;
    firstJobs?.begin();
    await this.#remote.start();
    if (!this.#holdsBack) await this.#remote.letGo();
  }

  /** Lets the first job of a target go; where it is a wrong request, the next one. */
  #addHead(target: string, heads: { slice: number; job: number }[]): boolean {
    const [first, ...others] = heads;
    if (first === undefined) return false;
    this.#firstJobs?.add(first.job, target, () => this.#addHead(target, others));
    this.#remote.letGoLater(first.slice);
    return true;
  }

  /** Follows what workers do until nothing more is to come; returns why it ended before its end, or null. */
  async #follow(): Promise<string | null> {
    let heldBack = this.#holdsBack;
    for (;;) {
      if (this.#isAborted) return null;
      // The database keeps the budget where workers ask for leave; none may be there to ask when the time is used up.
      const spent = this.#options.budget.spent(steadyNow());
      if (spent !== null && this.#stopping === null) this.stop(spent);
      if (heldBack && !this.#holdsBack && this.#stopping === null) {
        heldBack = false;
        await this.#remote.letGo();
      }
      await this.#remote.letGoWaiting();
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

  /** Hands slices out again that nobody seems to have: while they wait, nothing moves. */
  async #putBack(arrived: number, { services, openSlices }: RemoteProgress): Promise<void> {
    const isMoving = arrived > 0 || services.some(({ inFlight }) => inFlight > 0);
    if (isMoving || openSlices === 0) this.#movedAt = steadyNow();
    if (this.#stopping !== null || steadyNow() - this.#movedAt < quietMs) return;
    this.#movedAt = steadyNow();
    await this.#remote.putBack();
  }

  async #end(reason: string | null): Promise<void> {
    if (this.#isAborted) return;
    const left = this.#options.load.left();
    if (reason !== null && this.#stopping === null) for (const lane of this.#lanes) this.#stopLane(lane, reason);
    for (const job of await this.#remote.hold()) this.ended(job, 1);
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

  #stopLane(lane: Lane, reason: string): void {
    if (lane.stopped !== null) return;
    lane.stopped = reason;
    if (lane.targets.every(({ id }) => this.#counts.left(id) === 0)) return;
    this.#options.onEvent({
      type: "lane-stopped",
      lane: lane.name,
      reason,
      proxy: null,
      deployment: false,
      kind: null,
    });
  }

  async #see(progress: RemoteProgress): Promise<void> {
    for (const lane of this.#lanes) {
      lane.service = this.#remote.serviceOf(lane, progress);
      this.#watch.limitsMoved(lane);
    }
    this.#inDoubt = progress.services.reduce((sum, { inDoubt }) => sum + inDoubt, 0);
    for (const { target: there, reason } of progress.stopped) {
      for (const lane of this.#lanes) {
        const target = lane.targets.find(({ id }) => this.#remote.targetThere(id) === there);
        if (target !== undefined) this.#targetStopped(lane, target.id, reason);
      }
    }
    for (const [targetId, reason] of this.#stops.splice(0))
      await this.#options.load.journal.stopTarget(targetId, reason);
    if (steadyNow() - this.#workersSeenAt < workersMs) return;
    this.#workersSeenAt = steadyNow();
    this.#watch.sees(await this.#remote.workers(), steadyNow());
    await this.#remote.seen();
  }

  /** Tells once that nothing more is sent to a target. */
  #targetStopped(lane: Lane, targetId: number, reason: string): void {
    if (!this.#counts.stop(targetId)) return;
    this.#stops.push([targetId, reason]);
    const target = lane.targets.find(({ id }) => id === targetId)?.name ?? "";
    const kind = this.#counts.lastKind(targetId) ?? "ambiguous";
    if (lane.stopped === null)
      this.#options.onEvent({ type: "target-stopped", lane: lane.name, target, reason, kind, proxy: null });
    this.#firstJobs?.unreached([target]);
  }

  #isOver(progress: RemoteProgress): boolean {
    const { services, state, openSlices } = progress;
    const inFlight = services.reduce((sum, { inFlight: count }) => sum + count, 0);
    const atService = services.reduce((sum, { atService: count }) => sum + count, 0);
    if (state !== "running") return inFlight === 0;
    if (inFlight + atService > 0) return false;
    const left = this.snapshot().reduce((sum, { total, done, leftOut }) => sum + total - done - leftOut, 0);
    // The rest is in doubt, or waits for those.
    return left === 0 || openSlices === 0;
  }
}
