import type { ErrorCode } from "../../errors.ts";
import type { Wanted } from "./wanted.ts";

/** What the thread that makes an index is given. */
export interface IndexWork {
  database: string;
  /** Where the index goes. */
  folder: string;
  wanted: Wanted;
  /** At most so many rows. */
  cases: number;
}

/** What it says. */
export type IndexWord =
  | { kind: "at"; done: number }
  | { kind: "ready" }
  | { kind: "failed"; code: ErrorCode | null; message: string; hint: string | null };
