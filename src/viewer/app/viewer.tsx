import { useEffect, useState } from "preact/hooks";
import type { Live, Opened } from "../api.ts";
import { readAddress } from "./address.ts";
import { App } from "./app.tsx";
import { ask } from "./api.ts";
import { ApiSource } from "./api-source.ts";
import { Batches } from "./batches.tsx";
import { count } from "./format.ts";
import { LiveBatch } from "./live.tsx";

/** The page of the viewer: the list of batches, a batch that runs, or a comparison. */
export function Viewer() {
  const wanted = useWanted();
  if (wanted.batch === null && wanted.sides.length === 0) return <Batches />;
  return <Comparison key={JSON.stringify(wanted)} {...wanted} />;
}

interface Wanted {
  batch: string | null;
  sides: string[];
}

function wantedNow(): string {
  const { batch, sides } = readAddress(location.hash);
  return JSON.stringify({ batch, sides });
}

/** What the address asks for; changes within a comparison do not concern it. */
function useWanted(): Wanted {
  const [wanted, want] = useState(wantedNow);
  useEffect(() => {
    const follow = (): void => want(wantedNow());
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
  const { batch, sides }: Wanted = JSON.parse(wanted);
  return { batch, sides };
}

function Comparison({ batch, sides }: Wanted) {
  const [state, setState] = useState<Opening>({ kind: "looking" });
  const [attempt, again] = useState(0);
  useEffect(() => {
    let wanted = true;
    const show = (next: Opening): void => {
      if (wanted) setState(next);
    };
    void openIt({ batch, sides }, show, () => wanted);
    return () => {
      wanted = false;
    };
  }, [attempt]);
  if (state.kind === "open") return <App source={state.source} />;
  if (state.kind === "live" && batch !== null) {
    return <LiveBatch batch={batch} first={state.live} onEnd={() => again((times) => times + 1)} />;
  }
  return (
    <main class="opening">
      {state.kind === "failed" ? (
        <>
          <h1>This cannot be shown</h1>
          <p>{state.reason}</p>
        </>
      ) : (
        <p role="status">
          {state.kind === "preparing"
            ? `Comparing: ${count(state.done)} of ${count(state.of)} cases ...`
            : "Opening ..."}
        </p>
      )}
      <p>
        <a href="#">All batches</a>
      </p>
    </main>
  );
}

type Opening =
  | { kind: "looking" }
  | { kind: "preparing"; done: number; of: number }
  | { kind: "live"; live: Live }
  | { kind: "open"; source: ApiSource }
  | { kind: "failed"; reason: string };

/** A batch that runs is shown as it runs; anything else is compared. */
async function openIt(
  { batch, sides }: Wanted,
  show: (state: Opening) => void,
  isWanted: () => boolean,
): Promise<void> {
  const asked = new URLSearchParams();
  if (batch !== null) asked.set("batch", batch);
  for (const side of sides) asked.append("side", side);
  try {
    if (batch !== null) {
      const live = await ask<Live>("progress", asked);
      if (live.state === "running" || live.state === "planned" || live.state === "reading")
        return show({ kind: "live", live });
    }
    while (isWanted()) {
      const opened = await ask<Opened>("open", asked);
      if (opened.ready) return show({ kind: "open", source: new ApiSource(opened) });
      show({ kind: "preparing", done: opened.done, of: opened.of });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } catch (error) {
    show({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
}
