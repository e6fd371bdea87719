import type { ThreadFailure } from "../../lib/thread-failure.ts";
import type { Wanted } from "./wanted.ts";

/** The work of the thread that makes an index. */
export interface IndexWork {
  database: string;
  /** Folder that the index goes to. */
  folder: string;
  wanted: Wanted;
  /** Greatest number of rows. */
  cases: number;
}

/** The messages of that thread. */
export type IndexWord = { kind: "at"; done: number } | { kind: "ready" } | { kind: "failed"; failure: ThreadFailure };
