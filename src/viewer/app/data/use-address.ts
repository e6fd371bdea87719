import { useCallback, useState } from "preact/hooks";
import { type Address, readAddress, type SetAddress, writeAddress } from "./address.ts";
import { useFollowedAddress } from "./follow-address.ts";

/** Time after which a browser that does not come back to the list is not waited for. */
const lostMs = 500;

/** Changes that wait until the browser is back at the list; null: it is not on its way there. */
let waiting: (() => void)[] | null = null;

/**
 * The address, and what changes it: Back leads from an open row to its list, and from a narrowed list to the one before. A row
 * that was opened from the list is closed by that step, so that Back leads on from the list as if no row had been open.
 */
export function useAddress(): { address: Address; setAddress: SetAddress; closeRow: () => void } {
  const [address, keep] = useState(() => readAddress(location.hash));
  useFollowedAddress(() => keep(readAddress(location.hash)));
  const setAddress = useCallback<SetAddress>((change, newEntry = false) => {
    if (waiting !== null) return void waiting.push(() => setAddress(change, newEntry));
    const now = readAddress(location.hash);
    const next = { ...now, ...change };
    if (newEntry) history.pushState(next.row === null ? null : entryAfter(now), "", writeAddress(next));
    else history.replaceState(next.row === null ? null : history.state, "", writeAddress(next));
    keep(next);
  }, []);
  const closeRow = useCallback((): void => {
    const steps = stepsToList();
    if (waiting !== null) return;
    if (steps === 0) return setAddress({ row: null });
    // The list may have been narrowed down since, beside the open row.
    const closed = { ...readAddress(location.hash), row: null };
    goBack(steps, () => {
      // An entry that is written anew forgets where its page was scrolled.
      if (writeAddress(readAddress(location.hash)) !== writeAddress(closed)) setAddress(closed);
    });
  }, [setAddress]);
  return { address, setAddress, closeRow };
}

function goBack(steps: number, onArrival: () => void): void {
  waiting = [onArrival];
  const arrive = (): void => {
    clearTimeout(timer);
    removeEventListener("popstate", arrive);
    const changes = waiting ?? [];
    waiting = null;
    for (const change of changes) change();
  };
  const timer = setTimeout(arrive, lostMs);
  addEventListener("popstate", arrive);
  history.go(-steps);
}

/** The browser keeps with the entry of an open row how many steps it is to the list that it was opened from. */
function entryAfter(now: Address): { stepsToList: number } | null {
  const steps = stepsToList();
  // Behind a row that a link led to, there is no list.
  return now.row !== null && steps === 0 ? null : { stepsToList: now.row === null ? 1 : steps + 1 };
}

function stepsToList(): number {
  const state: unknown = history.state;
  const isKept = typeof state === "object" && state !== null && "stepsToList" in state;
  return isKept ? Number(state.stepsToList) : 0;
}
