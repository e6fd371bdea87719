import { useEffect, useState } from "preact/hooks";
import { ask } from "./server-calls.ts";

/** Time between two looks; while the viewer does not answer it is shorter. */
const againMs = 5000;
const lostMs = 2000;

export interface Heard {
  /** Why nothing more is heard; null: all is well. */
  lost: string | null;
  /** When the viewer answered last; 0: it did not yet. */
  heardAt: number;
  /** Number of times that the viewer was lost and answered again. */
  returns: number;
}

/** Looks whether the viewer still answers, while the page is in sight: an open page asks for nothing by itself. */
export function useHeard(): Heard {
  const [heard, keep] = useState<Heard>({ lost: null, heardAt: 0, returns: 0 });
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    let heardAt = 0;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      let waitMs = againMs;
      if (document.visibilityState === "visible") {
        const lost = await whyLost();
        if (isGone) return;
        if (lost === null) heardAt = Date.now();
        else waitMs = lostMs;
        keep((before) => following(before, { lost, heardAt }));
      }
      timer = window.setTimeout(() => void look(), waitMs);
    };
    const seen = (): void => void look();
    void look();
    document.addEventListener("visibilitychange", seen);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, []);
  return heard;
}

/** The same object where nothing that is shown has changed. */
function following(before: Heard, { lost, heardAt }: { lost: string | null; heardAt: number }): Heard {
  if (lost === before.lost) return before;
  return { lost, heardAt, returns: before.returns + (lost === null ? 1 : 0) };
}

async function whyLost(): Promise<string | null> {
  try {
    await ask("here");
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
