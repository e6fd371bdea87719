import { useEffect, useState } from "preact/hooks";
import type { Live } from "../../api.ts";
import { ask } from "../data/server-calls.ts";

/** The state of a running batch as a page has last heard it. */
export interface Following {
  live: Live | null;
  /** Reason why the page hears nothing more; null: it does. */
  lost: string | null;
}

const againMs = 2000;

/**
 * Follows a batch by server-sent events, each of which tells the whole state. Only while the page is in sight: a
 * browser has few connections for all its tabs. A connection that breaks off is opened again until the batch has ended.
 */
export function useLive(
  batch: string,
  { isAtWork, onEnd }: { isAtWork: (state: string) => boolean; onEnd: () => void },
) {
  const [following, follow] = useState<Following>({ live: null, lost: null });
  useEffect(() => {
    let events: EventSource | null = null;
    let timer = 0;
    const stop = (): void => {
      clearTimeout(timer);
      events?.close();
      events = null;
    };
    const hear = ({ data }: MessageEvent<string>): void => {
      if (data === "") return;
      // The server is the same program as this page.
      const live: Live = JSON.parse(data);
      follow({ live, lost: null });
      if (isAtWork(live.state)) return;
      stop();
      onEnd();
    };
    const lose = (): void => {
      // The browser tries by itself, but not after an answer that was a refusal.
      const isRefused = events?.readyState === EventSource.CLOSED;
      void whyLost(batch).then((lost) => follow((before) => ({ ...before, lost })));
      if (!isRefused) return;
      stop();
      timer = window.setTimeout(start, againMs);
    };
    const start = (): void => {
      stop();
      if (document.visibilityState === "hidden") return;
      events = new EventSource(`api/live?${new URLSearchParams({ batch }).toString()}`);
      events.addEventListener("message", hear);
      events.addEventListener("error", lose);
      events.addEventListener("failed", ({ data }: MessageEvent<string>) => {
        const { error }: { error: string } = JSON.parse(data);
        follow((before) => ({ ...before, lost: error }));
      });
    };
    start();
    document.addEventListener("visibilitychange", start);
    return () => {
      document.removeEventListener("visibilitychange", start);
      stop();
    };
  }, [batch]);
  return following;
}

/** Null: the server answers, the connection only broke. */
async function whyLost(batch: string): Promise<string | null> {
  try {
    await ask("state", new URLSearchParams({ batch }));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
