import { momentLabel } from "../../../report/words/night-names.ts";
import { useState } from "preact/hooks";
import type { BatchEntry } from "../../api.ts";
import { number } from "../../../report/words/quantity.ts";
import { batchAddress } from "../data/batch-address.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { suiteAddress } from "./suite-card.tsx";
import { Tick } from "./tick.tsx";
import { type KnownSides, type SetTick, tickName } from "./ticks.ts";
import { NightVerdict } from "../charts/verdict-sign.tsx";

/** Number of batches in the table at first, and the most of them: a longer one is none to look through. */
const fewShown = 12;
const mostShown = 200;

/** The batches that are not at work, the latest first; two of them that are ticked are compared. */
export function BatchTable(given: {
  batches: readonly BatchEntry[];
  known: KnownSides;
  ticks: readonly string[];
  setTick: SetTick;
}) {
  const { batches, known, ticks, setTick } = given;
  const [most, showMost] = useState(fewShown);
  return (
    <section aria-labelledby="all-batches">
      <h2 id="all-batches">Batches</h2>
      <p class="quiet">
        Tick two to compare them: the older one of a suite is the baseline, and Swap turns them round.
      </p>
      {batches.length === 0 && <p class="nothing">No batch is so called.</p>}
      {batches.length > 0 && (
        <ScrollTable name="Batches" kind="batch-table">
          <thead>
            <tr>
              <th scope="col">Compare</th>
              <th scope="col">Batch</th>
              <th scope="col">Suite</th>
              <th scope="col">Started</th>
              <th scope="col">Verdict</th>
              <th scope="col" class="number">
                Jobs
              </th>
            </tr>
          </thead>
          <tbody>
            {batches.slice(0, most).map((batch) => (
              <Entry
                key={batch.name}
                batch={batch}
                shown={tickName(known, batch.name)}
                ticks={ticks}
                setTick={setTick}
              />
            ))}
          </tbody>
        </ScrollTable>
      )}
      {batches.length > most && most < mostShown && (
        <button type="button" class="plain" onClick={() => showMost(mostShown)}>
          Show {number(Math.min(mostShown, batches.length) - most)} more
        </button>
      )}
      {batches.length > mostShown && most === mostShown && (
        <p class="quiet">{number(batches.length - mostShown)} older ones are not shown: search for them.</p>
      )}
    </section>
  );
}

function Entry(given: { batch: BatchEntry; shown: string; ticks: readonly string[]; setTick: SetTick }) {
  const { batch, shown, ticks, setTick } = given;
  const { name, suite, state, reason, createdAt, jobs, finished, spared, verdict, pins } = batch;
  return (
    <tr>
      <td>
        <Tick name={name} shown={shown} ticks={ticks} setTick={setTick} />
      </td>
      <th scope="row" class="night">
        <a href={batchAddress(name)} title={name}>
          <bdi>{shown}</bdi>
        </a>
        {pins.map((pin) => (
          <span key={pin} class="tag">
            pinned as <b>{pin}</b>
          </span>
        ))}
      </th>
      <td>
        <a href={suiteAddress(suite, ticks)} title={`${suite} over time`}>
          <bdi>{suite}</bdi>
        </a>
      </td>
      <td class="when">{momentLabel(createdAt)}</td>
      <td>
        <NightVerdict night={{ state, verdict, spared }} />
        {reason !== null && (
          <span class="quiet" dir="auto">
            {" "}
            {reason}
          </span>
        )}
      </td>
      <td class="number" data-name="jobs">
        {finished === jobs ? number(jobs) : `${number(finished)} of ${number(jobs)}`}
        {spared > 0 && <span class="quiet">, {number(spared)} not sent</span>}
      </td>
    </tr>
  );
}
