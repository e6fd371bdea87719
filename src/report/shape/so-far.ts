import type { RowHead } from "./row-head.ts";

/** The state of a batch that still runs: sums over the cases looked at, and nothing that decides. */
export interface SoFar {
  /** Cases that every target has finished once, and that were looked at. */
  cases: number;
  /** Most runs that are asked of a case: only the first one counts so far. */
  repeats: number;
  /** Scores by target, in the order of the suite. */
  targets: { name: string; scores: { metric: string; passes: boolean; cases: number; mean: number | null }[] }[];
  pairs: SoFarPair[];
  /** Scores that come at the end: judges, modules and commands. */
  later: string[];
  /** The cases that were finished last, also by one target alone, the latest first. */
  rows: { at: number; complete: boolean; head: RowHead }[];
}

/** A candidate beside its baseline, over the cases that both have finished. */
interface SoFarPair {
  baseline: string;
  candidate: string;
  /** Cases in which the answers are the same, and in which they are not. */
  same: number;
  different: number;
  metrics: {
    metric: string;
    passes: boolean;
    cases: number;
    baseline: number | null;
    now: number | null;
    worse: number;
    better: number;
  }[];
}
