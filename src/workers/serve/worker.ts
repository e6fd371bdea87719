import { hostname } from "node:os";
import { endpointWord } from "../../api/endpoint-name.ts";
import { version } from "../../lib/version.ts";
import { waker } from "../../runner/waker.ts";
import { rowsOfBytes } from "../chunk-body.ts";
import {
  enterAccount,
  enterWorker,
  knownResults,
  leaveWorker,
  openLanes,
  stopBatch,
  stopTarget,
  takeChunk,
  type WorkerState,
} from "../postgres/calls.ts";
import { openPostgres, type Postgres } from "../postgres/connection.ts";
import { DatabaseLink, LinkClosed } from "../postgres/database-link.ts";
import { isAway } from "../postgres/failure.ts";
import { openQueue, type Queue, touchEveryMs } from "../postgres/queue.ts";
import { checkSchema } from "../postgres/schema.ts";
import { Accounts } from "./accounts.ts";
import { ChunkFile } from "./chunk-file.ts";
import { ChunkRun } from "./chunk-run.ts";
import { type AccessOf, Clients } from "./clients.ts";
import { openFolder, type WorkerFolder } from "./folder.ts";
import { KnownBatches } from "./known-batches.ts";
import { type BegunChunk, takeUpLeft } from "./left-chunks.ts";
import { ServedQueues } from "./served-queues.ts";
import type { WorkerSite } from "./site.ts";
import { SyncLoop } from "./sync-loop.ts";

/** Pauses between two looks for work. */
const busyLookMs = 100;
const idleLookMs = 750;
/** While answers come it is looked so often whether the next chunk is due. */
const leastLookMs = 10;
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
  readonly #site: WorkerSite;
  readonly #clients: Clients;
  readonly #batches: KnownBatches;
  readonly #served: ServedQueues;
  readonly #sync: SyncLoop;
  readonly #runs = new Set<ChunkRun>();
  readonly #driving = new Set<Promise<void>>();
  readonly #accounts = new Accounts();
  readonly #bell = waker();
  #isAborted = false;
  #lookedAt = 0;
  #stopped: string | null = null;
  #failure: { error: unknown } | null = null;

  constructor(options: WorkerOptions & { db: Postgres; queue: Queue; own: WorkerFolder; database: string }) {
    const { db, queue, own, database, tell, deployments } = options;
    this.name = options.name;
    const link = new DatabaseLink({
      passes: isAway,
      onAway: (error) =>
        tell(
          `${error instanceof Error ? error.message : "PostgreSQL is away."} Answers are kept; nothing more is sent until it is back.`,
        ),
      onBack: () => tell("PostgreSQL is back."),
    });
    this.#site = { db, queue, own, link, tell };
    this.#clients = new Clients(options.accessOf, { secret: database, tell });
    this.#batches = new KnownBatches(this.#site);
    this.#served = new ServedQueues(this.#site, { deployments, clients: this.#clients, batches: this.#batches });
    this.#sync = new SyncLoop(this.#site, {
      accounts: this.#accounts,
      runs: () => this.runs,
      isPaused: () => this.state === "paused",
      onState: (state) => this.#asked(state),
    });
  }

  get runs(): readonly ChunkRun[] {
    return [...this.#runs];
  }

  get isAway(): boolean {
    return this.#site.link.isAway;
  }

  /** Queues that it leaves to others, with the reasons. */
  get left(): string[] {
    return this.#served.reasons;
  }

  /** Works until it is stopped. Rejects when it cannot go on. */
  async run(): Promise<void> {
    const touching = setInterval(() => void this.#touch(), touchEveryMs);
    const syncing = this.#sync.run().catch((error: unknown) => this.#fail(error));
    try {
      await this.#enter();
      await takeUpLeft(this.#site, { batches: this.#batches, begin: (chunk) => this.#begin(chunk) });
      await this.#fetchUntilStopped();
    } catch (error) {
      if (!(error instanceof LinkClosed)) this.#fail(error);
    }
    await this.#end();
    clearInterval(touching);
    this.#sync.end();
    await syncing;
    await this.#leave();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Enters this worker, or enters it again where somebody has removed it. */
  #enter(): Promise<void> {
    const { name } = this;
    const { db, link, own } = this.#site;
    return link.patiently(() => enterWorker(db, { id: own.id, name, host: hostname(), version }));
  }

  /** Fetches nothing more: what is in flight is finished, the rest is given back. */
  stop(reason: string): void {
    if (this.#stopped !== null) return;
    this.#stopped = reason;
    for (const run of this.#runs) run.leave(reason);
    this.#bell.wake();
    this.#sync.hurry();
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
    const { db, link } = this.#site;
    while (this.#stopped === null) {
      const lanes = await link.patiently(() => openLanes(db));
      this.#accounts.keepHealth(new Set(lanes.map(({ batch }) => batch)));
      const served = await this.#served.look(lanes);
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

  /** Chunks of this queue have little left that is not on its way. */
  #isHungry(queue: string): boolean {
    const own = [...this.#runs].filter(({ fetched }) => fetched.queue === queue);
    return (
      own.length < mostChunks &&
      own.every((run) => run.startable <= Math.max(1, Math.min(200, run.options.account.share.places)))
    );
  }

  /** True when there was one. */
  async #fetchOne(name: string): Promise<boolean> {
    const { db, link, queue, own } = this.#site;
    const fetched = await link.patiently(() => queue.fetch(name));
    if (fetched === null) return false;
    const { batch: no, chunk, claim } = fetched;
    // Somebody has emptied the queue, and it was filled again.
    if (this.runs.some((run) => run.fetched.claim === claim)) return false;
    const batch = await this.#batches.renewed(no, () => this.#accounts.forgetHealth(no));
    const taken =
      batch === null ? "over" : await link.patiently(() => takeChunk(db, { worker: own.id, batch: no, chunk, claim }));
    // Its entry is silent from now on, and comes back after a while.
    if (taken === "not now") return true;
    if (batch === null || taken === "over") {
      await link.patiently(() => queue.complete(fetched));
      return true;
    }
    const results = await link.patiently(() => knownResults(db, no, taken.jobs));
    const file = ChunkFile.make(
      own.chunks,
      { batch: batch.id, chunk, claim },
      { head: batch.rows, rows: rowsOfBytes(taken.body), results },
    );
    const { lane, jobs, mark, isFirst } = taken;
    if (!(await this.#begin({ fetched, batch, lane, file, jobs, mark, isFirst, isLeft: false }))) {
      file.remove();
      await link.patiently(() => queue.giveBack(fetched));
    }
    return true;
  }

  /** Begins to drive a chunk. False: it is left to others. */
  async #begin({ fetched, batch, lane, file, jobs, mark, isFirst, isLeft }: BegunChunk): Promise<boolean> {
    const { db, link, own } = this.#site;
    const target = file.anyTarget;
    const deployment = batch.deployments.find(({ name }) => name === target?.deployment);
    if (target === null || deployment === undefined) throw new Error("a chunk has no target");
    const word = endpointWord(target.endpoint);
    const opened = await this.#served.open(fetched.queue, deployment);
    if (opened === null) return false;
    const name = `${opened.account} ${word}`;
    await link.patiently(() => enterAccount(db, name, { batch: fetched.batch, lane }));
    // The service may have refused another chunk meanwhile.
    if (this.#served.isLeft(fetched.queue)) return false;
    const { seed } = file.batch;
    const account = this.#accounts.of({
      batch: fetched.batch,
      account: name,
      deployment: opened.deployment,
      endpoint: word,
      seed: `${seed} ${own.id}`,
    });
    const run = new ChunkRun({
      fetched,
      batch: batch.id,
      lane: { deployment: deployment.name, word },
      file,
      opened,
      account,
      worker: own.id,
      policy: batch.inDoubt,
      limits: JSON.parse(batch.limits),
      jobs,
      mark,
      isFirst,
      isLeft,
      hurry: this.#sync.hurry,
      onSettled: (isOk) => this.#count(deployment.name, isOk),
      onSpent: (reason) => void link.patiently(() => stopBatch(db, fetched.batch, reason)).catch(() => undefined),
      onStopped: (stop) => void link.patiently(() => stopTarget(db, fetched.batch, stop)).catch(() => undefined),
      onRefused: (reason, kind) => {
        account.forget();
        this.#served.leave(fetched.queue, { reason: `${deployment.name}: ${reason}`, isByService: true, kind });
        for (const other of this.#runs) if (other.fetched.queue === fetched.queue) other.leave(reason);
      },
    });
    if (this.#stopped !== null) run.leave(this.#stopped);
    this.#runs.add(run);
    this.#sync.hurry();
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
    const { link, queue } = this.#site;
    let end: Awaited<ReturnType<ChunkRun["run"]>> | null = null;
    try {
      end = await run.run();
    } finally {
      this.#runs.delete(run);
      if (end === null) options.file.close();
    }
    if (end.isHeld && end.isDone) await link.patiently(() => queue.complete(fetched));
    else if (end.isHeld) await link.patiently(() => queue.giveBack(fetched));
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

  /** Does what it is asked for. Null: somebody has removed it. */
  async #asked(state: WorkerState | null): Promise<void> {
    if (state === this.state) return;
    if (state === null) {
      await this.#enter();
      this.#served.forgotten();
      return;
    }
    this.state = state;
    if (state === "draining") this.stop("drained");
    this.#site.tell({ on: "resumed", paused: "paused: nothing more is sent", draining: "draining" }[state]);
    this.#bell.wake();
    this.#sync.hurry();
  }

  async #touch(): Promise<void> {
    try {
      await this.#site.queue.touch(this.runs.map(({ fetched }) => fetched));
    } catch {
      // A database that is away hears of it later.
    }
  }

  /** Waits until all that is in flight is finished and handed in; not for a database that is away when nothing else is left. */
  async #end(): Promise<void> {
    for (let stuckMs = 0; this.#driving.size > 0;) {
      await this.#bell.changeWithin(200);
      const isIdle = this.runs.every((run) => (run.snapshot()?.inFlight ?? 0) === 0);
      stuckMs = isIdle && this.#site.link.isAway ? stuckMs + 200 : 0;
      if (stuckMs < lastPatienceMs) continue;
      this.#site.link.close();
      this.#site.tell(`results are kept in ${this.#site.own.chunks}: the next start of this worker hands them in`);
      return;
    }
  }

  async #leave(): Promise<void> {
    if (!this.#site.link.isAway && !this.#site.link.isClosed)
      await leaveWorker(this.#site.db, this.#site.own.id, this.#isAborted ? null : this.#site.own.id).catch(
        () => undefined,
      );
    await this.close();
  }

  /** Lets go of all connections: at the end of `run`, or instead of it. */
  async close(): Promise<void> {
    await this.#clients.close();
    await this.#site.queue.close().catch(() => undefined);
    await this.#site.db.close();
    this.#site.own.close();
  }
}
