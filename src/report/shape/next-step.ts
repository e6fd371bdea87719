import type { Integer } from "../../lib/integer.ts";
import type { SuiteLine } from "../../suite/suite-path.ts";

/** Rows that a step leads to; `words/step-rows.ts` names them. */
export type StepRows = "worse" | "not-holding" | "bad-by-people" | "disputed" | "changed" | "answers";

/** The one thing to do next. */
export interface NextStep {
  /** Purpose of the command, and what to mend before it. */
  why: string;
  /** Such as `tandem view`. */
  command: string;
  /** The rows that it leads to; left out: it leads to none, or its words name them. */
  rows?: StepRows;
  /** Rows to look at, all of which its command shows first; left out: it leads to none that are counted. */
  count?: Integer;
  /** The words of `why` that nothing is left to do; left out: something is. */
  done?: string;
  /** The line of the suite file that is to be changed before; left out: none is, or it is not found. */
  at?: SuiteLine;
}
