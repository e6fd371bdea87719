import { useMemo, useState } from "preact/hooks";
import type { BatchEntry, KnownSuites, PinEntry } from "../../api.ts";
import type { SuiteStanding } from "../../../report/shape/standing.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { type HomeAddress, type SetHome, useHomeAddress } from "../data/home-address.ts";
import { useKeptScroll } from "../data/saved-scroll.ts";
import { PlainMasthead } from "../parts/masthead.tsx";
import { CompareBar } from "./compare-bar.tsx";
import { SearchAndOrder } from "./search-and-order.tsx";
import { EditedSince, suiteAddress, SuitesTable } from "./suites-table.tsx";
import { byPlace, latestFirst, needWords, standingPlace } from "./suite-need.ts";
import { type KnownSides, knownSides, type SetTick, tickName, ticked } from "./ticks.ts";
import { type HomeState, useHome } from "./use-home.ts";
import { tell } from "../data/server-calls.ts";
import { Tick } from "./tick.tsx";
import { momentLabel } from "../../../report/say/night-names.ts";
import { batchAddress } from "../data/batch-address.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { NightVerdict } from "../charts/verdict-sign.tsx";

/** The page of the morning: the suites that need a look, the batches that run, what is known or quiet, and every batch. */
export function Home() {
  const { value: home, lost, heardAt, again } = useHome();
  const [address, set] = useHomeAddress();
  const list = home?.list.value;
  const suites = home?.suites.value;
  const held = home?.held ?? true;
  useKeptScroll(!held);
  const known = useMemo(() => knownSides(list?.batches ?? [], list?.pins ?? []), [list]);
  return (
    <>
      <PlainMasthead />
      <main class="home">
        <h1>{headline(list?.batches ?? [], suites)}</h1>
        {lost !== null && <Lost reason={lost} heardAt={heardAt} />}
        {suites?.failures.map((failure) => (
          <p key={failure} class="error" role="alert">
            {failure}
          </p>
        ))}
        {list !== undefined && list.batches.length > 0 && <Find address={address} set={set} />}
        {held && suites !== undefined && suites.open > 0 && <StillRead open={suites.open} />}
        {!held && home !== null && <Found {...{ home, address, set, known, again }} />}
      </main>
      <CompareBar ticks={address.ticks} known={known} set={set} />
    </>
  );
}

interface FoundProps {
  home: HomeState;
  address: HomeAddress;
  set: SetHome;
  known: KnownSides;
  again: () => Promise<void>;
}

/** The suites, pins and batches that are searched for. */
function Found({ home, address, set, known, again }: FoundProps) {
  const { ticks } = address;
  const { list, suites: all } = home;
  const { open, suites } = all.value;
  const has = finder(address.text);
  const shown = suites.filter(({ suite, reasons }) =>
    has([suite, ...reasons.flatMap(({ sentence, more }) => [sentence, more ?? ""])]),
  );
  const ordered = shown.toSorted(suiteOrders[address.order] ?? byPlace);
  const batches = list.value.batches.filter(({ name, suite, pins, state }) =>
    has([name, tickName(known, name), suite, state, ...pins]),
  );
  const setTick: SetTick = (name, isTicked) => set({ ticks: ticked(ticks, { name, isTicked }, known) });
  return (
    <>
      <SuitesTable suites={ordered} running={batches.filter(({ live }) => live)} known={known} ticks={ticks} />
      {open > 0 && <StillRead open={open} />}
      {list.value.pins.length > 0 && (
        <Pins pins={list.value.pins} {...{ known, ticks, setTick }} onChange={() => void again()} />
      )}
      {list.value.batches.length > 0 && (
        <BatchTable batches={batches.filter(({ live }) => !live)} {...{ known, ticks, setTick }} />
      )}
    </>
  );
}

function StillRead({ open }: { open: number }) {
  return (
    <p class="quiet" role="status" aria-live="off">
      The nights of {counted(open, "suite")} are still read ...
    </p>
  );
}

/** Says why nothing is heard and what to do about it, and since when what is shown is old. */
export function Lost({ reason, heardAt }: { reason: string; heardAt: number }) {
  return (
    <p class="error" role="alert">
      {reason} {heardAt > 0 && `What is shown is of ${momentLabel(heardAt)}.`}
    </p>
  );
}

/** Says that all is quiet only when every suite was read. */
function headline(batches: readonly BatchEntry[], known: KnownSuites | undefined): string {
  if (known === undefined) return "Opening ...";
  const { suites, open, failures } = known;
  if (batches.length === 0) return "No batch yet: start one with tandem run";
  const needing = suites.filter((suite) => standingPlace(suite) === "needing").length;
  if (needing === 0 && failures.length > 0) return `${counted(failures.length, "suite")} cannot be read`;
  if (open > 0) return needing === 0 ? "Reading the nights ..." : `${counted(needing, "suite")} so far to look at`;
  return needWords(suites);
}

const suiteOrders: Record<string, (one: SuiteStanding, other: SuiteStanding) => number> = {
  name: (one, other) => one.suite.localeCompare(other.suite),
  latest: latestFirst,
};

/** True for texts of which one holds the text that is searched for, whatever its case. */
export function finder(text: string): (texts: readonly string[]) => boolean {
  const wanted = text.trim().toLowerCase();
  return (texts) => wanted === "" || texts.some((each) => each.toLowerCase().includes(wanted));
}

function Find({ address: { text, order }, set }: { address: HomeAddress; set: SetHome }) {
  return (
    <SearchAndOrder
      search={{ label: "Search suites and batches by name, state or pin", placeholder: "Search suites and batches" }}
      order={{ words: "Suites", label: "Order of the suites" }}
      chosen={{ text, order }}
      set={set}
    >
      <option value="">gravest first, new before old</option>
      <option value="latest">latest night first</option>
      <option value="name">by name</option>
    </SearchAndOrder>
  );
}

/** The names that later runs are compared by: each can be picked for a comparison, and taken away. */
function Pins(props: {
  pins: PinEntry[];
  known: KnownSides;
  ticks: readonly string[];
  setTick: SetTick;
  onChange: () => void;
}) {
  const { pins, known, ticks, setTick, onChange } = props;
  const [said, say] = useState("");
  const remove = async (name: string): Promise<void> => {
    try {
      await tell("pins", { name }, "DELETE");
      say(`${name} names nothing any more; its batches are still there.`);
      onChange();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details class="pins">
      <summary>Pins ({pins.length})</summary>
      <ul class="batch-list">
        {pins.map(({ name, batches }) => (
          <li class="pinned" key={name}>
            <Tick name={name} shown={name} ticks={ticks} setTick={setTick} />
            <div>
              <h3>
                <bdi>{name}</bdi>
              </h3>
              <p class="facts">
                {batches.map((batch) => (
                  <bdi key={batch} title={batch}>
                    {tickName(known, batch)}
                  </bdi>
                ))}
                <button type="button" class="link" onClick={() => void remove(name)}>
                  Unpin <span class="unseen">{name}</span>
                </button>
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p role="status" class="quiet">
        {said}
      </p>
    </details>
  );
}

/** Number of batches in the table at first, and the most of them: a longer one is none to look through. */
const fewShown = 12;
const mostShown = 200;

/** The batches that are not at work, the latest first; two of them that are ticked are compared. */
function BatchTable(props: {
  batches: readonly BatchEntry[];
  known: KnownSides;
  ticks: readonly string[];
  setTick: SetTick;
}) {
  const { batches, known, ticks, setTick } = props;
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

function Entry(props: { batch: BatchEntry; shown: string; ticks: readonly string[]; setTick: SetTick }) {
  const { batch, shown, ticks, setTick } = props;
  const { name, suite, state, reason, createdAt, jobs, finished, spared, verdict, word, beside, chosen, pins, edited } =
    batch;
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
        <NightVerdict night={{ state, verdict, word, spared, beside, chosen }} />
        <EditedSince edited={edited} />
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
