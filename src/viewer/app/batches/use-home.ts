import { useRef } from "preact/hooks";
import type { BatchList, KnownSuites } from "../../api.ts";
import { type Looked, useLooks } from "../data/in-sight.ts";
import { hearAgain, type Heard } from "../data/server-calls.ts";

/** Time between two looks; while suites are still read it is shorter. */
const againMs = 5000;
const soonMs = 400;

export interface HomeState {
  list: Heard<BatchList>;
  suites: Heard<KnownSuites>;
  /** Nothing is shown yet, so that it comes in its place. */
  held: boolean;
}

/** The batches and suites, read again every few seconds while the page is in sight. */
export function useHome(): Looked<HomeState> & { again: () => Promise<void> } {
  const reading = useRef({ isWhole: false, startedAt: performance.now() });
  return useLooks<HomeState>(
    async (before) => {
      const [list, suites] = await Promise.all([
        hearAgain<BatchList>("batches", before?.list ?? null),
        hearAgain<KnownSuites>("home", before?.suites ?? null),
      ]);
      const { isWhole, startedAt } = reading.current;
      const { open } = suites.value;
      const held = waitsForAll({ open, isWhole, sinceMs: performance.now() - startedAt });
      if (open === 0) reading.current.isWhole = true;
      const isSame = before?.list === list && before.suites === suites && before.held === held;
      return isSame ? before : { list, suites, held };
    },
    ({ suites }) => (suites.value.open > 0 ? soonMs : againMs),
  );
}

/** Longest time for which home waits for all suites at first. */
const mostHeldMs = 3000;

/**
 * True while the first reading of the suites goes on and has not taken long: what is shown then would be pushed down by each
 * suite that is read. `isWhole`: they have all been read once.
 */
export function waitsForAll({ open, isWhole, sinceMs }: { open: number; isWhole: boolean; sinceMs: number }): boolean {
  return open > 0 && !isWhole && sinceMs < mostHeldMs;
}
