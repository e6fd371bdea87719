import { steadyNow } from "../../lib/clock.ts";
import { paidFor } from "../../runner/budget.ts";
import type { Drive, DriveOptions } from "../../runner/drive.ts";
import { FirstJobs } from "../../runner/first-jobs.ts";
import type { RunEnd } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import { type Waker, waker } from "../../runner/waker.ts";
import { doubtPolicyOverWorkers, noteRests } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { casesHeldByWorkers, settleInDoubt, takeBackDoubts } from "../../store/journal/in-doubt.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { type EnteredResult, enterResults } from "../../store/journal/handed-over.ts";
import { DatabaseLink, LinkClosed } from "../postgres/database-link.ts";
import { isAway } from "../postgres/failure.ts";
import { checkFitting } from "./fitting.ts";
import {
  decisionOf,
  isSpentKind,
  knownKind,
  type Lane,
  laneSnapshot,
  lanesOf,
  leftOf,
  handedOutcome,
} from "./lanes.ts";
import { LaneWatch } from "./lane-watch.ts";
import { isAlive, joinBatch, type RemoteBatch, type RemoteProgress, type WorkerSeen } from "./remote-batch.ts";
import { NoteReader, type SoundAnswer } from "./notes.ts";
import type { Session } from "./session.ts";
import { Upload } from "./upload.ts";

/** It is looked so often what has arrived. */
const lookMs = 500;
/** While much arrives, what comes within this time is brought together. */
const busyLookMs = 100;
/** Chunks are put into their queues again when nothing has moved for so long: somebody may have emptied them. */
const quietMs = 5_000;

interface Place {
  session: Session;
  db: Connection;
  batch: Batch;
}

/** Has the cases of a batch sent by workers, and brings what they do into its results folder. */
export class RemoteDrive implements Drive {
  readonly #place: Place;
  readonly #options: DriveOptions;
  readonly #lanes: Lane[];
  readonly #link: DatabaseLink;
  readonly #watch: LaneWatch;
  readonly #notes: NoteReader;
  readonly #firstJobs: FirstJobs | null;
  readonly #bell: Waker = waker();
  readonly #stoppedTargets = new Set<number>();
  #workers: readonly WorkerSeen[] = [];
  #inDoubt = 0;
  #stopping: string | null = null;
  #isEnough = false;
  #isAborted = false;
  #isBegun = false;
  #holdsBack = false;
  #movedAt = steadyNow();
  /** Chunks of first jobs that may go. */
  #heads: { lane: Lane; id: number; jobs: number }[] = [];

  constructor(place: Place, options: DriveOptions) {
    const { load, onEvent, onNotice, firstLook } = options;
    checkFitting(place.db, place.batch);
    this.#place = place;
    this.#options = options;
    this.#lanes = lanesOf(load);
    this.#link = new DatabaseLink({
      passes: isAway,
      onAway: (error) =>
        onNotice(
          `${error instanceof Error ? error.message : String(error)} Workers keep their results; it is tried again until it is back.`,
        ),
      onBack: () => onNotice("PostgreSQL is back."),
    });
    this.#watch = new LaneWatch({
      lanes: this.#lanes,
      waitsForMs: place.session.waitsForMs,
      batch: place.batch.name,
      onNotice,
      onRefused: (lane, { reason, kind }) => this.#stopLane(lane, reason, kind),
    });
    this.#notes = new NoteReader({ journal: load.journal, onEvent });
    this.#firstJobs =
      firstLook === undefined
        ? null
        : new FirstJobs({
            ...firstLook,
            onRefused: (reason) => this.stop(reason),
            onOpen: () => {
              this.#holdsBack = false;
              this.#bell.wake();
            },
          });
  }

  async run(): Promise<RunEnd> {
    try {
      const remote = await this.#begin();
      await this.#follow(remote);
      await this.#end(remote);
    } catch (error) {
      // Whoever leaves does not wait for a database that is away.
      if (!this.#isAborted || !(error instanceof LinkClosed)) throw error;
    } finally {
      this.#firstJobs?.close();
    }
    await this.#firstJobs?.examined;
    const stopped = this.#lanes.flatMap((lane) =>
      lane.stopped === null || leftOf(lane) === 0 ? [] : [{ queue: lane.name, reason: lane.stopped }],
    );
    const refusal = this.#firstJobs?.refusal ?? null;
    return { stopped, ...(refusal !== null && { refusal }) };
  }

  stop(reason: string): void {
    this.#stopping ??= reason;
    for (const lane of this.#lanes) this.#noteStop(lane, reason, null);
    this.#bell.wake();
  }

  enough(): void {
    this.#isEnough = true;
    this.#stopping ??= "nothing more is needed";
    this.#bell.wake();
  }

  /** Leaves at once: what is in flight goes on at the workers. */
  abort(): void {
    this.#isAborted = true;
    this.#link.close();
    this.#bell.wake();
  }

  snapshot(): QueueSnapshot[] {
    return this.#lanes
      .map((lane) =>
        laneSnapshot(lane, {
          leftOut: leftOf(lane, (id) => this.#stoppedTargets.has(id)),
          waitsForMs: this.#place.session.waitsForMs,
        }),
      )
      .filter(({ total }) => total > 0);
  }

  lines(): string[] {
    const told = this.#workers
      .filter(isAlive)
      .map(({ name, inFlight, state }) => (state === "on" ? `${name} ${inFlight}` : `${name} ${inFlight} (${state})`));
    const doubt = this.#inDoubt === 0 ? "" : `  ${this.#inDoubt} in doubt`;
    const away = this.#link.isAway ? "  PostgreSQL is away" : "";
    return [`workers  ${told.length === 0 ? "none" : told.join("  ")}${doubt}${away}`];
  }

  readonly leaving = (inFlight: number): string =>
    `Leaving: the ${inFlight} in flight continue at the workers; \`tandem resume ${this.#place.batch.name} --workers URL\` brings them.`;

  async close(): Promise<void> {
    this.#link.close();
  }

  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#link.patiently(work);
  }

  /** Uploads what is to be sent, and lets it go: first jobs before the rest. */
  async #begin(): Promise<RemoteBatch> {
    const { session, db, batch } = this.#place;
    const { load, budget } = this.#options;
    const { remote, isNew } = await joinBatch(session, { db, batch, limits: budget.limits });
    await this.#patiently(() => remote.enterLanes(this.#lanes));
    if (!isNew) {
      while ((await this.#pull(remote)) > 0);
      await this.#decide(remote);
      await this.#patiently(() => remote.renewRounds());
    }
    const upload = await this.#upload(remote);
    for (const lane of this.#lanes) {
      for (const target of lane.targets) {
        if (this.#firstJobs === null || target.isProven === true || target.unfinished === 0) continue;
        await this.#uploadHead(upload, lane, target);
      }
      if (this.#stopping !== null) break;
      await this.#patiently(() => upload.rest(lane));
    }
    if (this.#stopping === null) {
      await this.#patiently(() => remote.setState("running"));
      await this.#dispatch(remote);
    }
    if (load.left() === 0 && isNew) this.#isEnough = true;
    return remote;
  }

  /** Does with what is in doubt what the command says, and counts what is left after that. */
  async #decide(remote: RemoteBatch): Promise<void> {
    const { session, db, batch } = this.#place;
    const { onInDoubt } = session;
    if (onInDoubt === "resend" || onInDoubt === "fail") {
      settleInDoubt(db, batch.id, onInDoubt, "case");
      await this.#patiently(() => remote.forgetDoubts());
    }
    this.#countLeft();
  }

  /** Jobs that may be sent after all go on: a worker that has come back knows that they never left. */
  async #release(remote: RemoteBatch): Promise<number[]> {
    const { db, batch } = this.#place;
    const held = casesHeldByWorkers(db, batch.id);
    if (held.length === 0) return [];
    const unsent = await this.#patiently(() => remote.unsent(held));
    takeBackDoubts(db, unsent);
    if (unsent.length > 0) this.#countLeft();
    return unsent;
  }

  #countLeft(): void {
    const { db, batch } = this.#place;
    const unfinished = unfinishedJobs(db, batch.id);
    for (const { left, tally, targets } of this.#lanes) {
      for (const { id } of targets) {
        const more = (unfinished.get(id) ?? 0) - (left.get(id) ?? 0);
        left.set(id, unfinished.get(id) ?? 0);
        if (more > 0) tally.reopened(more);
      }
    }
  }

  async #upload(remote: RemoteBatch): Promise<Upload> {
    const covered = await this.#patiently(() => remote.covered());
    // After that: a chunk that is done by now has its results there, and would else be uploaded once more.
    while ((await this.#pull(remote)) > 0);
    // They are in no chunk any more.
    for (const job of await this.#release(remote)) covered.delete(job);
    const { db } = this.#place;
    const { journal } = this.#options.load;
    return new Upload({ db, journal, remote, covered, isStopped: () => this.#stopping !== null });
  }

  /** Uploads a first job of a target; where it is a wrong request, the next one goes. */
  async #uploadHead(upload: Upload, lane: Lane, { id, name }: Lane["targets"][number]): Promise<void> {
    const { prefers } = this.#options.firstLook ?? { prefers: () => false };
    const heads: { id: number; jobs: number; job: number }[] = [];
    for (let count = 0; count < 3; count += 1) {
      const head = await this.#patiently(() => upload.head(lane, id, prefers));
      if (head !== null) heads.push(head);
    }
    const next = (): boolean => {
      const head = heads.shift();
      if (head === undefined) return false;
      this.#firstJobs?.add(head.job, name, next);
      this.#heads.push({ lane, id: head.id, jobs: head.jobs });
      this.#holdsBack = true;
      this.#bell.wake();
      return true;
    };
    next();
  }

  /** Puts what may go into the queues. */
  async #dispatch(remote: RemoteBatch): Promise<void> {
    if (this.#stopping !== null) return;
    if (this.#holdsBack) {
      const heads = this.#heads.map(({ lane, id, jobs }) => ({ id, queue: lane.queue, round: 0, jobs }));
      await this.#patiently(() => remote.dispatch(heads));
      return;
    }
    const stopped = new Set(this.#lanes.flatMap(({ queue, stopped: reason }) => (reason === null ? [] : [queue])));
    const open = await this.#patiently(() => remote.openChunks());
    await this.#patiently(() => remote.dispatch(open.filter(({ queue }) => !stopped.has(queue))));
  }

  /** Follows what workers do until nothing more is to come. */
  async #follow(remote: RemoteBatch): Promise<void> {
    let heldBack = this.#holdsBack;
    let headsGone = this.#heads.length;
    let isStopTold = false;
    for (;;) {
      if (this.#isAborted) return;
      const spent = this.#options.budget.spent(steadyNow());
      if (spent !== null && this.#stopping === null) this.stop(spent);
      if (this.#stopping !== null && !isStopTold) {
        isStopTold = true;
        await this.#patiently(() => remote.setState("stopping", this.#stopping));
      }
      if (heldBack !== this.#holdsBack || headsGone !== this.#heads.length) {
        [heldBack, headsGone] = [this.#holdsBack, this.#heads.length];
        await this.#dispatch(remote);
      }
      const arrived = await this.#pull(remote);
      const progress = await this.#patiently(() => remote.progress());
      await this.#see(remote, progress);
      if (arrived > 0 || progress.isDriven) this.#movedAt = steadyNow();
      if (arrived === 0 && (await this.#isOver(remote, progress))) return;
      if (steadyNow() - this.#movedAt > quietMs) {
        this.#movedAt = steadyNow();
        await this.#dispatch(remote);
      }
      await this.#bell.changeWithin(arrived > 0 ? busyLookMs : lookMs);
    }
  }

  async #isOver(remote: RemoteBatch, { open, isDriven, inDoubt, mayClear }: RemoteProgress): Promise<boolean> {
    if (this.#stopping !== null || this.#isEnough) return !isDriven;
    if (open > 0) {
      // Nobody waits for lanes that are stopped.
      const isLeft = this.#lanes.some((lane) => lane.stopped === null && leftOf(lane) > 0);
      return !isDriven && !isLeft;
    }
    // Whoever has been silent may come back, and knows.
    if (inDoubt > 0 && mayClear) return false;
    return !(await this.#uploadMore(remote));
  }

  /** Uploads what can be sent by now, such as turns that waited for one in doubt. True: there was some. */
  async #uploadMore(remote: RemoteBatch): Promise<boolean> {
    const upload = await this.#upload(remote);
    let count = 0;
    for (const lane of this.#lanes) {
      if (lane.stopped !== null) continue;
      const targets = lane.targets.filter(({ id }) => !this.#stoppedTargets.has(id));
      count += (await this.#patiently(() => upload.rest({ ...lane, targets }))).length;
    }
    if (count > 0) await this.#dispatch(remote);
    return count > 0;
  }

  async #end(remote: RemoteBatch): Promise<void> {
    if (this.#isAborted) return;
    await this.#patiently(() => remote.close());
    while ((await this.#pull(remote)) > 0);
    noteRests(this.#place.db, this.#place.batch.id, true);
    await this.#patiently(() => remote.end(this.#stopping));
  }

  /** Brings a page of what has been done since; returns the number of results. */
  async #pull(remote: RemoteBatch): Promise<number> {
    const { session, db, batch } = this.#place;
    const results = await this.#patiently(() => remote.results());
    const policy = session.onInDoubt ?? doubtPolicyOverWorkers(batch.suite);
    const entered = enterResults(db, results, policy === "fail" ? "in-doubt" : "held");
    for (const each of entered) this.#entered(each);
    await this.#notes.read(await this.#patiently(() => remote.notes()));
    await this.#noteAnswers(entered, new Map(results.map(({ job, number, origin }) => [`${job} ${number}`, origin])));
    return results.length;
  }

  /** Looks whether a service that was away has answered. `origins`: who handed in which attempt. */
  async #noteAnswers(entered: readonly EnteredResult[], origins: ReadonlyMap<string, string | null>): Promise<void> {
    if (!this.#notes.isAway) return;
    const answers = entered.flatMap(({ job, number, row }): SoundAnswer[] => {
      const queue = this.#laneOf(job.targetId)?.name;
      const outcome = row === null ? null : handedOutcome(row);
      const { sentAt = null, doneAt = 0 } = outcome?.timing ?? {};
      if (queue === undefined || outcome?.kind !== "ok" || sentAt === null) return [];
      return [{ queue, worker: origins.get(`${job.id} ${number}`) ?? null, sentAt, doneAt }];
    });
    const there = new Set(this.#workers.filter(isAlive).map(({ id }) => id));
    await this.#notes.answered(answers, (id) => there.has(id));
  }

  #entered({ job, number, row, isEnd, wasInDoubt, isReleased }: EnteredResult): void {
    const { budget, onEvent } = this.#options;
    const lane = this.#laneOf(job.targetId);
    const target = lane?.targets.find(({ id }) => id === job.targetId);
    if (lane === undefined || target === undefined) return;
    if ((wasInDoubt && isEnd) || isReleased === true) {
      lane.tally.reopened(1);
      lane.left.set(target.id, 1 + (lane.left.get(target.id) ?? 0));
    }
    const outcome = row === null ? null : handedOutcome(row);
    if (isEnd) lane.left.set(target.id, Math.max(0, (lane.left.get(target.id) ?? 0) - 1));
    if (row === null || outcome === null) {
      if (isEnd) {
        lane.tally.skipped(1);
        this.#firstJobs?.settled(job.id, null);
      }
      return;
    }
    const decision = decisionOf(row, isEnd);
    budget.take();
    if (isSpentKind(outcome.kind)) budget.pay(paidFor(target.price ?? null, outcome));
    else budget.giveBack();
    if (isEnd && outcome.kind !== "ok") budget.failed();
    lane.tally.settled(outcome, decision);
    const pending = { ...job, turn: 1, waitsFor: null, input: "{}", attempts: number, failures: 0, firstTriedAt: null };
    onEvent({ type: "settled", queue: lane.name, target: target.name, job: pending, outcome, decision });
    // A key that one worker has may be better than another's: the lane stops when nobody serves it any more.
    if (decision !== "stop-deployment") this.#firstJobs?.settled(job.id, { outcome, decision });
  }

  async #see(remote: RemoteBatch, progress: RemoteProgress): Promise<void> {
    this.#workers = progress.workers;
    this.#inDoubt = progress.inDoubt;
    if (progress.isDriven && !this.#isBegun) {
      // Nothing was sent before: until a worker was there, nobody waited for an answer.
      this.#isBegun = true;
      this.#firstJobs?.begin();
    }
    for (const lane of this.#lanes) lane.inFlight = progress.inFlight.get(lane.id) ?? 0;
    for (const { target, reason, kind } of progress.stops) await this.#stopTarget(target, reason, kind);
    const wasOpen = this.#lanes.filter(({ stopped }) => stopped === null);
    this.#watch.sees(progress.workers, progress.goneMs, steadyNow());
    for (const { stopped, id } of wasOpen) if (stopped !== null) await this.#patiently(() => remote.close(id));
    const given = this.#watch.givesUp(steadyNow());
    if (given !== null && this.#stopping === null) this.stop(given);
  }

  async #stopTarget(targetId: number, reason: string, kind: string): Promise<void> {
    const lane = this.#laneOf(targetId);
    const target = lane?.targets.find(({ id }) => id === targetId);
    if (lane === undefined || target === undefined || this.#stoppedTargets.has(targetId)) return;
    this.#stoppedTargets.add(targetId);
    await this.#options.load.journal.stopTarget(targetId, reason);
    if (lane.stopped === null)
      this.#options.onEvent({
        type: "target-stopped",
        queue: lane.name,
        target: target.name,
        reason,
        kind: knownKind(kind),
        proxy: null,
      });
    this.#firstJobs?.unreached([target.name]);
    if (lane.targets.every(({ id }) => this.#stoppedTargets.has(id)))
      this.#noteStop(lane, `nothing is left to send: ${target.name}: ${reason}`, null, true);
  }

  #stopLane(lane: Lane, reason: string, kind: string | null): void {
    this.#noteStop(lane, reason, kind);
    this.#firstJobs?.unreached(lane.targets.map(({ name }) => name));
  }

  #noteStop(lane: Lane, reason: string, kind: string | null, ofTargets?: true): void {
    if (lane.stopped !== null) return;
    lane.stopped = reason;
    if (leftOf(lane) === 0) return;
    const event = { type: "queue-stopped", queue: lane.name, reason, proxy: null, deployment: false } as const;
    const cause = { kind: kind === null ? null : knownKind(kind), ...(ofTargets && { ofTargets }) };
    this.#options.onEvent({ ...event, ...cause });
  }

  #laneOf(targetId: number): Lane | undefined {
    return this.#lanes.find(({ targets }) => targets.some(({ id }) => id === targetId));
  }
}
