import { nightLabel } from "../../../report/say/night-names.ts";
import { keptVerdict } from "../../../report/say/nights.ts";
import { useMemo, useState } from "preact/hooks";
import type { BatchList, SuiteNights } from "../../api.ts";
import type { Night, SuiteHistory } from "../../../report/shape/history.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { Ticked } from "../parts/ticked.tsx";
import { type HomeAddress, type SetHome, useHomeAddress } from "../data/home-address.ts";
import { useKeptScroll } from "../data/saved-scroll.ts";
import { CompareBar } from "./compare-bar.tsx";
import { PlainMasthead } from "../parts/masthead.tsx";
import { finder, Lost } from "./home.tsx";
import { nightOrders, NightsTable } from "./nights-table.tsx";
import { SearchAndOrder } from "./search-and-order.tsx";
import { watchLines } from "../../../report/say/judges.ts";
import { Series } from "../charts/series.tsx";
import { seriesTargets } from "../charts/series-scale.ts";
import { targetLooks } from "../parts/target-colour.ts";
import { knownSides, type SetTick, ticked } from "./ticks.ts";
import { Why } from "./why.tsx";
import { useLooks } from "../data/in-sight.ts";
import { hearAgain, type Heard } from "../data/server-calls.ts";

/** Number of nights in the series and, at first, in the table. */
const mostNights = 60;

interface SuiteState {
  list: Heard<BatchList>;
  nights: Heard<SuiteNights>;
}

/** The nights of a suite: alarms, its scores over time, and a line for each with the way to its batch. */
export function SuitePast({ suite }: { suite: string }) {
  const { value, lost, heardAt } = useLooks<SuiteState>(async (before) => {
    const [list, nights] = await Promise.all([
      hearAgain<BatchList>("batches", before?.list ?? null),
      hearAgain<SuiteNights>("past", before?.nights ?? null, { suite }),
    ]);
    return before?.list === list && before.nights === nights ? before : { list, nights };
  });
  const list = value?.list.value;
  const history = value?.nights.value ?? null;
  const [address, set] = useHomeAddress();
  useKeptScroll(history !== null);
  const known = useMemo(() => knownSides(list?.batches ?? [], list?.pins ?? []), [list]);
  const setTick: SetTick = (name, isTicked) => set({ ticks: ticked(address.ticks, { name, isTicked }, known) });
  return (
    <>
      <PlainMasthead here={suite} />
      <main class="home">
        <h1>
          <bdi>{suite}</bdi>
        </h1>
        {lost !== null && <Lost reason={lost} heardAt={heardAt} />}
        {history === null && lost === null && (
          <p class="quiet" role="status">
            Reading the nights ...
          </p>
        )}
        {history !== null && history.nights.length > 0 && <Nights {...{ history, address, set, setTick }} />}
        {history?.nights.length === 0 && (
          <p class="nothing">
            There is no run of a suite of this name here. Home lists the suites that are here; `tandem merge` brings
            runs of another folder.
          </p>
        )}
      </main>
      <CompareBar ticks={address.ticks} known={known} set={set} />
    </>
  );
}

interface PastProps {
  history: SuiteNights;
  address: HomeAddress;
  set: SetHome;
  setTick: SetTick;
}

function Nights({ history, address, set, setTick }: PastProps) {
  const { alarms, acknowledged, promise, why } = history;
  // Those that go on and are worse stand among the reasons.
  const others = alarms.filter(({ state, isWorse }) => state === "over" || (state === "still" && !isWorse));
  return (
    <>
      <div class="why">
        <Why why={why} />
      </div>
      {others.length > 0 && (
        <ul class="cautions" aria-label="Changes over the nights of the suite">
          {others.map(({ sentence }) => (
            <li key={sentence} dir="auto">
              <span aria-hidden="true">◆ </span>
              <Ticked text={sentence} />
            </li>
          ))}
        </ul>
      )}
      <MetricSeries history={history} address={address} set={set} />
      {history.judges.length > 0 && (
        <>
          <h2>Judges, asked the same again</h2>
          <ul class="notes">
            {history.judges.flatMap(watchLines).map((line) => (
              <li key={line} dir="auto">
                {line}
              </li>
            ))}
          </ul>
        </>
      )}
      <FoundNights {...{ history, address, set, setTick }} />
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
        Watched for each target: its main metric, errors, median time and cost. By chance there is one false alarm in{" "}
        {number(promise.nights)} nights, for all of them together.
      </p>
    </>
  );
}

/** One metric at a time over the latest nights. */
function MetricSeries({ history, address, set }: { history: SuiteHistory; address: HomeAddress; set: SetHome }) {
  const past = history.nights.filter(({ targets }) => targets.length > 0).slice(-mostNights);
  const known = history.metrics.filter(({ name }) =>
    past.some(({ scores }) => Object.values(scores).some((own) => (own[name]?.value ?? null) !== null)),
  );
  const metric = known.find(({ name }) => name === address.metric) ?? known[0];
  if (past.length < 2) return <p class="nothing">A line over time needs two batches that were compared.</p>;
  if (metric === undefined) return null;
  const shown = new Set(past.map(({ batch }) => batch));
  const targets = seriesTargets(past);
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over past batches</h2>
      {known.length > 1 && (
        <div class="filters" role="group" aria-label="Metric over past batches">
          {known.map(({ name }) => (
            <button key={name} type="button" aria-pressed={name === metric.name} onClick={() => set({ metric: name })}>
              <bdi>{name}</bdi>
            </button>
          ))}
        </div>
      )}
      <Series
        {...{ past, metric, targets, lookOf: targetLooks(history.targets, targets) }}
        marks={history.marks.filter(({ batch }) => shown.has(batch))}
        height={240}
      />
    </section>
  );
}

function FoundNights({ history, address, set, setTick }: PastProps) {
  const { text, order, ticks } = address;
  const [isWhole, showAll] = useState(false);
  const has = finder(text);
  const found = history.nights.toReversed().filter((night) => has(wordsOf(night)));
  const compare = nightOrders[order]?.compare;
  const ordered = compare === undefined ? found : found.toSorted(compare);
  return (
    <section aria-labelledby="nights">
      <h2 id="nights">Nights</h2>
      <SearchAndOrder
        search={{ label: "Search nights by day, batch, verdict or change", placeholder: "Search nights" }}
        order={{ words: "Order", label: "Order of the nights" }}
        chosen={{ text, order }}
        set={set}
      >
        <option value="">latest first</option>
        {Object.entries(nightOrders).map(([name, { words }]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </SearchAndOrder>
      <NightsTable
        history={history}
        nights={isWhole ? ordered : ordered.slice(0, mostNights)}
        ticks={ticks}
        setTick={setTick}
      />
      {ordered.length === 0 && <p class="nothing">No night is so called.</p>}
      {!isWhole && ordered.length > mostNights && (
        <button type="button" class="plain" onClick={() => showAll(true)}>
          Show {counted(ordered.length - mostNights, "more night")}
        </button>
      )}
    </section>
  );
}

function wordsOf({ day, time, batch, verdict, word, state, why, changes, noticed }: Night): string[] {
  return [
    nightLabel({ day, time }),
    batch,
    keptVerdict({ verdict, word }) ?? "",
    state,
    why ?? "",
    ...changes,
    ...noticed,
  ];
}
