import { useEffect, useState } from "preact/hooks";
import type { BatchEntry, BatchList } from "../../api.ts";
import { ask } from "../data/server-calls.ts";
import { number } from "../../../report/words/quantity.ts";
import { instant } from "../parts/format.ts";
import { ThemeSwitch } from "../parts/masthead.tsx";
import { comparisonAddress, nameOfPick, Pick, wholePick } from "./pick.tsx";
import { Pins } from "./pins.tsx";
import { StateMark } from "../parts/state-mark.tsx";

/** Number of batches in the list: a longer one is none to look through, and a search finds the others. */
const mostShown = 200;
const againMs = 5000;

/** Every batch of the database; two targets that are picked, or a batch and a pin, are compared. */
export function Batches() {
  const { list, failure, read } = useBatches();
  const [picked, setPicked] = useState<string[]>([]);
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = (list?.batches ?? []).filter(({ name, suite, pins, state }) =>
    [name, suite, state, ...pins].some((each) => each.toLowerCase().includes(wanted)),
  );
  const pick = (side: string): void =>
    setPicked((before) =>
      before.includes(side) ? before.filter((each) => each !== side) : [...before, side].slice(-2),
    );
  return (
    <>
      <header class="masthead">
        <p class="suite">tandem</p>
        <div class="tools">
          <ThemeSwitch />
        </div>
      </header>
      <main class="batches">
        <h1>Batches</h1>
        {failure !== null && (
          <p class="error" role="alert">
            {failure}
          </p>
        )}
        <div class="find">
          <label class="search">
            <span class="unseen">Search batches by name, suite, state or pin</span>
            <input
              type="search"
              placeholder="Search batches"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <Picked picked={picked} clear={() => setPicked([])} />
        </div>
        {list !== null && list.pins.length > 0 && (
          <Pins pins={list.pins} picked={picked} pick={pick} onChange={() => void read()} />
        )}
        {list !== null && list.batches.length === 0 && <p class="nothing">No batch yet: start one with tandem run.</p>}
        {list !== null && list.batches.length > 0 && found.length === 0 && (
          <p class="nothing">No batch is so called.</p>
        )}
        <ul class="batch-list">
          {found.slice(0, mostShown).map((batch) => (
            <Entry key={batch.name} batch={batch} picked={picked} pick={pick} />
          ))}
        </ul>
        {found.length > mostShown && (
          <p class="quiet">{number(found.length - mostShown)} older ones are not shown: search for them.</p>
        )}
      </main>
    </>
  );
}

/** Read again every few seconds while the page is in sight. */
function useBatches(): { list: BatchList | null; failure: string | null; read: () => Promise<void> } {
  const [list, setList] = useState<BatchList | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const read = async (): Promise<void> => {
    try {
      setList(await ask<BatchList>("batches"));
      setFailure(null);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") void read();
    };
    void read();
    const timer = setInterval(look, againMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return { list, failure, read };
}

/** The first that was picked is the baseline. */
function Picked({ picked, clear }: { picked: string[]; clear: () => void }) {
  const [baseline, candidate] = picked;
  if (baseline === undefined) return <p class="quiet hint">Pick two batches or targets to compare them.</p>;
  return (
    <p class="hint" role="status">
      <bdi>{candidate === undefined ? "..." : nameOfPick(candidate)}</bdi> against <bdi>{nameOfPick(baseline)}</bdi>{" "}
      {candidate !== undefined && <a href={comparisonAddress(baseline, candidate)}>Compare</a>}{" "}
      <button type="button" class="link" onClick={clear}>
        Clear
      </button>
    </p>
  );
}

const verdicts = ["regression", "pass", "inconclusive", "invalid"] as const;

function Entry({ batch, picked, pick }: { batch: BatchEntry; picked: string[]; pick: (side: string) => void }) {
  const { name, suite, state, live, reason, createdAt, jobs, finished, targets, verdict, pins } = batch;
  const known = live ? undefined : verdicts.find((each) => each === verdict);
  return (
    <li class="batch">
      <div>
        <h2>
          <a href={`#${new URLSearchParams({ batch: name }).toString()}`}>
            <bdi>{name}</bdi>
          </a>
        </h2>
        <p class="facts">
          <span>{instant(createdAt)}</span>
          <a href={`#${new URLSearchParams({ suite }).toString()}`} title={`${suite} over time`}>
            <bdi>{suite}</bdi>
          </a>
          <span>
            {finished === jobs ? number(jobs) : `${number(finished)} of ${number(jobs)}`} {jobs === 1 ? "job" : "jobs"}
          </span>
          {state !== "finished" && <span class="outcome">{reason === null ? state : `${state}: ${reason}`}</span>}
          {pins.map((pin) => (
            <span key={pin} class="tag">
              pinned as <b>{pin}</b>
            </span>
          ))}
        </p>
      </div>
      {known !== undefined && <StateMark state={known} />}
      {!live && (
        <div class="filters" role="group" aria-label={`What to compare of ${name}`}>
          {targets.length > 1 && <Pick side={wholePick(name)} text="whole batch" picked={picked} pick={pick} />}
          {targets.map((target) => (
            <Pick key={target} side={`${name}:${target}`} text={target} picked={picked} pick={pick} />
          ))}
        </div>
      )}
    </li>
  );
}
