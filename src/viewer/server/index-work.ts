import { packFailure, type ThreadFailure } from "../../lib/thread-failure.ts";
import { startOwnThread } from "../../lib/own-worker.ts";
import type { Wanted } from "./wanted.ts";

/** The work of the thread that makes an index: the rows of its lists, or afterwards the words that searches read. */
export interface IndexWork {
  part: "rows" | "words";
  database: string;
  /** The results folder as people know it, which a copy of the database does not lie in. */
  out: string;
  /** Folder that the index goes to. */
  folder: string;
  wanted: Wanted;
  /** Greatest number of rows. */
  cases: number;
}

/** The messages of that thread. */
export type IndexWord = { kind: "at"; done: number } | IndexEnd;

/** The end of its work, good or bad. */
type IndexEnd = { kind: "ready" } | { kind: "failed"; failure: ThreadFailure };

/** Does the work in a thread of its own; `at` is told how many cases are done. */
export function startIndexing(
  work: IndexWork,
  at: (done: number) => void,
): { end: Promise<IndexEnd>; stop: () => void } {
  const thread = startOwnThread(
    { bundled: "viewer-index", source: "viewer/server/index-thread.ts" },
    {
      workerData: work,
      // Rows are dead soon after they are read: with less room too many of them would be copied while they live.
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    },
  );
  const stop = (): void => void thread.terminate();
  const end = new Promise<IndexEnd>((resolve) => {
    const failed = (error: unknown): void => resolve({ kind: "failed", failure: packFailure(error) });
    thread.on("message", (word: IndexWord) => {
      if (word.kind === "at") at(word.done);
      else resolve(word);
    });
    thread.on("error", failed);
    thread.on("exit", () => failed(new Error("the thread that compares was ended")));
  });
  return { end: end.finally(stop), stop };
}
