import { reasonOf } from "../../runner/completion.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import type { FirstJobs } from "../../runner/first-jobs.ts";
import type { Settlement } from "../../runner/journal.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import type { JobHere } from "../../store/journal/pulled.ts";
import { decisionOf } from "./arrived.ts";
import { type Lane, laneSnapshot, lanesOf, TargetCounts } from "./lanes.ts";

export type RemoteLanesOptions = Pick<DriveOptions, "load" | "onEvent"> & {
  /** Targets with jobs that are held here; workers may have been told what becomes of them. */
  held: ReadonlySet<number>;
  /** null: nothing is held back. */
  firstJobs: FirstJobs | null;
  /** A worker is waited for so long; null: without a limit. */
  waitsForMs: number | null;
};

/** The lanes of a load that workers send: what has arrived of them, and where nothing more is sent. */
export class RemoteLanes {
  readonly all: readonly Lane[];
  readonly #options: RemoteLanesOptions;
  readonly #counts: TargetCounts;
  /** Targets to which nothing more is sent, with the reasons, on their way into the journal. */
  readonly #stops: [targetId: number, reason: string][] = [];
  /** False while results of earlier commands arrive, which say nothing about the targets of now. */
  #isSending = false;

  constructor(options: RemoteLanesOptions) {
    this.#options = options;
    this.all = lanesOf(options.load, options.held);
    this.#counts = new TargetCounts(options.load.targets);
  }

  /** Results tell of the targets from now on. */
  begin(): void {
    this.#isSending = true;
  }

  snapshot(): QueueSnapshot[] {
    const { waitsForMs } = this.#options;
    return this.all.map((lane) => laneSnapshot(lane, this.#counts, waitsForMs)).filter(({ total }) => total > 0);
  }

  /** Jobs that are neither done nor left out. */
  get left(): number {
    return this.snapshot().reduce((sum, { total, done, leftOut }) => sum + total - done - leftOut, 0);
  }

  /** True as long as something of a lane is to be sent, or in flight. */
  readonly hasLeft = ({ targets }: Lane): boolean => this.#counts.hasLeft(targets);

  /** Called for each attempt that has arrived. */
  settled(job: JobHere, entry: Settlement): void {
    const { onEvent, firstJobs } = this.#options;
    const decision = decisionOf(entry);
    const lane = this.#laneOf(job.targetId);
    if (lane === undefined) return;
    lane.tally.settled(entry.outcome, decision);
    this.#counts.settled(job.targetId, entry, decision);
    const { outcome } = entry;
    onEvent({ type: "settled", lane: lane.name, target: nameIn(lane, job.targetId), job, outcome, decision });
    // Its worker says so in the database, too, but perhaps after all that is in flight has been brought.
    if (decision === "stop-target" && this.#isSending) this.#stopTarget(lane, job.targetId, reasonOf(outcome));
    // A key that one worker has may be better than another's: the lane stops when nobody serves it any more.
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

  /** Starts nothing more of any lane. */
  stop(reason: string): void {
    for (const lane of this.all) this.#stopLane(lane, reason);
  }

  /** Stops targets that the database says are stopped, by the ids that they have here. */
  stopTargets(stopped: readonly { targetId: number; reason: string }[]): void {
    for (const { targetId, reason } of stopped) {
      const lane = this.#laneOf(targetId);
      if (lane !== undefined) this.#stopTarget(lane, targetId, reason);
    }
  }

  /** Enters the stops of targets. */
  async enterStops(): Promise<void> {
    for (const [targetId, reason] of this.#stops.splice(0))
      await this.#options.load.journal.stopTarget(targetId, reason);
  }

  #laneOf(targetId: number): Lane | undefined {
    return this.all.find(({ targets }) => targets.some(({ id }) => id === targetId));
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

  /** Tells once that nothing more is sent to a target. */
  #stopTarget(lane: Lane, targetId: number, reason: string): void {
    if (!this.#counts.stop(targetId)) return;
    this.#stops.push([targetId, reason]);
    const target = nameIn(lane, targetId);
    const kind = this.#counts.lastKind(targetId) ?? unknownKind;
    if (lane.stopped === null)
      this.#options.onEvent({ type: "target-stopped", lane: lane.name, target, reason, kind, proxy: null });
    this.#options.firstJobs?.unreached([target]);
  }
}

/** The kind of a stop whose outcome did not come with it: nothing is advised for it. */
const unknownKind = "ambiguous";

const nameIn = ({ targets }: Lane, targetId: number): string => targets.find(({ id }) => id === targetId)?.name ?? "";
