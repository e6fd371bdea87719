import type { ErrorCode } from "../../errors.ts";
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
export type IndexWord =
  | { kind: "at"; done: number }
  | { kind: "ready" }
  | { kind: "failed"; code: ErrorCode | null; message: string; hint: string | null };
