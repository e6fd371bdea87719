import { useEffect, useState } from "preact/hooks";
import type { SuiteHistory } from "../../../report/shape/history.ts";
import { number } from "../../../report/words/quantity.ts";
import { Alarms } from "../charts/alarms.tsx";
import { Past } from "../charts/past.tsx";
import { ask } from "../data/server-calls.ts";
import { NightsTable } from "./nights-table.tsx";

/** The nights of a suite: alarms, its scores over time, and a line for each with the way to its batch. */
export function SuitePast({ suite }: { suite: string }) {
  const [history, setHistory] = useState<SuiteHistory | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    ask<SuiteHistory>("past", new URLSearchParams({ suite })).then(setHistory, (error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    );
  }, [suite]);
  return (
    <main class="live">
      <p class="quiet">
        <a href="#">All batches</a>
      </p>
      <h1>
        <bdi>{suite}</bdi>
      </h1>
      {failure !== null && <p class="error">{failure}</p>}
      {history !== null && <Nights history={history} />}
    </main>
  );
}

function Nights({ history }: { history: SuiteHistory }) {
  const { nights, alarms, acknowledged, promise, metrics, baseline } = history;
  const past = nights.filter(({ targets }) => targets.length > 0);
  const going = alarms.filter(({ state }) => state === "new" || state === "still" || state === "over");
  return (
    <>
      <Alarms alarms={going} />
      {past.length < 2 && <p class="nothing">A line over time needs two batches that were compared.</p>}
      <Past summary={{ past, metrics, baseline }} />
      <NightsTable history={history} />
      {acknowledged.length > 0 && (
        <>
          <h2>Known changes</h2>
          <ul class="notes">
            {acknowledged.map(({ since, note, author, at }) => (
              <li key={at} dir="auto">
                Since {since}: {note} ({author})
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="quiet">
        Primary metric, errors, latency and cost of each target are watched: one false alarm in {number(promise.nights)}{" "}
        nights, for all of them together.
      </p>
    </>
  );
}
