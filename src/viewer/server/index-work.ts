import type { Worker } from "node:worker_threads";
import { packFailure, type ThreadFailure } from "../../lib/thread-failure.ts";
import { startOwnThread } from "../../lib/own-worker.ts";
import type { Wanted } from "./wanted-comparison.ts";

/** The index that a thread makes. */
export interface IndexWork {
  database: string;
  /** The results folder as people know it, which a copy of the database does not lie in. */
  out: string;
  /** Folder that the index goes to. */
  folder: string;
  wanted: Wanted;
}

/** The rows of its lists, and afterwards the texts that searches read. */
export type IndexPart = "rows" | "texts";

/** The messages of that thread. */
export type IndexWord = { kind: "at"; done: number } | IndexEnd;

/** The end of a part, good or bad. */
type IndexEnd = { kind: "ready" } | { kind: "failed"; failure: ThreadFailure };

/** A thread that makes one index, part after part: to load its code takes longer than a part of a small comparison. */
export class IndexThread {
  readonly #thread: Worker;
  /** Told the end of the part that is made. */
  #tell: (end: IndexEnd) => void = () => {};
  #lost: IndexEnd | null = null;

  /** `at` is told how many cases are done. */
  constructor(work: IndexWork, at: (done: number) => void) {
    this.#thread = startOwnThread(
      { bundled: "viewer-index", source: "viewer/server/index-thread.ts" },
      {
        workerData: work,
        // Rows are dead soon after they are read: with less room too many of them would be copied while they live.
        resourceLimits: { maxYoungGenerationSizeMb: 24 },
      },
    );
    this.#thread.on("message", (word: IndexWord) => {
      if (word.kind === "at") at(word.done);
      else this.#tell(word);
    });
    this.#thread.on("error", (error) => this.#lose(error));
    this.#thread.on("exit", () => this.#lose(new Error("the thread that compares was ended")));
  }

  #lose(error: unknown): void {
    this.#lost ??= { kind: "failed", failure: packFailure(error) };
    this.#tell(this.#lost);
  }

  /** Makes one part, after the one before has ended. */
  make(part: IndexPart): Promise<IndexEnd> {
    return new Promise((resolve) => {
      this.#tell = resolve;
      if (this.#lost !== null) resolve(this.#lost);
      else this.#thread.postMessage(part, []);
    });
  }

  stop(): void {
    void this.#thread.terminate();
  }
}
