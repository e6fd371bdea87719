import { useRef, useState } from "preact/hooks";
import type { SuiteHistoryAnswer, SuiteNights } from "../../api.ts";
import { hearList, type HeardList } from "../data/batch-list.ts";
import { useLooks } from "../data/in-sight.ts";
import { ask } from "../data/server-calls.ts";

/** Time between two looks; while the viewer does not answer it is shorter. */
const againMs = 5000;
const lostMs = 2000;

export interface SuiteState {
  history: SuiteNights | null;
  list: HeardList | null;
  /** Why nothing more is heard; null: all is well. */
  lost: string | null;
  /** When the viewer answered last; 0: it did not yet. */
  heardAt: number;
}

/** The nights of a suite, read again every few seconds while the page is in sight; nothing is sent while they are the same. */
export function useSuite(suite: string): SuiteState {
  const [state, keep] = useState<SuiteState>({ history: null, list: null, lost: null, heardAt: 0 });
  const version = useRef("");
  const heard = useRef<HeardList | null>(null);
  const heardAt = useRef(0);
  useLooks(async () => {
    try {
      const known = new URLSearchParams({ suite, known: version.current });
      const [list, answer] = await Promise.all([hearList(heard.current), ask<SuiteHistoryAnswer>("past", known)]);
      heard.current = list;
      version.current = answer.version;
      heardAt.current = Date.now();
      const { history } = answer;
      keep((before) => {
        const isSame = history === null && before.list === list && before.lost === null;
        return isSame ? before : { history: history ?? before.history, list, lost: null, heardAt: heardAt.current };
      });
      return againMs;
    } catch (error) {
      const lost = error instanceof Error ? error.message : String(error);
      keep((before) => ({ ...before, lost, heardAt: heardAt.current }));
      return lostMs;
    }
  });
  return state;
}
