import { outcomes } from "../../api/outcomes.ts";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import { waker } from "../../runner/waker.ts";
import { LinkClosed } from "../journal/database-link.ts";
import { deadAfterMs } from "../journal/lease.ts";
import { stopUnserved } from "../postgres/open-work.ts";
import { completeChunk, fetchChunks, giveChunkBack, touchFetched } from "../postgres/queues.ts";
import { hearCalls, leaveWorker, reap, type WorkerState } from "../postgres/workers.ts";
import { Heartbeat } from "./heartbeat.ts";
import { type Offer, Offers } from "./offers.ts";
import { type ChunkEnd, ChunkRun } from "./chunk-run.ts";
import type { Tools } from "./tools.ts";

/** Pauses between two looks for work: while there is some, and at the longest while there is none. */
const busyLookMs = 250;
const idleLookMs = 2_000;
/** Time between two looks at all that is open. */
const offersEveryMs = 2_000;
/** Chunks of one queue at a time; the next is fetched when the others have little left to start. */
const mostChunks = 8;
const lookMs = 200;
/** Time that a worker which ends gives to a database that is away. */
const lastPatienceMs = 5_000;

interface WorkerSettings {
  name: string;
  /** Names of deployments to serve; none: all that it can. */
  deployments: readonly string[];
  /** Addresses that it may send to. */
  addresses: readonly string[];
}

/** Sends requests of many batches, as PostgreSQL hands them out, until it is told to stop. */
export class Worker {
  readonly id: string;
  readonly name: string;
  readonly tools: Tools;
  readonly offers: Offers;
  state: WorkerState = "on";
  readonly #chunks = new Set<ChunkRun>();
  readonly #running = new Set<Promise<void>>();
  readonly #heartbeat: Heartbeat;
  readonly #waker = waker();
  #stopped: string | null = null;
  #failure: { error: unknown } | null = null;
  #offered: Offer[] = [];
  /** Lines on work that it leaves to others or cannot stop, as far as they were told. */
  readonly #toldLeft = new Set<string>();
  #offersAt = Number.NEGATIVE_INFINITY;

  constructor(tools: Tools, { name, deployments, addresses }: WorkerSettings) {
    this.id = tools.workerId;
    this.name = name;
    this.tools = { ...tools, fail: (error) => this.#fail(error), hungry: this.#waker.wake };
    this.offers = new Offers(this.tools, deployments);
    this.#heartbeat = new Heartbeat({
      tools: this.tools,
      name,
      addresses,
      served: () => this.offers.served,
      told: () => this.offers.told,
      onState: (state) => this.#asked(state),
      onBeat: () => touchChunks(this.tools, this.chunks, (chunk) => this.#chunks.has(chunk)),
    });
  }

  /** Chunks that it has now. */
  get chunks(): readonly ChunkRun[] {
    return [...this.#chunks];
  }

  /** Works until it is stopped. Rejects when it cannot go on. */
  async run(): Promise<void> {
    await this.#end(this.#work());
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Fetches nothing more: what is in flight is finished, the rest is given back. */
  stop(reason: string): void {
    if (this.#stopped !== null) return;
    this.#stopped = reason;
    for (const chunk of this.#chunks) chunk.leave(reason);
    this.#waker.wake();
  }

  /** Chunks of a batch that it has now. */
  chunksOf(batch: number): ChunkRun[] {
    return this.chunks.filter(({ fetched }) => fetched.batch === batch);
  }

  /** Gives up what is in flight as well: that is in doubt. */
  async abort(): Promise<void> {
    this.stop("aborted");
    for (const chunk of this.#chunks) chunk.abort();
    await this.tools.clients.abortAll();
  }

  async #work(): Promise<void> {
    try {
      await this.#heartbeat.begin();
      // Who cannot be called looks from time to time.
      void hearCalls(this.tools.db, () => this.#called()).catch(() => undefined);
      this.tools.settles.deliver();
      await this.#fetchUntilStopped();
    } catch (error) {
      if (!(error instanceof LinkClosed)) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop("it cannot continue");
    this.tools.link.close();
  }

  async #fetchUntilStopped(): Promise<void> {
    let waitMs = busyLookMs;
    while (this.#stopped === null) {
      await this.#look();
      const hasFetched = this.state === "on" && (await this.#fetchOnce());
      // While there is work the next chunk is fetched as soon as one is nearly out: only then is anything asked.
      const isBusy = hasFetched || this.#chunks.size > 0 || this.#offersAt === Number.NEGATIVE_INFINITY;
      waitMs = isBusy ? busyLookMs : Math.min(idleLookMs, waitMs * 1.5);
      if (this.#stopped === null) await this.#waker.changeWithin(hasFetched ? 0 : waitMs);
    }
  }

  /** Somebody has work: all that is open is looked at anew. */
  #called(): void {
    this.#offersAt = Number.NEGATIVE_INFINITY;
    this.#waker.wake();
  }

  /** True when there was something. */
  async #fetchOnce(): Promise<boolean> {
    const { db, link, counters } = this.tools;
    let hasFetched = false;
    for (const offer of this.#offered) {
      if (this.#stopped !== null || !this.#isHungry(offer)) continue;
      const [fetched] = await link.patiently(() => fetchChunks(db, offer.queue, 1));
      if (fetched === undefined) continue;
      hasFetched = true;
      counters.chunks.fetched += 1;
      this.#start(offer, new ChunkRun(this.tools, { fetched, ...offer }));
    }
    return hasFetched;
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#offersAt < offersEveryMs) return;
    this.#offersAt = performance.now();
    this.#offered = await this.offers.look();
    await this.#heartbeat.tell();
    this.#tellLeft();
    for (const { offer, reason } of this.offers.refusedLately) await this.#stopUnserved(offer, reason);
  }

  /** Says once for each what is left to others, in the log of this worker too. */
  #tellLeft(): void {
    for (const line of this.offers.told.lines) this.#tellOnce(line, "; it is left to others");
  }

  #tellOnce(line: string, more = ""): void {
    if (!this.#toldLeft.has(line)) this.tools.tell(`${line}${more}`);
    this.#toldLeft.add(line);
  }

  /** Chunks of this queue have little left that is not on its way. */
  #isHungry({ queue }: Offer): boolean {
    const own = [...this.#chunks].filter((chunk) => chunk.queue === queue);
    return own.length < mostChunks && own.every((chunk) => chunk.isNearlyOut);
  }

  #start(offer: Offer, chunk: ChunkRun): void {
    this.#chunks.add(chunk);
    if (this.#stopped !== null) chunk.leave(this.#stopped);
    const running = this.#drive(offer, chunk)
      .catch((error: unknown) => {
        if (!(error instanceof LinkClosed)) this.#fail(error);
      })
      .then(() => {
        this.#chunks.delete(chunk);
        return this.tools.faults.left(chunk.fetched.batch);
      })
      .finally(() => {
        this.#running.delete(running);
        this.#waker.wake();
      });
    this.#running.add(running);
  }

  async #drive(offer: Offer, chunk: ChunkRun): Promise<void> {
    const { db, link, counters } = this.tools;
    const end = await this.#endOf(chunk);
    if (end.kind === "done") {
      counters.chunks.ended += 1;
      await link.patiently(() => completeChunk(db, chunk.queue, chunk.fetched));
      return;
    }
    counters.chunks.givenBack += 1;
    if (end.kind === "refused") await this.#refused(offer, end);
    await link.patiently(() => giveChunkBack(db, chunk.queue, chunk.fetched));
  }

  /** A deployment that lacks something here is refused, as one that refuses us is. Any other fault is one of the batch. */
  async #endOf(chunk: ChunkRun): Promise<ChunkEnd> {
    try {
      return await chunk.run();
    } catch (error) {
      if (error instanceof LinkClosed) throw error;
      if (error instanceof AppError && !error.code.startsWith("WORKERS_"))
        return { kind: "refused", reason: error.message, outcome: null };
      this.tools.faults.found(chunk.fetched.batch, error);
      // Whoever goes on with the batch hands its chunks out again.
      return { kind: "done" };
    }
  }

  /** Leaves a deployment to others; when there are none, nothing more is sent to it. */
  async #refused(offer: Offer, { reason, outcome }: Extract<ChunkEnd, { kind: "refused" }>): Promise<void> {
    const isForGood = outcome !== null && outcomes[outcome].next === "stop-deployment";
    this.offers.refuse(offer, reason, { isForGood, isByService: true });
    for (const line of this.offers.told.lines) this.#toldLeft.add(line);
    for (const chunk of this.#chunks) if (chunk.queue === offer.queue) chunk.leave(reason);
    this.#offered = this.#offered.filter(({ queue }) => queue !== offer.queue);
    await this.#heartbeat.tell();
    const isUnserved = await this.#stopUnserved(offer, reason);
    const rest = isUnserved
      ? "no other worker serves it: nothing more is sent there"
      : "other workers continue with it";
    this.tools.tell(`${offer.deployment}: ${reason}; ${rest}`);
  }

  /** Where the database refuses that, the deployment is left to others as before. */
  async #stopUnserved(offer: Offer, reason: string): Promise<boolean> {
    const { db, link } = this.tools;
    try {
      return await link.patiently(() => stopUnserved(db, offer, { reason, deadAfterMs }));
    } catch (error) {
      if (error instanceof LinkClosed) throw error;
      this.#tellOnce(
        `${offer.deployment} cannot be stopped: ${error instanceof Error ? error.message : String(error)}`,
      );
      return false;
    }
  }

  #asked(state: WorkerState): void {
    if (state === this.state) return;
    this.state = state;
    if (state === "draining") this.stop("drained");
    this.tools.tell({ on: "resumed", paused: "paused: nothing more is sent", draining: "draining" }[state]);
    this.#waker.wake();
  }

  /** Finishes and enters all that is in flight, or keeps it on the disk where the database is away. */
  async #end(working: Promise<void>): Promise<void> {
    const { settles, link, db, workerId, tell } = this.tools;
    await this.#untilIdle(working);
    this.#heartbeat.close();
    const count = settles.waiting;
    if (count > 0) {
      settles.keep();
      tell(`${count} results are kept in the folder of this worker: its next start enters them.`);
    }
    if (!link.isAway) {
      // Requests that were given up are in doubt from now on, and not only when this worker is missed.
      await leaveWorker(db, workerId).catch(() => undefined);
      await reap(db, { deadAfterMs }).catch(() => undefined);
    }
    await this.close();
  }

  /** Lets go of all connections: at the end of `run`, or instead of it. */
  async close(): Promise<void> {
    const { clients, db } = this.tools;
    await clients.close();
    await db.close();
  }

  /** Waits until everything is finished and entered; not for a database that is away when nothing else is left. */
  async #untilIdle(working: Promise<void>): Promise<void> {
    const { settles, link } = this.tools;
    const all = working
      .then(() => Promise.all(this.#running))
      .then(() => settles.flushed())
      .then(() => true);
    for (let stuckMs = 0; stuckMs < lastPatienceMs;) {
      if (await Promise.race([all, delay(lookMs, false)])) return;
      const isWaiting = this.#stopped !== null && this.chunks.every((chunk) => (chunk.snapshot()?.inFlight ?? 0) === 0);
      stuckMs = isWaiting && (link.isAway || link.isClosed) ? stuckMs + lookMs : 0;
    }
    link.close();
    // The group that was on its way is back among those that wait.
    await settles.flushed();
  }
}

/** Gives a sign for each chunk; one that another worker has by now is left. `isHere`: it has not ended meanwhile. */
async function touchChunks(
  { db, link, tell }: Pick<Tools, "db" | "link" | "tell">,
  chunks: readonly ChunkRun[],
  isHere: (chunk: ChunkRun) => boolean,
): Promise<void> {
  for (const queue of new Set(chunks.map((chunk) => chunk.queue))) {
    const own = chunks.filter((chunk) => chunk.queue === queue);
    const fetched = own.map((chunk) => chunk.fetched);
    const kept = await link.patiently(() => touchFetched(db, queue, fetched));
    for (const chunk of own) {
      if (kept.has(chunk.fetched.id) || !isHere(chunk)) continue;
      tell(`${chunk.batch}: another worker has taken over a chunk`);
      chunk.leave("another worker has taken it over");
    }
  }
}
