import { useEffect, useRef, useState } from "preact/hooks";

/** Time between two looks; while the viewer does not answer it is shorter. */
const againMs = 5000;
const lostMs = 2000;

/** The last that a page heard of the viewer, which it asks again and again. */
export interface Looked<Value> {
  /** As it was heard last; null: nothing was yet. */
  value: Value | null;
  /** Why nothing more is heard; null: all is well. */
  lost: string | null;
  /** When the viewer answered last; 0: it did not yet. */
  heardAt: number;
}

/**
 * Looks again and again while the page is in sight, at once when it comes back; what is lost comes back by itself. `look` is given what
 * it resolved with last, and the page is drawn anew when that is another object. `nextMs`: time until the next look.
 */
export function useLooks<Value>(
  look: (before: Value | null) => Promise<Value>,
  nextMs: (value: Value) => number = () => againMs,
): Looked<Value> & { again: () => Promise<void> } {
  const [looked, keep] = useState<Looked<Value>>({ value: null, lost: null, heardAt: 0 });
  const last = useRef<{ value: Value | null; at: number }>({ value: null, at: 0 });
  const lookOnce = async (): Promise<number> => {
    try {
      const value = await look(last.current.value);
      last.current = { value, at: Date.now() };
      keep((before) =>
        before.value === value && before.lost === null ? before : { value, lost: null, heardAt: last.current.at },
      );
      return nextMs(value);
    } catch (error) {
      const lost = error instanceof Error ? error.message : String(error);
      keep((before) => (before.lost === lost ? before : { ...before, lost, heardAt: last.current.at }));
      return lostMs;
    }
  };
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const next = async (): Promise<void> => {
      clearTimeout(timer);
      const waitMs = document.visibilityState === "visible" ? await lookOnce() : againMs;
      if (!isGone) timer = window.setTimeout(() => void next(), waitMs);
    };
    const seen = (): void => void next();
    void next();
    document.addEventListener("visibilitychange", seen);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, []);
  return { ...looked, again: async () => void (await lookOnce()) };
}
