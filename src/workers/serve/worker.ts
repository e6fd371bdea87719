import { hostname } from "node:os";
import { endpointWord } from "../../api/endpoint-name.ts";
import { AppError } from "../../errors.ts";
import { version } from "../../lib/version.ts";
import { waker } from "../../runner/waker.ts";
import { openAttempts } from "../../store/journal/in-doubt.ts";
import { storedAttempts } from "../../store/journal/job-states.ts";
import type { PackedRows } from "../../store/packed-rows.ts";
import { readSuite } from "../../store/stored-suite.ts";
import type { Deployment } from "../../suite/suite.ts";
import { rowsOfBytes, rowsOfText } from "../chunk-body.ts";
import {
  batchHead,
  chunkNow,
  enterAccount,
  enterWorker,
  type Left,
  leaveWorker,
  openLanes,
  type OpenLane,
  type RemoteHead,
  knownResults,
  stopBatch,
  stopTarget,
  sync,
  type SyncTold,
  takeChunk,
  tellServed,
  type WorkerState,
} from "../postgres/calls.ts";
import { openPostgres, type Postgres } from "../postgres/connection.ts";
import { DatabaseLink, LinkClosed } from "../postgres/database-link.ts";
import { isAway } from "../postgres/failure.ts";
import { type Fetched, fetchedOf, openQueue, type Queue, touchEveryMs } from "../postgres/queue.ts";
import { checkSchema } from "../postgres/schema.ts";
import type { AccountShare } from "./account-share.ts";
import { Accounts } from "./accounts.ts";
import { ChunkFile, type ChunkName, leftChunks } from "./chunk-file.ts";
import { ChunkRun } from "./chunk-run.ts";
import { type AccessOf, Clients, type OpenedService } from "./clients.ts";
import { openFolder, type WorkerFolder } from "./folder.ts";
import { msSince, thisMoment } from "./moment.ts";

/** The database hears so often of what goes on. */
const syncEveryMs = 250;
/** A worker without a chunk gives a sign so often. */
const signEveryMs = 3_000;
/** Pauses between two looks for work. */
const busyLookMs = 100;
const idleLookMs = 750;
/** While answers come it is looked so often whether the next chunk is due. */
const leastLookMs = 10;
/** A deployment that it cannot serve is tried again after so long. */
const refusedForMs = 30_000;
/** Chunks of one queue at a time: the next is fetched when the others have little left to start. */
const mostChunks = 4;
const answersWithinMs = 20_000;
/** Time that a worker which ends gives to a database that is away. */
const lastPatienceMs = 5_000;

export interface WorkerOptions {
  /** The connection string: a secret. */
  url: string;
  name: string;
  /** Names of deployments to serve; none: all that it has a key for. */
  deployments: readonly string[];
  /** Where it keeps what it drives. */
  folder: string;
  accessOf: AccessOf;
  tell: (line: string) => void;
}

/** A batch as a worker knows it. */
interface KnownBatch extends RemoteHead {
  rows: PackedRows;
  deployments: Deployment[];
}

/** A deployment that is left to others for a while. */
interface Refused extends Left {
  since: ReturnType<typeof thisMoment>;
  askedAt: number;
}

/** Connects to the database, looks whether its tables are those of this version, and puts a worker together. */
export async function openWorker(options: WorkerOptions): Promise<Worker> {
  const { url, name, folder } = options;
  const db = await openPostgres(url, { most: 4, applicationName: `tandem worker ${name}`, answersWithinMs });
  let own: WorkerFolder | null = null;
  try {
    const database = await checkSchema(db);
    own = openFolder(folder, database);
    for (const other of own.others)
      options.tell(
        `${folder} keeps results for another database (${other}): they are left alone until a worker with this folder is started for that one`,
      );
    const queue = await openQueue(db, { supervises: true });
    return new Worker({ ...options, db, queue, own, database });
  } catch (error) {
    own?.close();
    await db.close();
    throw error;
  }
}

/** Drives chunks of whatever batch its queues bring, each with an ordinary runner, until it is told to stop. */
export class Worker {
  readonly name: string;
  state: WorkerState = "on";
  /** Jobs that it has finished, by deployment. */
  readonly finished = new Map<string, { ok: number; failed: number }>();
  readonly #options: WorkerOptions;
  readonly #db: Postgres;
  readonly #queue: Queue;
  readonly #own: WorkerFolder;
  readonly #link: DatabaseLink;
  readonly #clients: Clients;
  readonly #runs = new Set<ChunkRun>();
  readonly #driving = new Set<Promise<void>>();
  readonly #accounts = new Accounts();
  readonly #batches = new Map<number, KnownBatch>();
  readonly #refused = new Map<string, Refused>();
  /** Queue to the time at which somebody last began to have something of it sent. */
  readonly #askedAt = new Map<string, number>();
  readonly #told = new Set<string>();
  readonly #bell = waker();
  readonly #syncBell = waker();
  #isHurried = false;
  #isAborted = false;
  #lookedAt = 0;
  #stopped: string | null = null;
  #isOver = false;
  #failure: { error: unknown } | null = null;
  #served = "";

  constructor(options: WorkerOptions & { db: Postgres; queue: Queue; own: WorkerFolder; database: string }) {
    const { db, queue, own, database, tell } = options;
    this.name = options.name;
    this.#options = options;
    this.#db = db;
    this.#queue = queue;
    this.#own = own;
    this.#link = new DatabaseLink({
      passes: isAway,
      onAway: (error) =>
        tell(
          `${error instanceof Error ? error.message : "PostgreSQL is away."} Answers are kept; nothing more is sent until it is back.`,
        ),
      onBack: () => tell("PostgreSQL is back."),
    });
    this.#clients = new Clients(options.accessOf, { secret: database, tell });
  }

  get runs(): readonly ChunkRun[] {
    return [...this.#runs];
  }

  get isAway(): boolean {
    return this.#link.isAway;
  }

  /** Queues that it leaves to others, with the reasons. */
  get left(): string[] {
    return [...new Set([...this.#refused.values()].map(({ reason }) => reason))];
  }

  /** Works until it is stopped. Rejects when it cannot go on. */
  async run(): Promise<void> {
    const touching = setInterval(() => void this.#touch(), touchEveryMs);
    const syncing = this.#syncUntilOver();
    try {
      await this.#enter();
      await this.#takeUpLeft();
      await this.#fetchUntilStopped();
    } catch (error) {
      if (!(error instanceof LinkClosed)) this.#fail(error);
    }
    await this.#end();
    clearInterval(touching);
    this.#isOver = true;
    this.#syncBell.wake();
    await syncing;
    await this.#leave();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Enters this worker, or enters it again where somebody has removed it. */
  #enter(): Promise<void> {
    const { name } = this;
    return this.#link.patiently(() => enterWorker(this.#db, { id: this.#own.id, name, host: hostname(), version }));
  }

  /** Fetches nothing more: what is in flight is finished, the rest is given back. */
  stop(reason: string): void {
    if (this.#stopped !== null) return;
    this.#stopped = reason;
    for (const run of this.#runs) run.leave(reason);
    this.#bell.wake();
    this.#hurry();
  }

  /** Gives up what is in flight as well: that is in doubt. */
  async abort(): Promise<void> {
    this.#isAborted = true;
    this.stop("aborted");
    for (const run of this.#runs) run.abort();
    await this.#clients.abortAll();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop("it cannot continue");
  }

  async #fetchUntilStopped(): Promise<void> {
    while (this.#stopped === null) {
      const lanes = await this.#link.patiently(() => openLanes(this.#db));
      this.#accounts.keepHealth(new Set(lanes.map(({ batch }) => batch)));
      const served = await this.#look(lanes);
      let hasFetched = false;
      if (this.state === "on") {
        for (const lane of served) {
          if (this.#stopped === null && this.#isHungry(lane.queue) && (await this.#fetchOne(lane.queue)))
            hasFetched = true;
        }
      }
      if (this.#stopped !== null) return;
      if (!hasFetched) await this.#bell.changeWithin(this.#runs.size > 0 ? busyLookMs : idleLookMs);
    }
  }

  /** The lanes that it serves, one for each queue; what it leaves to others is told to those who wait. */
  async #look(lanes: readonly OpenLane[]): Promise<OpenLane[]> {
    const served: OpenLane[] = [];
    for (const lane of lanes) {
      if (served.some((other) => other.queue === lane.queue)) continue;
      const { queue, askedAt } = lane;
      this.#askedAt.set(queue, askedAt);
      const refused = this.#refused.get(queue);
      if (refused !== undefined && refused.askedAt === askedAt && msSince(refused.since) < refusedForMs) continue;
      // It was forgotten there as well, and is told again.
      if (refused !== undefined && refused.askedAt !== askedAt) this.#served = "";
      const { deployments } = this.#options;
      if (deployments.length > 0 && !deployments.includes(lane.deployment)) {
        this.#leaveQueue(queue, {
          reason: `it serves only ${deployments.join(", ")}`,
          isByService: false,
          kind: null,
        });
        continue;
      }
      const batch = await this.#batch(lane.batch);
      const deployment = batch?.deployments.find(({ name }) => name === lane.deployment);
      // Without one, the batch was taken away meanwhile.
      if (deployment === undefined || (await this.#openOrLeave(queue, deployment)) === null) continue;
      this.#refused.delete(queue);
      served.push(lane);
    }
    const state = {
      serves: served.map(({ queue }) => queue),
      leaves: Object.fromEntries(
        [...this.#refused].map(([queue, { reason, isByService, kind }]) => [queue, { reason, isByService, kind }]),
      ),
    };
    const text = JSON.stringify(state);
    if (text !== this.#served) {
      await this.#link.patiently(() => tellServed(this.#db, this.#own.id, state));
      this.#served = text;
    }
    return served;
  }

  /** Opens the way to a deployment. Null: something is missing here, such as a key, and its queue is left to others. */
  async #openOrLeave(queue: string, deployment: Deployment): Promise<OpenedService | null> {
    try {
      return await this.#clients.of(deployment);
    } catch (error) {
      if (!(error instanceof AppError) || error.code.startsWith("WORKERS_")) throw error;
      this.#leaveQueue(queue, { reason: error.message.replace(/\.$/, ""), isByService: false, kind: null });
      return null;
    }
  }

  #leaveQueue(queue: string, left: Left): void {
    this.#refused.set(queue, { ...left, since: thisMoment(), askedAt: this.#askedAt.get(queue) ?? 0 });
    if (!this.#told.has(left.reason)) this.#options.tell(`${left.reason}; it is left to other workers`);
    this.#told.add(left.reason);
  }

  async #batch(no: number): Promise<KnownBatch | null> {
    const known = this.#batches.get(no);
    if (known !== undefined) return known;
    const head = await this.#link.patiently(() => batchHead(this.#db, no));
    if (head === null) return null;
    const rows = rowsOfText(head.head);
    const suite = rows["batch"]?.[0]?.["suite"];
    const batch = { ...head, rows, deployments: typeof suite === "string" ? readSuite(suite).deployments : [] };
    if (this.#batches.size > 100) this.#batches.clear();
    this.#batches.set(no, batch);
    return batch;
  }

  /** Chunks of this queue have little left that is not on its way. */
  #isHungry(queue: string): boolean {
    const own = [...this.#runs].filter(({ fetched }) => fetched.queue === queue);
    return (
      own.length < mostChunks &&
      own.every((run) => run.startable <= Math.max(1, Math.min(200, run.options.account.share.places)))
    );
  }

  /** True when there was one. */
  async #fetchOne(queue: string): Promise<boolean> {
    const fetched = await this.#link.patiently(() => this.#queue.fetch(queue));
    if (fetched === null) return false;
    const { batch: no, chunk, claim } = fetched;
    // Somebody has emptied the queue, and it was filled again.
    if (this.runs.some((run) => run.fetched.claim === claim)) return false;
    // A resume may have changed it.
    this.#batches.delete(no);
    const batch = await this.#batch(no);
    const taken =
      batch === null
        ? "over"
        : await this.#link.patiently(() => takeChunk(this.#db, { worker: this.#own.id, batch: no, chunk, claim }));
    // Its entry is silent from now on, and comes back after a while.
    if (taken === "not now") return true;
    if (batch === null || taken === "over") {
      await this.#link.patiently(() => this.#queue.complete(fetched));
      return true;
    }
    const results = await this.#link.patiently(() => knownResults(this.#db, no, taken.jobs));
    const file = ChunkFile.make(
      this.#own.chunks,
      { batch: batch.id, chunk, claim },
      { head: batch.rows, rows: rowsOfBytes(taken.body), results },
    );
    const { lane, jobs, mark, isFirst } = taken;
    const given = { fetched, batch, lane, file, jobs, mark, isFirst, isLeft: false };
    if (!(await this.#begin(given))) {
      file.remove();
      await this.#link.patiently(() => this.#queue.giveBack(fetched));
    }
    return true;
  }

  /** Begins to drive a chunk. False: it is left to others. */
  async #begin(given: {
    fetched: Fetched;
    batch: KnownBatch;
    lane: number;
    file: ChunkFile;
    jobs: number[];
    mark: number;
    isFirst: boolean;
    isLeft: boolean;
  }): Promise<boolean> {
    const { fetched, batch, lane, file, jobs, mark, isFirst, isLeft } = given;
    const target = file.anyTarget;
    const deployment = batch.deployments.find(({ name }) => name === target?.deployment);
    if (target === null || deployment === undefined) throw new Error("a chunk has no target");
    const word = endpointWord(target.endpoint);
    const opened = await this.#openOrLeave(fetched.queue, deployment);
    if (opened === null) return false;
    const name = `${opened.account} ${word}`;
    await this.#link.patiently(() => enterAccount(this.#db, name, { batch: fetched.batch, lane }));
    // The service may have refused another chunk meanwhile.
    if (this.#refused.has(fetched.queue)) return false;
    const { seed } = file.batch;
    const account = this.#accounts.of({
      batch: fetched.batch,
      account: name,
      deployment: opened.deployment,
      endpoint: word,
      seed: `${seed} ${this.#own.id}`,
    });
    const run = new ChunkRun({
      fetched,
      batch: batch.id,
      lane: { deployment: deployment.name, word },
      file,
      opened,
      account,
      worker: this.#own.id,
      policy: batch.inDoubt,
      limits: JSON.parse(batch.limits),
      jobs,
      mark,
      isFirst,
      isLeft,
      hurry: () => this.#hurry(),
      onSettled: (isOk) => this.#count(deployment.name, isOk),
      onSpent: (reason) =>
        void this.#link.patiently(() => stopBatch(this.#db, fetched.batch, reason)).catch(() => undefined),
      onStopped: (stop) =>
        void this.#link.patiently(() => stopTarget(this.#db, fetched.batch, stop)).catch(() => undefined),
      onRefused: (reason, kind) => {
        account.forget();
        this.#leaveQueue(fetched.queue, { reason: `${deployment.name}: ${reason}`, isByService: true, kind });
        for (const other of this.#runs) if (other.fetched.queue === fetched.queue) other.leave(reason);
      },
    });
    if (this.#stopped !== null) run.leave(this.#stopped);
    this.#runs.add(run);
    this.#hurry();
    const driving = this.#drive(run)
      .catch((error: unknown) => {
        if (!(error instanceof LinkClosed)) this.#fail(error);
      })
      .finally(() => {
        this.#driving.delete(driving);
        this.#bell.wake();
      });
    this.#driving.add(driving);
    return true;
  }

  async #drive(run: ChunkRun): Promise<void> {
    const { fetched, options } = run;
    let end: Awaited<ReturnType<ChunkRun["run"]>> | null = null;
    try {
      end = await run.run();
    } finally {
      this.#runs.delete(run);
      if (end === null) options.file.close();
    }
    if (end.isHeld && end.isDone) await this.#link.patiently(() => this.#queue.complete(fetched));
    else if (end.isHeld) await this.#link.patiently(() => this.#queue.giveBack(fetched));
    options.file.remove();
  }

  #count(deployment: string, isOk: boolean): void {
    if (performance.now() - this.#lookedAt > leastLookMs) {
      this.#lookedAt = performance.now();
      if (this.runs.some(({ fetched }) => this.#isHungry(fetched.queue))) this.#bell.wake();
    }
    const counts = this.finished.get(deployment) ?? { ok: 0, failed: 0 };
    counts[isOk ? "ok" : "failed"] += 1;
    this.finished.set(deployment, counts);
  }

  /** Chunks that an earlier process of this folder had: they go on where they are still this worker's, and hand in what they have. */
  async #takeUpLeft(): Promise<void> {
    for (const name of leftChunks(this.#own.chunks)) {
      const now = await this.#link.patiently(() => chunkNow(this.#db, name));
      if (now === null) {
        this.#options.tell(`results of a batch that ${this.#db.shown} has no more are left in ${this.#own.chunks}`);
        continue;
      }
      const file = ChunkFile.open(this.#own.chunks, name);
      if (file === null) continue;
      const batch = await this.#batch(now.no);
      const isOwn = now.isOpen && now.worker === this.#own.id && now.claim === name.claim;
      if (isOwn && batch !== null) {
        const fetched = fetchedOf(name.claim, { queue: now.queue, batch: now.no, chunk: name.chunk });
        const { lane, jobs, mark, isFirst } = now;
        if (!(await this.#begin({ fetched, batch, lane, file, jobs, mark, isFirst, isLeft: true }))) {
          await this.#handIn(now.no, { name, file });
          await this.#link.patiently(() => this.#queue.giveBack(fetched));
        }
      } else await this.#handIn(now.no, { name, file });
    }
  }

  /** Hands in what is known of a chunk that others have by now, and says what had not left. */
  async #handIn(no: number, { name, file }: { name: ChunkName; file: ChunkFile }): Promise<void> {
    const results = storedAttempts(file.db).flatMap(({ job, number }) => {
      const found = file.result(job, number);
      return found === null ? [] : [{ ...found, batch: no, requests: number === 0 ? 0 : 1, failures: 0, cost: 0 }];
    });
    // A later turn may have left before anybody heard that the one before it was answered.
    for (const { jobId: job, attempt: number } of openAttempts(file.db, file.batch.id))
      results.push({ job, number, rank: 0, row: null, batch: no, requests: 0, failures: 0, cost: 0 });
    const unsent = file.states().flatMap(({ id, outcome, isSending }) => (outcome === null && !isSending ? [id] : []));
    const chunk = { batch: no, chunk: name.chunk, claim: name.claim, mark: 0, ends: true, isDone: false, unsent };
    const asked = { worker: this.#own.id, inFlight: 0, results, notes: [], chunks: [chunk], accounts: [] };
    await this.#link.patiently(() => sync(this.#db, asked));
    this.#options.tell(`${file.batch.name}: ${results.length} results of an earlier start are handed in`);
    file.remove();
  }

  #hurry(): void {
    this.#isHurried = true;
    this.#syncBell.wake();
  }

  async #syncUntilOver(): Promise<void> {
    let last = performance.now();
    while (!this.#isOver) {
      const waitMs = this.#runs.size > 0 ? syncEveryMs : signEveryMs;
      if (!this.#isHurried) await this.#syncBell.changeWithin(Math.max(0, last + waitMs - performance.now()));
      if (this.#isOver) return;
      this.#isHurried = false;
      last = performance.now();
      try {
        await this.#sync();
      } catch (error) {
        if (error instanceof LinkClosed) return;
        this.#fail(error);
        return;
      }
    }
  }

  async #sync(): Promise<void> {
    const runs = this.runs;
    const isPaused = this.state === "paused";
    const asked = runs.map((run) => run.ask());
    const wantedOf = (share: AccountShare): number =>
      runs.reduce((sum, run) => sum + (run.options.account.share === share ? run.wanted : 0), 0);
    // A start anew takes over the share of its predecessor, as a resume does on one machine.
    const accounts = this.#accounts.ask(this.#own.id, { isPaused, wantedOf });
    let askedAt = thisMoment();
    const told: SyncTold = await this.#link.patiently(() => {
      askedAt = thisMoment();
      return sync(this.#db, {
        worker: this.#own.id,
        inFlight: this.#accounts.flying,
        results: asked.flatMap(({ results }) => results),
        notes: asked.flatMap(({ notes }) => notes),
        chunks: asked.map(({ chunk }) => chunk),
        accounts,
      });
    });
    // A chunk that was lost is left first: nothing of it goes with the new share.
    for (const [place, run] of runs.entries()) {
      const [one, answer] = [asked[place], told.chunks[place]];
      if (one === undefined || answer === undefined) continue;
      run.told(one, answer);
      if (!one.isWhole) this.#isHurried = true;
    }
    const isUsed = (share: AccountShare): boolean => this.runs.some(({ options }) => options.account.share === share);
    if (this.#accounts.told(accounts, told.shares, { askedAt, isUsed })) this.#isHurried = true;
    if (told.state === null) {
      await this.#enter();
      this.#served = "";
    } else this.#asked(told.state);
  }

  #asked(state: WorkerState): void {
    if (state === this.state) return;
    this.state = state;
    if (state === "draining") this.stop("drained");
    this.#options.tell({ on: "resumed", paused: "paused: nothing more is sent", draining: "draining" }[state]);
    this.#bell.wake();
    this.#hurry();
  }

  async #touch(): Promise<void> {
    try {
      await this.#queue.touch(this.runs.map(({ fetched }) => fetched));
    } catch {
      // A database that is away hears of it later.
    }
  }

  /** Waits until all that is in flight is finished and handed in; not for a database that is away when nothing else is left. */
  async #end(): Promise<void> {
    for (let stuckMs = 0; this.#driving.size > 0;) {
      await this.#bell.changeWithin(200);
      const isIdle = this.runs.every((run) => (run.snapshot()?.inFlight ?? 0) === 0);
      stuckMs = isIdle && this.#link.isAway ? stuckMs + 200 : 0;
      if (stuckMs < lastPatienceMs) continue;
      this.#link.close();
      this.#options.tell(`results are kept in ${this.#own.chunks}: the next start of this worker hands them in`);
      return;
    }
  }

  async #leave(): Promise<void> {
    if (!this.#link.isAway && !this.#link.isClosed)
      await leaveWorker(this.#db, this.#own.id, this.#isAborted ? null : this.#own.id).catch(() => undefined);
    await this.close();
  }

  /** Lets go of all connections: at the end of `run`, or instead of it. */
  async close(): Promise<void> {
    await this.#clients.close();
    await this.#queue.close().catch(() => undefined);
    await this.#db.close();
    this.#own.close();
  }
}
