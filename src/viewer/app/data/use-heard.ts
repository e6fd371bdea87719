import { useRef, useState } from "preact/hooks";
import { useLooks } from "./in-sight.ts";
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
  const heardAt = useRef(0);
  useLooks(async () => {
    const lost = await whyLost();
    if (lost === null) heardAt.current = Date.now();
    keep((before) => following(before, { lost, heardAt: heardAt.current }));
    return lost === null ? againMs : lostMs;
  });
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
