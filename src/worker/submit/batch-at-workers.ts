import { AppError } from "../../errors.ts";
import type { Waker } from "../../runner/waker.ts";
import { noteRests } from "../../store/at-workers.ts";
import { type JobHere, type Pulled, pulledBooks } from "../../store/journal/pulled.ts";
import type { DatabaseLink } from "../journal/database-link.ts";
import { deadAfterMs } from "../journal/lease.ts";
import { closeSlices, latestSlice, pullAgain, releaseBatch } from "../postgres/rejoin.ts";
import { setRemoteState } from "../postgres/submit.ts";
import {
  type RemoteProgress,
  type RemoteService,
  remoteProgress,
  submitterSeen,
  type ServingWorker,
  workersServing,
} from "../postgres/watch.ts";
import { reap } from "../postgres/workers.ts";
import { HandOut } from "./hand-out.ts";
import { enterLanes, uploadFile } from "./enter-batch.ts";
import { decideAsAsked, joinBatch, type Joining, renewOnce } from "./join-batch.ts";
import { LaneUpload } from "./lane-upload.ts";
import type { Lane } from "./lanes.ts";
import { numberOf, type Places } from "./places.ts";
import { patientDatabase } from "./patient-database.ts";
import { nameOthers, placesHere } from "./places-here.ts";
import { Pull } from "./pull.ts";
import type { RemoteLanes } from "./remote-lanes.ts";
import { type Entered, lostWords, patientLink, type Session } from "./session.ts";
import { Upload } from "./upload.ts";
import { isAlive, unreachedWords } from "./watch-lanes.ts";

interface Given extends Joining {
  listener: Pick<RemoteLanes, "settled" | "ended" | "reopened">;
}

/** One batch at the workers, as far as a load of it goes. */
export class BatchAtWorkers {
  /** Its database is waited for while it is away. */
  readonly #given: Given;
  /** Its database is not waited for. */
  readonly #own: Session;
  readonly #link: DatabaseLink;
  readonly #books: Pulled;
  readonly #places: Places;
  readonly #pull: Pull;
  readonly #targetsThere = new Map<number, number>();
  #entered: Entered | null = null;
  /** The latest sign of life. */
  #sign: Promise<void> = Promise.resolve();
  #upload: LaneUpload | null = null;
  readonly #handOut: HandOut;

  constructor(given: Given) {
    const { db, batch, options, listener } = given;
    this.#link = patientLink(options.onNotice);
    this.#own = given.session;
    const session = { ...given.session, db: patientDatabase(given.session.db, this.#link) };
    this.#given = { ...given, session };
    this.#books = pulledBooks(db);
    this.#places = placesHere(db, batch.id, options);
    this.#handOut = new HandOut({
      session,
      link: this.#link,
      batch: () => ({ no: this.#no, id: this.#entered?.id ?? "" }),
    });
    const { role, targets, journal } = options.load;
    for (const { id, name } of targets) this.#targetsThere.set(id, numberOf([role, name]));
    this.#pull = new Pull({
      db: session.db,
      batch: () => this.#no,
      journal,
      books: this.#books,
      places: this.#places,
      onSettled: (job, entry) => listener.settled(job, entry),
      onEnded: (job, jobs) => listener.ended(job, jobs),
      onReopened: (job) => listener.reopened(job),
    });
  }

  /** Its name here. */
  get name(): string {
    return this.#given.batch.name;
  }

  get isAway(): boolean {
    return this.#link.isAway;
  }

  get #no(): number {
    if (this.#entered === null) throw new Error("the batch is not at the workers yet");
    return this.#entered.no;
  }

  /** Enters the batch, or joins it: what has been done meanwhile is brought. */
  async begin(lanes: readonly Lane[]): Promise<void> {
    const { session, db, batch, options } = this.#given;
    for (const line of unreachedWords(await workersServing(session.db), lanes)) options.onNotice(line);
    const entered = await joinBatch(this.#given);
    const { no, isNew, state } = entered;
    this.#entered = entered;
    nameOthers(db, batch.id, { options, places: this.#places });
    if (!isNew) await this.pull();
    await renewOnce(this.#given, no);
    if (state !== "running") await closeSlices(session.db, no);
    if (await decideAsAsked(session, no)) await this.pull();
    if (state === "uploading" && options.load.role === "case") await uploadFile(session, no, { db, batch });
    const services = await enterLanes(session.db, no, {
      lanes,
      targetThere: (targetId) => this.#targetThere(targetId),
    });
    this.#upload = new LaneUpload(await this.#uploadTo(no), services);
  }

  async #uploadTo(no: number): Promise<Upload> {
    const { session, options } = this.#given;
    return new Upload({
      db: session.db,
      batch: no,
      journal: options.load.journal,
      books: this.#books,
      places: this.#places,
      targetThere: (targetId) => this.#targetThere(targetId),
      conversations: options.load.conversations,
      sharesInputs: options.load.role === "case",
      latestSlice: await latestSlice(session.db, no),
      pullAll: async () => {
        await pullAgain(session.db, no);
        await this.pull();
      },
    });
  }

  /** The number by which a target of this load is known there. */
  #targetThere(targetId: number): number {
    return this.#targetsThere.get(targetId) ?? 0;
  }

  /** Uploads the first jobs of a target, each in a slice of its own. */
  async uploadHeads(lane: Lane, targetId: number, most: number): Promise<{ slice: number; job: number }[]> {
    return (await this.#upload?.heads(lane, targetId, most)) ?? [];
  }

  async uploadRest(lane: Lane, isStopped: () => boolean): Promise<void> {
    await this.#upload?.rest(lane, isStopped);
  }

  /** Everything is there: workers may begin. */
  async start(): Promise<void> {
    const { session, db, batch } = this.#given;
    noteRests(db, batch.id, false);
    await setRemoteState(session.db, this.#no, "running");
  }

  /** Hands all slices to the workers that are not done; one that they have stays where it is. */
  letGo(): Promise<void> {
    return this.#handOut.all();
  }

  /** Hands out a slice with the next `letGoWaiting`. */
  letGoLater(slice: number): void {
    this.#handOut.later(slice);
  }

  /** Hands out again what nobody has any more. */
  putBack(): Promise<void> {
    return this.#handOut.again();
  }

  letGoWaiting(): Promise<void> {
    return this.#handOut.waiting();
  }

  /** Brings what has been done since; returns the number of attempts. */
  pull(): Promise<number> {
    return this.#pull.all();
  }

  async progress(): Promise<RemoteProgress> {
    const progress = await remoteProgress(this.#given.session.db, this.#no);
    if (progress !== null) return progress;
    const { name } = this.#given.batch;
    throw new AppError("WORKERS_BATCH", `${name} was taken away from the workers while it was sent.`, {
      hint: `What had arrived is kept. ${lostWords(name)}`,
    });
  }

  serviceOf(lane: Lane, progress: RemoteProgress): RemoteService | null {
    return this.#upload?.serviceOf(lane, progress) ?? null;
  }

  /** Targets of this load that are stopped there. */
  stoppedHere({ stopped }: RemoteProgress): { targetId: number; reason: string }[] {
    const here = new Map([...this.#targetsThere].map(([targetId, there]) => [there, targetId]));
    return stopped.flatMap(({ target, reason }) => {
      const targetId = here.get(target);
      return targetId === undefined ? [] : [{ targetId, reason }];
    });
  }

  /** Workers with what they serve. Where none is alive, nobody else looks after the requests of those that have died. */
  async workers(): Promise<ServingWorker[]> {
    const { db } = this.#given.session;
    const found = await workersServing(db);
    if (!found.some(isAlive)) await reap(db, { deadAfterMs });
    return found;
  }

  /** Gives a sign that the submitter is there. Throws BATCH_LOCKED where another is by now. */
  seen(): Promise<void> {
    this.#sign = this.#giveSign();
    return this.#sign;
  }

  async #giveSign(): Promise<void> {
    if (this.#entered === null) return;
    const { db, submitter } = this.#given.session;
    const other = await submitterSeen(db, this.#no, submitter);
    if (other === null) return;
    const { name } = this.#given.batch;
    throw new AppError("BATCH_LOCKED", `${name} is submitted by ${other} now, as this process gave no sign for long.`, {
      hint: `What it sends is brought here by: tandem resume ${name} --workers URL`,
    });
  }

  /** Resolves when workers tell of something, or after this time. */
  async change(bell: Waker, ms: number): Promise<void> {
    await this.#given.session.db.listen(`tandem_b${this.#no}`, bell.wake).catch(() => undefined);
    await bell.changeWithin(ms);
  }

  /** Nothing more is to leave. */
  async halt(state: "stopping" | "enough", reason: string): Promise<void> {
    await setRemoteState(this.#given.session.db, this.#no, state, reason);
  }

  /** Holds what is in doubt; returns those jobs. */
  hold(): Promise<JobHere[]> {
    return this.#pull.holdDoubts();
  }

  /** The load is done here and there: nothing of it leaves any more. */
  async rest(state: "finished" | "stopped", reason: string | null): Promise<void> {
    const { session, db, batch } = this.#given;
    await closeSlices(session.db, this.#no);
    await setRemoteState(session.db, this.#no, state, reason);
    noteRests(db, batch.id, true);
  }

  /** Waits for nothing any more. */
  leave(): void {
    this.#link.close();
  }

  /** Another process may submit it. */
  async release(): Promise<void> {
    this.#link.close();
    // A sign that came after the release would hold up the next one.
    await this.#sign.catch(() => undefined);
    const { db, submitter } = this.#own;
    if (this.#entered !== null) await releaseBatch(db, this.#no, submitter).catch(() => undefined);
  }
}
