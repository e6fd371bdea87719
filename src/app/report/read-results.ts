import { availableParallelism } from "node:os";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { startOwnThread } from "../../lib/own-worker.ts";
import { type ThreadFailure, unpackFailure } from "../../lib/thread-failure.ts";
import type { Connection } from "../../store/connection.ts";
import { isAlone } from "../../store/database.ts";
import type { CaseOfBatches, ComparedBatch } from "../../store/compared/joined-case.ts";
import {
  pairedJoiner,
  type PairedReadOptions,
  pairedPages,
  pairedReader,
  type PairedRows,
  type WantsVariant,
} from "../../store/compared/paired-results.ts";
import { type PackedPage, unpackPage } from "./packed-page.ts";

export interface ReadResultsOptions extends PairedReadOptions {
  /** See `pairedResults`. */
  wants?: WantsVariant;
  /** Threads that read the database; default: as many as pay. 0: none, it is read here. */
  threads?: number;
  /** No more than these, where they pay at all; default: two. */
  mostThreads?: number;
}

/** The work of a reading thread. */
export interface ReadingWork {
  database: string;
  batches: readonly ComparedBatch[];
  options: PairedReadOptions;
  /** It reads every so manieth page, beginning with the one at its own place. */
  threads: number;
  place: number;
  /** Number of its pages that were taken, so that it does not run far ahead. */
  taken: Int32Array;
  /** 1 while somebody waits for its next page. */
  wanted: Int32Array;
  /** Port that its pages go to. It tells its parent too about a page that somebody waits for. */
  port: MessagePort;
}

/** Messages of the thread: the rows of its next page, or the reason why it cannot go on. */
export type ReadingWord = PackedPage | { failure: ThreadFailure };

/** Number of cases below which a thread costs more than it saves. */
const manyCases = 50_000;
const defaultThreads = 2;
/** A thread that waits for room is woken after so many pages, and when there are no more. */
const wakeEvery = 16;

/**
 * The cases of a comparison as `pairedResults` gives them, page by page. The rows of many are read in threads of their
 * own, which is half of the work; the pages and their order are the same. Leave it early only by `return`.
 */
export async function* readResults(
  db: Connection,
  batches: readonly ComparedBatch[],
  { threads: wanted, mostThreads = defaultThreads, wants, ...options }: ReadResultsOptions,
): AsyncGenerator<CaseOfBatches[]> {
  const join = pairedJoiner(db, batches, wants);
  // Passing rows without bodies from thread to thread costs more than reading them.
  const count = wanted ?? (options.bodies === false ? 0 : Math.min(mostThreads, threadsFor(db, batches)));
  if (count === 0) {
    const read = pairedReader(db, batches, options);
    for (const page of pairedPages(db, batches)) yield join(page, read(page));
    return;
  }
  const work = { database: db.name, batches, options, threads: count };
  const threads = Array.from({ length: count }, (_, place) => startReading({ ...work, place }));
  try {
    let index = 0;
    for (const page of pairedPages(db, batches)) {
      const rows = await threads[index % count]?.next();
      if (rows !== undefined) yield join(page, rows);
      index += 1;
    }
  } finally {
    await Promise.all(threads.map(({ stop }) => stop()));
  }
}

function threadsFor(db: Connection, batches: readonly ComparedBatch[]): number {
  let pages = 0;
  for (const { from, to } of pairedPages(db, batches)) pages += to - from + 1;
  return db.memory || isAlone(db) || pages < manyCases || availableParallelism() < 2 ? 0 : defaultThreads;
}

/** A thread that reads pages ahead. */
interface Reading {
  /** The rows of its next page. */
  next: () => Promise<PairedRows>;
  stop: () => Promise<void>;
}

function startReading(work: Omit<ReadingWork, "taken" | "wanted" | "port">): Reading {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const wanted = new Int32Array(new SharedArrayBuffer(4));
  const { port1: inbox, port2: port } = new MessageChannel();
  const workerData: ReadingWork = { ...work, taken, wanted, port };
  const thread = startOwnThread(
    { bundled: "reading-thread", source: "app/report/reading-thread.ts" },
    {
      workerData,
      transferList: [port],
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    },
  );
  let failure: Error | null = null;
  let wake: (() => void) | null = null;
  const end = (error: Error): void => {
    failure ??= error;
    wake?.();
  };
  thread.on("message", () => wake?.());
  thread.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", (code) => end(new Error(`the thread that reads the results ended with code ${code}`)));
  const received = (): PairedRows | null => {
    const word: ReadingWord | undefined = receiveMessageOnPort(inbox)?.message;
    if (word === undefined) return null;
    if ("failure" in word) throw unpackFailure(word.failure);
    const count = Atomics.add(taken, 0, 1) + 1;
    // Not for every page: to wake it costs as much as to read a case.
    if (count % wakeEvery === 0) Atomics.notify(taken, 0);
    // A page is unpacked only now: what waited as objects would cost the garbage collector dear.
    return unpackPage(word);
  };
  return {
    async next() {
      for (;;) {
        const early = received();
        if (early !== null) return early;
        if (failure !== null) throw failure;
        const reported = new Promise<void>((resolve) => {
          wake = resolve;
        });
        Atomics.store(wanted, 0, 1);
        Atomics.notify(taken, 0);
        // It may have come before the thread could know that it is waited for.
        const rows = received();
        if (rows === null) await reported;
        Atomics.store(wanted, 0, 0);
        if (rows !== null) return rows;
      }
    },
    async stop() {
      inbox.close();
      await thread.terminate();
    },
  };
}
