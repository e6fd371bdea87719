import { useEffect } from "preact/hooks";

/** Time until a page that is not in sight is looked at again. */
const againMs = 5000;

/** Looks again and again while the page is in sight, at once when it comes back; `look` resolves with the time until the next look. */
export function useLooks(look: () => Promise<number>): void {
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const next = async (): Promise<void> => {
      clearTimeout(timer);
      const waitMs = document.visibilityState === "visible" ? await look() : againMs;
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
}
