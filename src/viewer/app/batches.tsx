import { useEffect, useState } from "preact/hooks";
import type { BatchEntry } from "../api.ts";
import { ask } from "./api.ts";
import { count, instant } from "./format.ts";
import { ThemeSwitch } from "./masthead.tsx";
import { StateMark } from "./state-mark.tsx";

/** Every batch of the database; two targets that are picked are compared. */
export function Batches() {
  const [batches, setBatches] = useState<BatchEntry[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [picked, setPicked] = useState<string[]>([]);
  const [text, setText] = useState("");
  useEffect(() => {
    const read = (): void => {
      ask<BatchEntry[]>("batches").then(setBatches, (error: unknown) => setFailure(String(error)));
    };
    read();
    const timer = setInterval(read, 5000);
    return () => clearInterval(timer);
  }, []);
  const found = (batches ?? []).filter(({ name, suite, pins }) =>
    [name, suite, ...pins].some((each) => each.toLowerCase().includes(text.toLowerCase())),
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
        {failure !== null && <p class="error">{failure}</p>}
        <div class="find">
          <label class="search">
            <span class="unseen">Search batches by name, suite or pin</span>
            <input
              type="search"
              placeholder="Search batches"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <Picked picked={picked} clear={() => setPicked([])} />
        </div>
        {batches !== null && batches.length === 0 && <p class="nothing">No batch yet: start one with tandem run.</p>}
        <ul class="batch-list">
          {found.map((batch) => (
            <Entry key={batch.name} batch={batch} picked={picked} pick={pick} />
          ))}
        </ul>
      </main>
    </>
  );
}

/** The first that was picked is the baseline. */
function Picked({ picked, clear }: { picked: string[]; clear: () => void }) {
  const [baseline, candidate] = picked;
  if (baseline === undefined) return <p class="quiet hint">Pick two targets to compare them.</p>;
  const address = new URLSearchParams(picked.map((side) => ["side", side]));
  return (
    <p class="hint" role="status">
      <bdi>{candidate ?? "..."}</bdi> against <bdi>{baseline}</bdi>{" "}
      {candidate !== undefined && <a href={`#${address.toString()}`}>Compare</a>}{" "}
      <button type="button" class="link" onClick={clear}>
        Clear
      </button>
    </p>
  );
}

const verdicts = ["regression", "pass", "inconclusive", "invalid"] as const;

function Entry({ batch, picked, pick }: { batch: BatchEntry; picked: string[]; pick: (side: string) => void }) {
  const { name, suite, state, reason, createdAt, jobs, finished, targets, verdict, pins } = batch;
  const known = verdicts.find((each) => each === verdict);
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
          <span>
            <bdi>{suite}</bdi>
          </span>
          <span>
            {finished === jobs ? count(jobs) : `${count(finished)} of ${count(jobs)}`} {jobs === 1 ? "job" : "jobs"}
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
      <div class="filters" role="group" aria-label={`Targets of ${name}`}>
        {targets.map((target) => {
          const side = `${name}:${target}`;
          return (
            <button key={target} type="button" aria-pressed={picked.includes(side)} onClick={() => pick(side)}>
              <bdi>{target}</bdi>
            </button>
          );
        })}
      </div>
    </li>
  );
}
