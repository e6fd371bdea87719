import type { Landing } from "../postgres/settle.ts";
import { LinkClosed, type DatabaseLink } from "./database-link.ts";
import type { SentResult } from "./result.ts";
import type { Spool } from "./spool.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { waker } from "../../runner/waker.ts";
import { Rest } from "./rest.ts";

/** While others are on their way, a result waits so long for those that may go with it. */
const gatherMs = 5;

/**
 * Lets results go together that come one after the other: those that are here wait for those on their way, as long as the
 * rest after the last statement lasts. Where nothing more is to come they go at once.
 */
class Gathering {
  readonly #rest = new Rest();
  readonly #waker = waker();
  #expected = 0;

  /** A result is on its way; -1: it is here, or will not come soon. */
  expect(change: 1 | -1): void {
    this.#expected += change;
    if (this.#expected <= 0) this.#waker.wake();
  }

  /** As many are here as go at once. */
  enough(): void {
    this.#waker.wake();
  }

  /** A statement for so many that was sent then has been answered. */
  after(began: number, count: number): void {
    this.#rest.after(began, count);
  }

  /** Resolves when those that are here are to go. */
  async over(isEnough: () => boolean): Promise<void> {
    // Results of the same turn of the event loop are handed in one by one.
    await nextTurn();
    const until = performance.now() + Math.max(gatherMs, this.#rest.leftMs);
    while (this.#expected > 0 && !isEnough()) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      await this.#waker.changeWithin(leftMs);
    }
  }
}

/** Results of one statement. */
const maxBatch = 200;
const mostBytesAtOnce = 8 * 1024 * 1024;
/** Results that wait in memory; what is more goes to the disk. */
const mostInMemory = 1_000;
const mostBytesInMemory = 16 * 1024 * 1024;

export interface SettleDeskOptions {
  link: DatabaseLink;
  spool: Spool;
  /** Enters results of one worker and one batch in one commit. */
  settle: (worker: string, results: readonly SentResult[]) => Promise<Landing[]>;
  /** Puts a request in doubt whose result cannot be entered. */
  hold: (worker: string, result: SentResult) => Promise<unknown>;
  /** True for errors of what was sent; others meet whatever is sent of the batch. */
  isOfData: (error: unknown) => boolean;
  /** Called for such another error: the result is kept for the next start. */
  onRefused: (batch: number, error: unknown) => void;
  /** Called for a result, or a file of results, that cannot be entered and is kept in a file. */
  onSetAside: (path: string, error: unknown) => void;
  /** Called when the disk takes no more: results stay in memory. */
  onDiskFault: (error: unknown) => void;
  onFailure: (error: unknown) => void;
}

/** `aside`: the database does not take it, now or ever; it is in a file of its own, and its job in doubt. */
type Entered = Landing | "aside";

interface Waiting {
  result: SentResult;
  bytes: number;
  answer: (entered: Entered) => void;
}

/** Results on the disk, with those who wait for them; none waits for those of an earlier process. */
interface Kept {
  name: string;
  answers: ((entered: Entered) => void)[];
}

/**
 * Brings results into the database, many in one statement, and keeps them while it is away: in memory, and beyond a limit
 * on the disk.
 */
export class SettleDesk {
  readonly #options: SettleDeskOptions;
  readonly #gathering = new Gathering();
  #waiting: Waiting[] = [];
  #bytes = 0;
  readonly #kept: Kept[];
  #underWay = 0;
  #run: Promise<void> | null = null;
  #isDiskFull = false;

  constructor(options: SettleDeskOptions) {
    this.#options = options;
    this.#kept = options.spool.left().map((name) => ({ name, answers: [] }));
  }

  /** Results that are not in the database yet. */
  get waiting(): number {
    return this.#waiting.length + this.#underWay + this.#kept.reduce((sum, { answers }) => sum + answers.length, 0);
  }

  /** A statement takes no more. */
  get #isEnough(): boolean {
    return this.#waiting.length >= maxBatch;
  }

  /** Files on the disk. */
  get files(): number {
    return this.#kept.length;
  }

  /** A request has leave to go, and its result may be here soon; -1: it is here, or will not come soon. */
  expect(change: 1 | -1): void {
    this.#gathering.expect(change);
  }

  add(result: SentResult): Promise<Entered> {
    return new Promise((answer) => {
      const bytes = result.entry.length + (result.body?.length ?? 0);
      this.#waiting.push({ result, bytes, answer });
      this.#bytes += bytes;
      if (this.#waiting.length > mostInMemory || this.#bytes > mostBytesInMemory) this.#spill();
      if (this.#isEnough) this.#gathering.enough();
      this.deliver();
    });
  }

  /** Brings in what is there, if it is not being done already. */
  deliver(): void {
    if (this.#waiting.length > 0 || this.#kept.length > 0) this.#run ??= this.#deliverAll();
  }

  /** Resolves when nothing waits any more, or when the link is closed. */
  async flushed(): Promise<void> {
    while (this.#run !== null) await this.#run;
  }

  /** Puts what still waits in memory on the disk, for the next process. */
  keep(): void {
    if (this.#waiting.length > 0) this.#spill();
  }

  async #deliverAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0 || this.#kept.length > 0) {
        if (this.#waiting.length > 0) await this.#gathering.over(() => this.#isEnough);
        if (this.#waiting.length > 0) await this.#deliverGroup();
        else await this.#deliverKept();
      }
    } catch (error) {
      if (!(error instanceof LinkClosed)) this.#options.onFailure(error);
    } finally {
      // At once with the last look: what comes next begins anew.
      this.#run = null;
    }
  }

  async #deliverGroup(): Promise<void> {
    const group = this.#nextGroup();
    const began = performance.now();
    this.#underWay = group.length;
    try {
      const settled = await this.#settle(group.map(({ result }) => result));
      this.#gathering.after(began, group.length);
      for (const [place, { answer }] of group.entries()) answer(settled[place] ?? "stray");
    } catch (error) {
      this.#waiting = [...group, ...this.#waiting];
      this.#bytes += sizeOf(group);
      throw error;
    } finally {
      this.#underWay = 0;
    }
  }

  #nextGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const each of this.#waiting) {
      bytes += each.bytes;
      if (count > 0 && (count === maxBatch || bytes > mostBytesAtOnce)) break;
      count += 1;
    }
    const group = this.#waiting.splice(0, count);
    this.#bytes -= sizeOf(group);
    return group;
  }

  async #deliverKept(): Promise<void> {
    const [kept] = this.#kept;
    if (kept === undefined) return;
    const results = this.#read(kept);
    const settled: Entered[] = [];
    for (let at = 0; at < results.length; at += maxBatch)
      settled.push(...(await this.#settle(results.slice(at, at + maxBatch))));
    this.#options.spool.remove(kept.name);
    this.#kept.shift();
    for (const [place, answer] of kept.answers.entries()) answer(settled[place] ?? "aside");
  }

  /** A file that cannot be read is set aside as a whole: its requests are in doubt when their worker has gone. */
  #read({ name }: Kept): SentResult[] {
    const { spool, onSetAside } = this.#options;
    try {
      return spool.read(name);
    } catch (error) {
      onSetAside(spool.setAside(name), error);
      return [];
    }
  }

  /** Results of one worker and one batch each: those of an earlier process are entered as its own. */
  async #settle(results: readonly SentResult[]): Promise<Entered[]> {
    const all: Entered[] = [];
    const groups = Map.groupBy(results.keys(), (place) => `${results[place]?.worker} ${results[place]?.batch}`);
    for (const places of groups.values()) {
      const own = places.flatMap((place) => results[place] ?? []);
      const settled = await this.#settleOf(own[0]?.worker ?? "", own);
      for (const [at, place] of places.entries()) all[place] = settled[at] ?? "stray";
    }
    return all;
  }

  /** Results of one worker and batch. Each of a group that fails is tried by itself, so that a bad one holds up no other. */
  async #settleOf(worker: string, results: readonly SentResult[]): Promise<Entered[]> {
    const { link, settle } = this.#options;
    try {
      return await link.patiently(() => settle(worker, results));
    } catch (error) {
      if (error instanceof LinkClosed) throw error;
      const [only, ...more] = results;
      if (only !== undefined && more.length === 0) return [await this.#setAside(only, error)];
    }
    const all: Entered[] = [];
    for (const result of results) all.push(...(await this.#settleOf(worker, [result])));
    return all;
  }

  async #setAside(result: SentResult, error: unknown): Promise<"aside"> {
    const { link, spool, hold, isOfData, onRefused, onSetAside } = this.#options;
    const held = (): Promise<unknown> => link.patiently(() => hold(result.worker, result));
    if (isOfData(error)) {
      const path = spool.keepAside(result);
      await held();
      onSetAside(path, error);
      return "aside";
    }
    // Where even that is refused, the result waits with the others. By the next start the fault may be mended.
    await held();
    spool.put([result]);
    onRefused(result.batch, error);
    return "aside";
  }

  #spill(): void {
    try {
      const name = this.#options.spool.put(this.#waiting.map(({ result }) => result));
      this.#kept.push({ name, answers: this.#waiting.map(({ answer }) => answer) });
      this.#waiting = [];
      this.#bytes = 0;
      this.#isDiskFull = false;
    } catch (error) {
      if (!this.#isDiskFull) this.#options.onDiskFault(error);
      this.#isDiskFull = true;
    }
  }
}

const sizeOf = (group: readonly Waiting[]): number => group.reduce((sum, { bytes }) => sum + bytes, 0);
