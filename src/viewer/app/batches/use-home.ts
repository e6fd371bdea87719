import { useRef, useState } from "preact/hooks";
import type { HomeSuitesAnswer } from "../../api.ts";
import type { SuiteStanding } from "../../../report/shape/standing.ts";
import { hearList, type HeardList } from "../data/batch-list.ts";
import { useLooks } from "../data/in-sight.ts";
import { ask } from "../data/server-calls.ts";

/** Time between two looks; while suites are still read, and while the viewer does not answer, it is shorter. */
const againMs = 5000;
const soonMs = 400;
const lostMs = 2000;

export interface HomeState {
  list: HeardList | null;
  suites: SuiteStanding[] | null;
  /** Number of suites that are still read. */
  open: number;
  failures: string[];
  /** Nothing is shown yet, so that it comes in its place. */
  held: boolean;
  /** Why nothing more is heard; null: all is well. */
  lost: string | null;
  /** When the viewer answered last. */
  heardAt: number;
}

const atFirst: HomeState = { list: null, suites: null, open: 0, failures: [], held: true, lost: null, heardAt: 0 };

/** The batches and suites, read again every few seconds while the page is in sight; what is lost comes back by itself. */
export function useHome(): { home: HomeState; read: () => Promise<void> } {
  const [home, keep] = useState(atFirst);
  const version = useRef(0);
  const heard = useRef<HeardList | null>(null);
  const reading = useRef({ isWhole: false, startedAt: performance.now() });
  const read = async (): Promise<number> => {
    try {
      const known = new URLSearchParams({ known: String(version.current) });
      const [list, answer] = await Promise.all([hearList(heard.current), ask<HomeSuitesAnswer>("home", known)]);
      heard.current = list;
      const { open, failures, suites } = answer;
      version.current = answer.version;
      const { isWhole, startedAt } = reading.current;
      const held = waitsForAll({ open, isWhole, sinceMs: performance.now() - startedAt });
      if (open === 0) reading.current.isWhole = true;
      keep((before) => ({
        list,
        suites: suites ?? before.suites ?? [],
        open,
        failures,
        held,
        lost: null,
        heardAt: Date.now(),
      }));
      return open > 0 ? soonMs : againMs;
    } catch (error) {
      const lost = error instanceof Error ? error.message : String(error);
      keep((before) => ({ ...before, lost }));
      return lostMs;
    }
  };
  useLooks(read);
  return {
    home,
    async read() {
      await read();
    },
  };
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
