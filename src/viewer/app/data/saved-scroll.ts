import { useLayoutEffect } from "preact/hooks";

/** Where pages were scrolled that somebody left, by the entry of the browser's history that they were. */
const positions = new Map<number, number>();

/**
 * Brings a page that Back leads to where it was scrolled when it was left: the browser tries that before anything of it
 * is there. `isShown`: it is there.
 */
export function useKeptScroll(isShown: boolean): void {
  useLayoutEffect(() => {
    if (!isShown) return;
    const entry = entryNow() ?? newEntry();
    const at = positions.get(entry);
    if (at !== undefined) scrollTo(0, at);
    const keep = (): void => {
      if (entryNow() === entry) positions.set(entry, scrollY);
    };
    addEventListener("scroll", keep, { passive: true });
    return () => removeEventListener("scroll", keep);
  }, [isShown]);
}

function newEntry(): number {
  const entry = Math.random();
  history.replaceState({ entry }, "");
  return entry;
}

function entryNow(): number | null {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "entry" in state ? Number(state.entry) : null;
}
