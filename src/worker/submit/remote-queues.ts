import { reasonOf } from "../../runner/completion.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import type { FirstJobs } from "../../runner/first-jobs.ts";
import type { Settlement } from "../../runner/journal.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import type { JobHere } from "../../store/journal/pulled.ts";
import { decisionOf } from "./arrived.ts";
import { type Queue, queueSnapshot, queuesOf, TargetCounts } from "./queues.ts";

export type RemoteLanesOptions = Pick<DriveOptions, "load" | "onEvent"> & {
  /** Targets with jobs that are held here; workers may have been told what becomes of them. */
  held: ReadonlySet<number>;
  /** null: nothing is held back. */
  firstJobs: FirstJobs | null;
  /** A worker is waited for so long; null: without a limit. */
  waitsForMs: number | null;
};

/** The queues of a load that workers send: what has arrived of them, and where nothing more is sent. */
export class RemoteQueues {
  readonly all: readonly Queue[];
  readonly #options: RemoteLanesOptions;
  readonly #counts: TargetCounts;
  /** Targets to which nothing more is sent, with the reasons, on their way into the journal. */
  readonly #stops: [targetId: number, reason: string][] = [];
  /** False while results of earlier commands arrive, which say nothing about the targets of now. */
  #isSending = false;

  constructor(options: RemoteLanesOptions) {
    this.#options = options;
    this.all = queuesOf(options.load, options.held);
    this.#counts = new TargetCounts(options.load.targets);
  }

  /** Results tell of the targets from now on. */
  begin(): void {
    this.#isSending = true;
  }

  snapshot(): QueueSnapshot[] {
    const { waitsForMs } = this.#options;
    return this.all.map((queue) => queueSnapshot(queue, this.#counts, waitsForMs)).filter(({ total }) => total > 0);
  }

  /** Jobs that are neither done nor left out. */
  get left(): number {
    return this.snapshot().reduce((sum, { total, done, leftOut }) => sum + total - done - leftOut, 0);
  }

  /** True as long as something of a queue is to be sent, or in flight. */
  readonly hasLeft = ({ targets }: Queue): boolean => this.#counts.hasLeft(targets);

  /** Called for each attempt that has arrived. */
  settled(job: JobHere, entry: Settlement): void {
    const { onEvent, firstJobs } = this.#options;
    const decision = decisionOf(entry);
    const queue = this.#laneOf(job.targetId);
    if (queue === undefined) return;
    queue.tally.settled(entry.outcome, decision);
    this.#counts.settled(job.targetId, entry, decision);
    const { outcome } = entry;
    onEvent({ type: "settled", lane: queue.name, target: nameIn(queue, job.targetId), job, outcome, decision });
    // Its worker says so in the database, too, but perhaps after all that is in flight has been brought.
    if (decision === "stop-target" && this.#isSending) this.#stopTarget(queue, job.targetId, reasonOf(outcome));
    // A key that one worker has may be better than another's: the queue stops when nobody serves it any more.
    if (decision !== "stop-deployment") firstJobs?.settled(job.id, outcome, decision);
  }

  /** Called for jobs that have ended without an answer. */
  ended(job: JobHere, jobs: number): void {
    this.#laneOf(job.targetId)?.tally.skipped(jobs);
    this.#counts.ended(job.targetId, jobs);
    this.#options.firstJobs?.gone(job.id);
  }

  /** Called for a job that was held when this began, and of which something has arrived. */
  reopened(job: JobHere): void {
    this.#laneOf(job.targetId)?.tally.reopened(1);
    this.#counts.reopened(job.targetId);
  }

  /** Starts nothing more of any queue. */
  stop(reason: string): void {
    for (const queue of this.all) this.#stopLane(queue, reason);
  }

  /** Stops targets that the database says are stopped, by the ids that they have here. */
  stopTargets(stopped: readonly { targetId: number; reason: string }[]): void {
    for (const { targetId, reason } of stopped) {
      const queue = this.#laneOf(targetId);
      if (queue !== undefined) this.#stopTarget(queue, targetId, reason);
    }
  }

  /** Enters the stops of targets. */
  async enterStops(): Promise<void> {
    for (const [targetId, reason] of this.#stops.splice(0))
      await this.#options.load.journal.stopTarget(targetId, reason);
  }

  #laneOf(targetId: number): Queue | undefined {
    return this.all.find(({ targets }) => targets.some(({ id }) => id === targetId));
  }

  #stopLane(queue: Queue, reason: string): void {
    if (queue.stopped !== null) return;
    queue.stopped = reason;
    if (queue.targets.every(({ id }) => this.#counts.left(id) === 0)) return;
    this.#options.onEvent({
      type: "lane-stopped",
      lane: queue.name,
      reason,
      proxy: null,
      deployment: false,
      kind: null,
    });
  }

  /** Tells once that nothing more is sent to a target. */
  #stopTarget(queue: Queue, targetId: number, reason: string): void {
    if (!this.#counts.stop(targetId)) return;
    this.#stops.push([targetId, reason]);
    const target = nameIn(queue, targetId);
    const kind = this.#counts.lastKind(targetId) ?? unknownKind;
    if (queue.stopped === null)
      this.#options.onEvent({ type: "target-stopped", lane: queue.name, target, reason, kind, proxy: null });
    this.#options.firstJobs?.unreached([target]);
  }
}

/** The kind of a stop whose outcome did not come with it: nothing is advised for it. */
const unknownKind = "ambiguous";

const nameIn = ({ targets }: Queue, targetId: number): string => targets.find(({ id }) => id === targetId)?.name ?? "";
