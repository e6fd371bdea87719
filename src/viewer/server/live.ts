import type { Worker } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import { startOwnThread } from "../../lib/own-worker.ts";
import type { Live } from "../api.ts";
import type { LiveWork } from "./live-thread.ts";

/** A watch goes on for so long when nobody listens: a page that is loaded again comes back at once. */
const lingerMs = 10_000;

/** A batch that is watched in a thread of its own, for all pages that show it. */
interface Watched {
  thread: Worker;
  latest: Live | null;
  /** Error that keeps it from going further; null: it can, or it has come to the end. */
  failure: AppError | null;
  ended: boolean;
  listeners: number;
  wake: Set<() => void>;
  /** When nobody listened any more. */
  idle: NodeJS.Timeout | null;
}

/** Batches that somebody watches. */
export class LiveBatches {
  readonly #database: string;
  readonly #watched = new Map<string, Watched>();

  constructor(database: string) {
    this.#database = database;
  }

  /** Follows the news of a batch until it ends: a slow reader is told the latest, not everything between. */
  async *follow(batch: string, signal: AbortSignal): AsyncGenerator<Live> {
    const watched = this.#watched.get(batch) ?? this.#start(batch);
    watched.listeners += 1;
    if (watched.idle !== null) clearTimeout(watched.idle);
    watched.idle = null;
    let reported: Live | null = null;
    try {
      while (!signal.aborted) {
        if (watched.latest !== null && watched.latest !== reported) {
          reported = watched.latest;
          yield reported;
          continue;
        }
        if (watched.failure !== null) throw watched.failure;
        if (watched.ended) return;
        await this.#news(watched, signal);
      }
    } finally {
      watched.listeners -= 1;
      if (watched.listeners === 0) {
        watched.idle = setTimeout(() => this.#end(batch, watched), watched.ended ? 0 : lingerMs);
        watched.idle.unref();
      }
    }
  }

  #news({ wake }: Watched, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        wake.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      wake.add(done);
      signal.addEventListener("abort", done);
    });
  }

  #start(batch: string): Watched {
    const work: LiveWork = { database: this.#database, batch };
    const thread = startOwnThread(
      { bundled: "viewer-live", source: "viewer/server/live-thread.ts" },
      { workerData: work },
    );
    const watched: Watched = {
      thread,
      latest: null,
      failure: null,
      ended: false,
      listeners: 0,
      wake: new Set(),
      idle: null,
    };
    const wakeAll = (): void => {
      for (const wake of Array.from(watched.wake)) wake();
    };
    thread.on("message", (live: Live) => {
      watched.latest = live;
      wakeAll();
    });
    thread.on("error", (error) => {
      const message = error instanceof Error ? error.message : String(error);
      watched.failure = new AppError("STORE_FAILED", `The batch cannot be watched: ${message}`, {
        hint: "Load the page again.",
      });
      wakeAll();
    });
    thread.on("exit", () => {
      watched.ended = true;
      if (this.#watched.get(batch) === watched) this.#watched.delete(batch);
      wakeAll();
    });
    thread.unref();
    this.#watched.set(batch, watched);
    return watched;
  }

  #end(batch: string, watched: Watched): void {
    if (watched.listeners > 0) return;
    if (this.#watched.get(batch) === watched) this.#watched.delete(batch);
    void watched.thread.terminate();
  }

  close(): void {
    for (const { thread } of this.#watched.values()) void thread.terminate();
    this.#watched.clear();
  }
}
