import type { PaceEntry } from "./journal.ts";

/**
 * Tells the moves of a queue's concurrency that a person would want to know: a cut, and the end of a recovery.
 * `told`: the concurrency that is known at first.
 */
export function paceTeller(told: number, tell: (entry: PaceEntry) => void): (entry: PaceEntry) => void {
  let last = told;
  return (entry) => {
    if (entry.concurrency > last && entry.concurrency < entry.ceiling) return;
    last = entry.concurrency;
    tell(entry);
  };
}
