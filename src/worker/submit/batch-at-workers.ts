import { storableSuite } from "../../store/stored-suite.ts";
import { AppError } from "../../errors.ts";
import type { Waker } from "../../runner/waker.ts";
import { noteRests, atWorkers, doubtPolicyOverWorkers, noteAtWorkers, planOf } from "../../store/at-workers.ts";
import { type JobHere, type Pulled, pulledBooks } from "../../store/journal/pulled.ts";
import type { DatabaseLink } from "../journal/database-link.ts";
import { deadAfterMs } from "../journal/lease.ts";
import {
  closeChunks,
  latestChunk,
  pullAgain,
  releaseBatch,
  dropFile,
  renewTarget,
  renewBatch,
  reopenChunks,
} from "../postgres/rejoin.ts";
import { setRemoteState, addFile, addService, addTargets, endFile } from "../postgres/submit.ts";
import {
  type RemoteProgress,
  type RemoteService,
  remoteProgress,
  submitterSeen,
  type ServingWorker,
  workersServing,
} from "../postgres/watch.ts";
import { reap } from "../postgres/workers.ts";
import { Dispatch } from "./dispatch.ts";
import { type Queue, serviceName } from "./queues.ts";
import { numberOf, type Places } from "./places.ts";
import { nameOthers, placesHere, knownPlan } from "./places-here.ts";
import { longestReason, Pull } from "./pull.ts";
import type { RemoteQueues } from "./remote-queues.ts";
import { type Entered, lostWords, patientLink, type Session, claim, enterAtWorkers } from "./session.ts";
import { Upload } from "./upload.ts";
import { isAlive, unreachedWords } from "./watch-queues.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { Postgres } from "../postgres/connection.ts";
import { version } from "../../lib/version.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import { resolveDoubts } from "../postgres/pull.ts";
import { caseFileIn } from "../../api/files/case-file.ts";
import { valueAt } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { unsentInputs } from "../../store/plan/unsent-inputs.ts";
import { fileFields } from "../../suite/sent-files.ts";
import { ownWayFault } from "../serve/allowed.ts";

interface Options extends Joining {
  listener: Pick<RemoteQueues, "settled" | "ended" | "reopened">;
}

/** One batch at the workers, as far as a load of it goes. */
export class BatchAtWorkers {
  /** Its database is waited for while it is away. */
  readonly #given: Options;
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
  #upload: QueueUpload | null = null;
  /** Hands its chunks to the workers. */
  readonly dispatch: Dispatch;

  constructor(given: Options) {
    const { db, batch, options, listener } = given;
    this.#link = patientLink(options.onNotice);
    this.#own = given.session;
    const session = { ...given.session, db: retryingDatabase(given.session.db, this.#link) };
    this.#given = { ...given, session };
    this.#books = pulledBooks(db);
    this.#places = placesHere(db, batch.id, options);
    this.dispatch = new Dispatch({
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
  async begin(queues: readonly Queue[]): Promise<void> {
    const { session, db, batch, options } = this.#given;
    for (const line of unreachedWords(await workersServing(session.db), queues)) options.onNotice(line);
    const entered = await joinBatch(this.#given);
    const { no, isNew, state } = entered;
    this.#entered = entered;
    nameOthers(db, batch.id, { options, places: this.#places });
    if (!isNew) await this.pull();
    await renewOnce(this.#given, no);
    if (state !== "running") await closeChunks(session.db, no);
    if (await decideAsAsked(session, no)) await this.pull();
    if (state === "uploading" && options.load.role === "case") await uploadFile(session, no, { db, batch });
    const services = await enterQueues(session.db, no, {
      lanes: queues,
      targetThere: (targetId) => this.#targetThere(targetId),
    });
    this.#upload = new QueueUpload(await this.#uploadTo(no), services);
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
      latestSlice: await latestChunk(session.db, no),
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

  /** Uploads the first jobs of a target, each in a chunk of its own. */
  async uploadHeads(queue: Queue, targetId: number, most: number): Promise<{ slice: number; job: number }[]> {
    return (await this.#upload?.heads(queue, targetId, most)) ?? [];
  }

  async uploadRest(queue: Queue, isStopped: () => boolean): Promise<void> {
    await this.#upload?.rest(queue, isStopped);
  }

  /** Everything is there: workers may begin. */
  async start(): Promise<void> {
    const { session, db, batch } = this.#given;
    noteRests(db, batch.id, false);
    await reopenChunks(session.db, this.#no);
    await setRemoteState(session.db, this.#no, "running");
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

  serviceOf(queue: Queue, progress: RemoteProgress): RemoteService | null {
    return this.#upload?.serviceOf(queue, progress) ?? null;
  }

  /** Targets of this load that are stopped there. */
  stoppedHere({ stopped }: RemoteProgress): { targetId: number; reason: string }[] {
    const here = new Map([...this.#targetsThere].map(([targetId, there]) => [there, targetId]));
    return stopped.flatMap(({ target, reason }) => {
      const targetId = here.get(target);
      return targetId === undefined ? [] : [{ targetId, reason: reason.slice(0, longestReason) }];
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
    await closeChunks(session.db, this.#no);
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

/** Enters the planned batch as a file, from which another machine can go on. */
async function uploadFile(
  session: Session,
  no: number,
  { db, batch }: { db: Connection; batch: Batch },
): Promise<void> {
  // A part of another upload would not fit.
  await dropFile(session.db, no);
  let part = 0;
  for await (const bytes of session.planFile(db, batch)) {
    await addFile(session.db, no, part, bytes);
    part += 1;
  }
  await endFile(session.db, no, knownPlan(db, batch.id).planned);
}

/** Enters the services and targets of queues, as the suite has them now; gives the number of each queue's service. */
async function enterQueues(
  db: Postgres,
  no: number,
  { lanes: queues, targetThere }: { lanes: readonly Queue[]; targetThere: (targetId: number) => number },
): Promise<Map<Queue, number>> {
  const services = new Map<Queue, number>();
  for (const queue of queues) {
    const service = await addService(db, no, { name: serviceName(queue), ...limitsOf(queue, queues) });
    services.set(queue, service);
    const word = queue.name.slice(queue.name.lastIndexOf("/") + 1);
    const targets = queue.targets.map(({ id, name, deployment, ...data }) => ({
      id: targetThere(id),
      name,
      deployment,
      endpoint: word,
      service,
      data: JSON.stringify({ ...data, name }),
    }));
    await addTargets(db, no, targets);
    for (const target of targets) await renewTarget(db, no, target);
  }
  return services;
}

/** The tightest limits of the deployments that share a service. */
function limitsOf(queue: Queue, queues: readonly Queue[]): Omit<Parameters<typeof addService>[2], "name"> {
  const sharing = queues.filter((other) => serviceName(other) === serviceName(queue));
  const same = sharing.map(({ deployment }) => deployment);
  const rates = same.flatMap(({ rate }) => rate ?? []);
  const [slowest = null] = rates.toSorted((a, b) => a.count / a.windowMs - b.count / b.windowMs);
  const stated = same.flatMap(({ waitForServiceMs }) => waitForServiceMs ?? []);
  return {
    concurrency: Math.min(...same.map(({ concurrency }) => concurrency)),
    rate: slowest,
    patienceMs: stated.length === 0 ? null : Math.max(...stated),
    isProven: sharing.some(({ targets }) => targets.some(({ isProven }) => isProven === true)),
  };
}

/** Jobs of a chunk at the least and at the most: each worker is to get some. */
const [smallestChunk, largestChunk] = [20, 400];
/** Chunks of a queue, where they are not too small. */
const chunksOfQueue = 24;

/** Uploads the jobs of queues, each queue for its own account. */
class QueueUpload {
  readonly #upload: Upload;
  /** Ids of the accounts there. */
  readonly #services: ReadonlyMap<Queue, number>;

  constructor(upload: Upload, services: ReadonlyMap<Queue, number>) {
    this.#upload = upload;
    this.#services = services;
  }

  /** Uploads the first jobs of a target, each in a chunk of its own. */
  heads(queue: Queue, targetId: number, most: number): Promise<{ slice: number; job: number }[]> {
    return this.#upload.heads(targetId, most, this.#partOf(queue));
  }

  /** Uploads all that is not there yet, as long as nobody stops it. */
  rest(queue: Queue, isStopped: () => boolean): Promise<void> {
    const jobs = queue.targets.reduce((sum, { unfinished }) => sum + unfinished, 0);
    const chunkJobs = Math.min(largestChunk, Math.max(smallestChunk, Math.ceil(jobs / chunksOfQueue)));
    const targetIds = queue.targets.map(({ id }) => id);
    return this.#upload.rest({ targetIds, sliceJobs: chunkJobs, isStopped, ...this.#partOf(queue) });
  }

  /** The account of a queue, as it is now; null: nothing is known of it. */
  serviceOf(queue: Queue, { services }: RemoteProgress): RemoteService | null {
    return services.find(({ id }) => id === this.#services.get(queue)) ?? null;
  }

  #partOf(queue: Queue): { deployment: string; service: number } {
    return { deployment: queue.deployment.name, service: this.#services.get(queue) ?? 0 };
  }
}

/**
 * A database that is waited for while it is away. A statement of which the answer was lost is sent again: only those go
 * through it that change nothing the second time.
 */
function retryingDatabase(db: Postgres, link: DatabaseLink): Postgres {
  return {
    shown: db.shown,
    query: (sql, values, name) => link.patiently(() => db.query(sql, values, name)),
    transaction: (work) => link.patiently(() => db.transaction(work)),
    listen: (channel, heard) => db.listen(channel, heard),
    close: () => db.close(),
    [Symbol.asyncDispose]: () => db.close(),
  };
}

interface Joining {
  session: Session;
  db: Connection;
  batch: Batch;
  options: DriveOptions;
}

/** Enters a batch at the workers, or finds it there, and makes this process its submitter. It is noted here that it is there. */
async function joinBatch({ session, db, batch, options }: Joining): Promise<Entered> {
  if (options.load.role === "case") checkFitting(db, batch);
  const known = atWorkers(db, batch.id);
  const place = known === null ? null : { id: known.remote, name: known.name, rests: known.rests };
  const entered = await enterAtWorkers(session, batch, { place, options });
  const { no, id, name } = entered;
  if (known === null)
    noteAtWorkers(db, batch.id, {
      remote: id,
      namespace: session.namespace,
      name,
      planned: planOf(db, batch.id).planned,
    });
  await claim(session, no, { name, onNotice: options.onNotice });
  return entered;
}

/** Gives a batch what this command asks, once for all of its loads. */
async function renewOnce({ session, batch, options }: Joining, no: number): Promise<void> {
  if (session.renewed.has(batch.id)) return;
  await renewBatch(session.db, no, {
    suite: storableSuite(batch.suite),
    version,
    budget: options.budget.limits,
    onAmbiguous: options.load.suite.onAmbiguous,
    inDoubt: session.onInDoubt ?? doubtPolicyOverWorkers(batch.suite),
  });
  session.renewed.add(batch.id);
}

/** Does with what is in doubt what the command says in so many words; false: it says nothing. */
async function decideAsAsked({ db, onInDoubt }: Session, no: number): Promise<boolean> {
  if (onInDoubt !== "resend" && onInDoubt !== "fail") return false;
  await resolveDoubts(db, no, { policy: onInDoubt });
  return true;
}

/** Throws WORKERS_UNFIT for a batch that workers cannot send. */
function checkFitting(db: Connection, { id, name, suite }: Batch): void {
  const from = `It is planned: \`tandem resume ${name}\` sends it from this machine.`;
  if (suite.interleave === "strict") {
    throw new AppError(
      "WORKERS_UNFIT",
      "interleave: strict cannot be kept by workers: none knows how far the others are.",
      {
        hint: `Leave it out of the suite. ${from}`,
      },
    );
  }
  for (const { name: deployment, connection = {} } of suite.deployments) {
    const fault = ownWayFault(connection);
    if (fault !== null)
      throw new AppError("WORKERS_UNFIT", `Workers cannot send to ${deployment}: ${fault}.`, { hint: from });
  }
  const fields = fileFields(suite.mapping);
  if (fields.length === 0) return;
  for (const { key, input } of unsentInputs(db, id)) {
    const values = storedObject(input, "an input");
    const file = fields
      .flatMap((field) => [valueAt(values, field.split("."))].flat())
      .find((value) => caseFileIn(value) !== null);
    if (file === undefined) continue;
    const path = caseFileIn(file)?.file ?? "";
    throw new AppError(
      "WORKERS_UNFIT",
      `The case ${showText(key)} sends the file ${showText(path)} of this machine, which workers do not have.`,
      {
        hint: `Put its files where every worker reaches them, and write their URLs into the sheet. ${from}`,
      },
    );
  }
}
