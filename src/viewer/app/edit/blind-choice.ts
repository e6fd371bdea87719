import { useState } from "preact/hooks";

const blindPlace = "tandem-blind";

/** Judging without names, kept in this tab: a page that is loaded again shows no name by itself. */
export function useBlindChoice(isOffered: boolean): [isBlind: boolean, setBlind: (isBlind: boolean) => void] {
  const [isBlind, keep] = useState(() => isOffered && storedBlind());
  const set = (next: boolean): void => {
    keep(next);
    storeBlind(next);
  };
  return [isBlind, set];
}

function storedBlind(): boolean {
  try {
    return sessionStorage.getItem(blindPlace) !== null;
  } catch {
    return false;
  }
}

function storeBlind(isBlind: boolean): void {
  try {
    if (isBlind) sessionStorage.setItem(blindPlace, "on");
    else sessionStorage.removeItem(blindPlace);
  } catch {
    // A browser that keeps nothing for a page forgets it when it is loaded again.
  }
}
