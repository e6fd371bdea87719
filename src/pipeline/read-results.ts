import { availableParallelism } from "node:os";
import { AppError } from "../errors.ts";
import { startOwnThread } from "../lib/own-thread.ts";
import type { Connection } from "../store/database.ts";
import {
  type CaseOfBatches,
  type ComparedBatch,
  pairedJoiner,
  type PairedOptions,
  pairedPages,
  pairedReader,
  type PairedRows,
} from "../store/paired-results.ts";

export interface ReadOptions extends PairedOptions {
  /** Threads that read the database; default: as many as pay. 0: none, it is read here. */
  threads?: number;
}

/** What a reading thread is given. */
export interface ReadingWork {
  database: string;
  batches: readonly ComparedBatch[];
  options: PairedOptions;
  /** It reads every so manieth page, beginning with the one at its own place. */
  threads: number;
  place: number;
  /** How many of its pages were taken, so that it does not run far ahead. */
  taken: Int32Array;
}

/** What it says: the rows of its next page, or why it cannot go on. */
export type ReadingWord = PairedRows | string;

/** With fewer cases a thread costs more than it saves. */
const manyCases = 50_000;
const mostThreads = 2;

/**
 * The cases of a comparison as `pairedResults` gives them, page by page. Of many the rows are read in threads of their
 * own, which is half of the work; what comes, and in which order, is the same. Leave it early only by `return`.
 * Throws STORE_FAILED when a thread cannot go on.
 */
export async function* readResults(
  db: Connection,
  batches: readonly ComparedBatch[],
  { threads: wanted, ...options }: ReadOptions,
): AsyncGenerator<CaseOfBatches[]> {
  const join = pairedJoiner(db, batches);
  // To pass rows without bodies from thread to thread costs more than to read them.
  const count = wanted ?? (options.bodies === false ? 0 : threadsFor(db, batches));
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
  return db.memory || pages < manyCases || availableParallelism() < 2 ? 0 : mostThreads;
}

/** A thread that reads pages ahead. */
interface Reading {
  /** The rows of its next page. */
  next: () => Promise<PairedRows>;
  stop: () => Promise<unknown>;
}

function startReading(work: Omit<ReadingWork, "taken">): Reading {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ReadingWork = { ...work, taken };
  const thread = startOwnThread(
    { bundled: "reading-thread", source: "pipeline/reading-thread.ts" },
    // It asks nobody: no key is of use to it.
    { workerData, env: {}, execArgv: [], argv: [] },
  );
  const pages: PairedRows[] = [];
  let failure: AppError | null = null;
  let wake: (() => void) | null = null;
  const fail = (reason: string): void => {
    failure ??= new AppError("STORE_FAILED", `The results in ${work.database} could not be read: ${reason}.`, {
      hint: "Try again; where it stays so, the file may be damaged: look at it with any SQLite tool.",
    });
    wake?.();
  };
  thread.on("message", (word: ReadingWord) => {
    if (typeof word === "string") return fail(word);
    pages.push(word);
    wake?.();
  });
  thread.on("error", (error) => fail(error instanceof Error ? error.message : String(error)));
  thread.on("exit", (code) => fail(`the thread that reads them ended with code ${code}`));
  return {
    async next() {
      for (;;) {
        const rows = pages.shift();
        if (rows !== undefined) {
          Atomics.add(taken, 0, 1);
          Atomics.notify(taken, 0);
          return rows;
        }
        if (failure !== null) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    stop: () => thread.terminate(),
  };
}
