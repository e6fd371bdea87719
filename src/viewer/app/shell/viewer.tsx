import { useEffect, useMemo, useState } from "preact/hooks";
import type { BatchEntry, BatchList, Opened } from "../../api.ts";
import { readAddress } from "../data/address.ts";
import { App } from "./app.tsx";
import { ask, hearAgain } from "../data/server-calls.ts";
import { ApiSource } from "../data/api-source.ts";
import { useFollowedAddress } from "../data/follow-address.ts";
import { Home, Lost } from "../batches/home.tsx";
import { PlainMasthead } from "../parts/masthead.tsx";
import { number } from "../../../report/say/quantity.ts";
import { ProgressLine } from "../batches/suites-table.tsx";
import { SuitePast } from "../batches/suite-past.tsx";
import { NightVerdict } from "../charts/verdict-sign.tsx";
import { useLooks } from "../data/in-sight.ts";

/** The page of the viewer: the list of batches, a suite over time, a batch that runs, or a comparison. */
export function Viewer() {
  const wanted = useWanted();
  if (wanted.suite !== null) return <SuitePast key={wanted.suite} suite={wanted.suite} />;
  if (wanted.batch === null && wanted.sides.length === 0) return <Home />;
  const { batch, against, sides } = wanted;
  return <Comparison key={JSON.stringify([batch, against, sides])} {...{ batch, against, sides }} />;
}

interface Sides {
  batch: string | null;
  against: string | null;
  sides: string[];
}

interface Wanted extends Sides {
  suite: string | null;
}

function wantedNow(): string {
  const { batch, against, sides, suite } = readAddress(location.hash);
  return JSON.stringify({ batch, against, sides, suite });
}

/** The comparison that the address asks for; changes within a comparison do not concern it. */
function useWanted(): Wanted {
  const [wanted, want] = useState(wantedNow);
  useFollowedAddress(() => want(wantedNow()));
  return useMemo<Wanted>(() => JSON.parse(wanted), [wanted]);
}

function Comparison(wanted: Sides) {
  const { batch, against, sides } = wanted;
  const [state, setState] = useState<Opening>({ kind: "looking" });
  const [attempt, again] = useState(0);
  // An open page asks for nothing by itself.
  const { lost, heardAt } = useLooks<true>(async () => {
    await ask("here");
    return true;
  });
  useEffect(() => {
    // A comparison that failed to open without the viewer is opened when it is back.
    if (lost === null && state.kind === "failed") again((times) => times + 1);
  }, [lost]);
  useEffect(() => {
    if (state.kind !== "live") return;
    let isShown = true;
    const look = async (isFirst: boolean): Promise<void> => {
      const { batches } = (await hearAgain<BatchList>("batches", null)).value;
      const entry = batches.find(({ name }) => name === state.batch);
      if (!isShown) return;
      if (entry?.live === true) setState({ ...state, entry });
      else if (!isFirst) again((times) => times + 1);
    };
    // The bar below says when the viewer does not answer.
    const lookOnce = (isFirst: boolean): void => void look(isFirst).catch(() => {});
    if (state.entry === null) lookOnce(true);
    const timer = setInterval(() => lookOnce(false), againMs);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [state]);
  useEffect(() => {
    let isWanted = true;
    const show = (next: Opening): void => {
      if (isWanted) setState(next);
    };
    const onChange = (): void => again((times) => times + 1);
    void openIt({ batch, against, sides }, { show, isWanted: () => isWanted, onChange });
    return () => {
      isWanted = false;
    };
  }, [attempt]);
  return (
    <>
      {state.kind === "open" ? (
        <App key={attempt} source={state.source} />
      ) : (
        <>
          <PlainMasthead here={batch ?? sides.join(", ")} />
          <NotYet state={state} retry={() => again((times) => times + 1)} />
        </>
      )}
      {lost !== null && (
        <div class="lost-bar">
          <Lost reason={lost} heardAt={heardAt} />
        </div>
      )}
    </>
  );
}

function NotYet({ state, retry }: { state: Opening; retry: () => void }) {
  return (
    <main class="opening">
      {state.kind === "failed" ? (
        <>
          <h1>This cannot be shown</h1>
          <p dir="auto">{state.reason}</p>
          <p>
            <button type="button" class="plain" onClick={retry}>
              Try again
            </button>
          </p>
        </>
      ) : (
        <>
          <p role="status" aria-live="off">
            {preparing(state)}
          </p>
          {state.kind === "live" && state.entry !== null && <ProgressLine batch={state.entry} shown={state.batch} />}
          {state.kind === "preparing" && state.of > 0 && (
            <progress max={state.of} value={state.done} aria-label={state.compares ? "Cases compared" : "Cases read"} />
          )}
          {state.kind === "preparing" && state.verdict !== null && (
            <p>
              When it was compared last:{" "}
              <NightVerdict
                night={{
                  state: "finished",
                  verdict: state.verdict,
                  word: state.verdict,
                  spared: 0,
                  beside: [],
                  chosen: [],
                }}
              />
            </p>
          )}
        </>
      )}
    </main>
  );
}

function preparing(state: Opening): string {
  if (state.kind === "live") return `${state.batch} runs, and its comparison opens here when it has ended.`;
  if (state.kind !== "preparing") return "Opening ...";
  if (state.waiting) return "Waiting: another comparison is made ready before this one ...";
  if (state.done >= state.of) return "Drawing conclusions ...";
  const work = state.compares ? "Comparing" : "Reading";
  return `${work}: ${number(state.done)} of ${number(state.of)} rows. This is done once and kept.`;
}

type Opening =
  | { kind: "looking" }
  | { kind: "preparing"; waiting: boolean; compares: boolean; done: number; of: number; verdict: string | null }
  | { kind: "live"; batch: string; entry: BatchEntry | null }
  | { kind: "open"; source: ApiSource }
  | { kind: "failed"; reason: string };

interface Opener {
  show: (state: Opening) => void;
  isWanted: () => boolean;
  onChange: () => void;
}

/** A batch that runs is waited for; anything else is compared. */
async function openIt({ batch, against, sides }: Sides, { show, isWanted, onChange }: Opener): Promise<void> {
  const asked = new URLSearchParams();
  if (batch !== null) asked.set("batch", batch);
  if (against !== null) asked.set("against", against);
  for (const side of sides) asked.append("side", side);
  try {
    if (batch !== null) {
      const now = await ask<{ batch: string; live: boolean }>("state", asked);
      if (now.live) return show({ kind: "live", batch: now.batch, entry: null });
    }
    const opened = await untilReady(asked, isWanted, show);
    if (opened === null) return;
    const reopen = async (): Promise<string> => (await untilReady(asked, () => true, null))?.id ?? "";
    show({ kind: "open", source: new ApiSource({ opened, reopen, onChange }) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    show({ kind: "failed", reason });
  }
}

/** Null: nobody wants it any more. */
async function untilReady(
  asked: URLSearchParams,
  isWanted: () => boolean,
  show: ((state: Opening) => void) | null,
): Promise<Extract<Opened, { ready: true }> | null> {
  for (let waitMs = 50; isWanted(); waitMs = Math.min(500, waitMs * 2)) {
    const opened = await ask<Opened>("open", asked);
    if (opened.ready) return opened;
    const { waiting, compares, done, of, verdict } = opened;
    show?.({ kind: "preparing", waiting, compares, done, of, verdict });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return null;
}

/** Time between two looks at a batch that runs. */
const againMs = 5000;
