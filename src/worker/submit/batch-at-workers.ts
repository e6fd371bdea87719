import { AppError } from "../../errors.ts";
import { version } from "../../lib/version.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import type { Settlement } from "../../runner/journal.ts";
import type { Waker } from "../../runner/waker.ts";
import { atWorkers, noteAtWorkers, noteRests, planOf } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type JobHere, type Pulled, pulledBooks } from "../../store/journal/pulled.ts";
import type { DatabaseLink } from "../journal/database-link.ts";
import { closeSlices, latestSlice, pullAgain, releaseBatch, renewBatch } from "../postgres/rejoin.ts";
import { resolveDoubts } from "../postgres/pull.ts";
import { setRemoteState } from "../postgres/submit.ts";
import {
  type RemoteProgress,
  type RemoteService,
  remoteProgress,
  submitterSeen,
  type ServingWorker,
  workersServing,
} from "../postgres/watch.ts";
import { checkFitting } from "./fitting.ts";
import { HandOut } from "./hand-out.ts";
import { enterLanes, uploadFile } from "./enter-batch.ts";
import type { Lane } from "./lanes.ts";
import { numberOf, type Places } from "./places.ts";
import { patientDatabase } from "./patient-database.ts";
import { knownPlan, placesHere } from "./places-here.ts";
import { Pull } from "./pull.ts";
import { claim, type Entered, enterAtWorkers, lostWords, patientLink, type Session } from "./session.ts";
import { Upload } from "./upload.ts";
import { unreachedWords } from "./watch-lanes.ts";

/** Jobs of a slice at the least and at the most: each worker is to get some. */
const [smallestSlice, largestSlice] = [20, 400];
/** Slices of a lane, where they are not too small. */
const slicesOfLane = 24;

interface Given {
  session: Session;
  db: Connection;
  batch: Batch;
  options: DriveOptions;
  listener: {
    settled: (job: JobHere, entry: Settlement) => void;
    ended: (job: JobHere, jobs: number) => void;
    reopened: (job: JobHere) => void;
  };
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
  readonly #services = new Map<Lane, number>();
  readonly #targetsThere = new Map<number, number>();
  #entered: Entered | null = null;
  #upload: Upload | null = null;
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
    if (options.load.role === "case") checkFitting(db, batch);
    for (const line of unreachedWords(await workersServing(session.db), lanes)) options.onNotice(line);
    const known = atWorkers(db, batch.id);
    const place = known === null ? null : { id: known.remote, name: known.name, rests: known.rests };
    const entered = await enterAtWorkers(session, batch, { place, options });
    const { no, id, name, isNew, state } = entered;
    if (known === null)
      noteAtWorkers(db, batch.id, {
        remote: id,
        namespace: session.namespace,
        name,
        planned: planOf(db, batch.id).planned,
      });
    this.#entered = entered;
    await claim(session, no, { name, onNotice: options.onNotice });
    this.#nameOthers();
    if (!isNew) await this.pull();
    if (!session.renewed.has(batch.id)) await this.#renew();
    if (state !== "running") await closeSlices(session.db, no);
    await this.#resolve();
    if (state === "uploading" && options.load.role === "case") await uploadFile(session, no, { db, batch });
    const services = await enterLanes(session.db, no, { lanes, targetThere: (targetId) => this.targetThere(targetId) });
    for (const [lane, service] of services) this.#services.set(lane, service);
    this.#upload = new Upload({
      db: session.db,
      batch: no,
      journal: options.load.journal,
      books: this.#books,
      places: this.#places,
      targetThere: (targetId) => this.targetThere(targetId),
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
  targetThere(targetId: number): number {
    return this.#targetsThere.get(targetId) ?? 0;
  }

  /** Uploads the first jobs of a target, each in a slice of its own. */
  async uploadHeads(lane: Lane, targetId: number, most: number): Promise<{ slice: number; job: number }[]> {
    return (await this.#upload?.heads(targetId, most, this.#partOf(lane))) ?? [];
  }

  async uploadRest(lane: Lane): Promise<void> {
    const jobs = lane.targets.reduce((sum, { unfinished }) => sum + unfinished, 0);
    const sliceJobs = Math.min(largestSlice, Math.max(smallestSlice, Math.ceil(jobs / slicesOfLane)));
    await this.#upload?.rest({ targetIds: lane.targets.map(({ id }) => id), sliceJobs, ...this.#partOf(lane) });
  }

  #partOf(lane: Lane): { deployment: string; service: number } {
    return { deployment: lane.deployment.name, service: this.#services.get(lane) ?? 0 };
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

  serviceOf(lane: Lane, { services }: RemoteProgress): RemoteService | null {
    return services.find(({ id }) => id === this.#services.get(lane)) ?? null;
  }

  workers(): Promise<ServingWorker[]> {
    return workersServing(this.#given.session.db);
  }

  /** Gives a sign that the submitter is there. */
  async seen(): Promise<void> {
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
    const { db, submitter } = this.#own;
    if (this.#entered !== null) await releaseBatch(db, this.#no, submitter).catch(() => undefined);
  }

  /** A job beyond the plan can be found by its name there once that was made. */
  #nameOthers(): void {
    const { load } = this.#given.options;
    const ids = load.targets.map(({ id }) => id);
    const { firstJob, planned } = knownPlan(this.#given.db, this.#given.batch.id);
    let after = load.role === "judge" ? 0 : firstJob + planned - 1;
    for (;;) {
      const page = load.journal.pending(ids, after, 1_000);
      for (const job of page) this.#places.there(job);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  async #renew(): Promise<void> {
    const { session, batch, options } = this.#given;
    await renewBatch(session.db, this.#no, {
      suite: JSON.stringify(batch.suite),
      version,
      budget: options.budget.limits,
      onAmbiguous: options.load.suite.onAmbiguous,
      inDoubt: session.onInDoubt ?? "hold",
    });
    session.renewed.add(batch.id);
  }

  /** Does with what is in doubt what the command says in so many words. */
  async #resolve(): Promise<void> {
    const { db, onInDoubt } = this.#given.session;
    if (onInDoubt !== "resend" && onInDoubt !== "fail") return;
    await resolveDoubts(db, this.#no, { policy: onInDoubt });
    await this.pull();
  }
}
