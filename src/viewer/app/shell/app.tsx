import { useCallback, useEffect, useLayoutEffect, useMemo, useState, useRef } from "preact/hooks";
import { About } from "../result/about.tsx";
import { type Address, readAddress, type SetAddress, type View, views } from "../data/address.ts";
import { fieldOfColumn, sheetColumn } from "../data/columns.ts";
import { useAddress } from "../data/use-address.ts";
import { Detail } from "../row/detail.tsx";
import { isField } from "../edit/typed-ahead.ts";
import { useMoves } from "./moves.ts";
import { Masthead } from "../parts/masthead.tsx";
import { Result } from "../result/result.tsx";
import { Rows } from "../rows/rows.tsx";
import type { ListQuery, Source } from "../data/source.ts";
import { shownText } from "../parts/shown-text.ts";
import { firstCandidate } from "../parts/standing.ts";
import { wordSign } from "../parts/state-mark.tsx";
import { ReportContext, useNewReport } from "../parts/report.tsx";
import { Send } from "./send.tsx";
import { wordInText } from "../../../compare/verdict-word.ts";
import { shortDay } from "../../../report/say/night-names.ts";
import { capitalised, number } from "../../../report/say/quantity.ts";

/** The whole page: the result on top, then rows or facts; or the row that is open, beside the list. */
export function App({ source }: { source: Source }) {
  const { summary } = source;
  const { address, setAddress, closeRow } = useAddress();
  const [isBlind, setBlind] = useBlindChoice(source.actions !== null);
  const [helpOpen, setHelpOpen] = useState(false);
  const chosen = summary.candidates.indexOf(address.target ?? "");
  const candidate = chosen === -1 ? firstCandidate(summary) : chosen;
  const query = useListQuery(address, candidate);
  const ready = source.ready();
  const version = useArrivals(source);
  // Rows that arrive change the list.
  const list = useMemo(() => source.list(query), [source, query, ready]);
  // Back leads out of the rows, not through all that were passed.
  const openRow = useCallback(
    (row: string) => setAddress({ row }, readAddress(location.hash).row === null),
    [setAddress],
  );
  useTitle(titleOf(summary));
  useCountedInSight(source, address, version);
  const { step, standAt } = useMoves({ list, address, openRow });
  // Beside an open row stands its list.
  const shown = useMemo<Address>(() => (address.row === null ? address : { ...address, view: "rows" }), [address]);
  const report = useNewReport({ source, candidate, address: shown, setAddress });
  useKeys({ address, closeRow, setHelpOpen, step });

  return (
    <ReportContext.Provider value={report}>
      <a class="skip" href="#panel" onClick={(event) => skipResult(event, setAddress)}>
        Skip to the rows
      </a>
      <div class="page">
        <Masthead onHelp={() => setHelpOpen(true)}>
          <Send query={query} />
        </Masthead>
        <main>
          <Result />
          <Tabs view={address.view} rows={source.total} setView={(view) => setAddress({ view })} />
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${shown.view}`}>
            {shown.view === "about" ? <About /> : <Rows list={list} query={query} version={version} />}
          </div>
        </main>
      </div>
      {address.row !== null && (
        <Detail
          key={address.row}
          rowKey={address.row}
          query={query}
          isBlind={isBlind}
          setBlind={setBlind}
          ready={ready}
          onClose={closeRow}
          onStep={step}
          standAt={standAt}
        />
      )}
      {helpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </ReportContext.Provider>
  );
}

/** The rows that the address asks for: the same object as long as it asks for the same. */
function useListQuery(address: Address, candidate: number): ListQuery {
  const { text, sort } = address;
  const columns = address.columns.flatMap((column) => sheetColumn(column) ?? []);
  const fields = address.columns.flatMap((column) => fieldOfColumn(column) ?? []);
  return useMemo<ListQuery>(
    () => ({ text, sort, columns, fields, candidate }),
    [JSON.stringify([columns, fields]), text, sort, candidate],
  );
}

/** Brings the rows into sight that a count at home led to; until the first rows have come the page may be too short for it. */
function useCountedInSight(source: Source, { text, row }: Address, version: number): void {
  useEffect(() => {
    if (version < 3 && source.actions !== null && text !== "" && row === null) {
      document.getElementById("tabs")?.scrollIntoView({ block: "start" });
    }
  }, [version]);
}

/** `▼ Regression: help-desk, 25 Nov · tandem`: the verdict first, as a tab shows little. */
function titleOf({ verdict: { word }, findings, suite, startedAt }: Source["summary"]): string {
  const isInterrupted = findings.headline.kind === "interrupted";
  const said = isInterrupted ? "Interrupted: " : word === null ? "" : `${capitalised(wordInText(word))}: `;
  return `${wordSign(word)} ${said}${suite}, ${shortDay(Date.parse(startedAt))} · tandem`;
}

/** Sets the title with the result, so that a batch is found among many tabs. */
function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = shownText(title);
    return () => {
      document.title = before;
    };
  }, [title]);
}

/** Draws again when rows have come, at most once in a frame. */
function useArrivals(source: Source): number {
  const [times, draw] = useState(0);
  useEffect(() => {
    let frame = 0;
    const arrived = (): void => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        draw((before) => before + 1);
      });
    };
    // Some may have come before this.
    arrived();
    const end = source.subscribe(arrived);
    return () => {
      end();
      cancelAnimationFrame(frame);
    };
  }, [source]);
  return times;
}

function useKeys(props: {
  address: Address;
  closeRow: () => void;
  setHelpOpen: (open: boolean) => void;
  step: (by: 1 | -1) => void;
}): void {
  const { address, closeRow, setHelpOpen, step } = props;
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      const isTyped = target !== null && isField(target);
      if (event.key === "Escape" && address.row !== null && document.querySelector("dialog[open]") === null) {
        // Who writes leaves the field first.
        if (isTyped) target.blur();
        else closeRow();
        return;
      }
      if (isTyped) return;
      if (event.key === "j") step(1);
      else if (event.key === "k") step(-1);
      else if (event.key === "/") focusSearch(event);
      else if (event.key === "?") setHelpOpen(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [address.row, closeRow, setHelpOpen, step]);
}

/** The rows, from wherever somebody is on the page. */
function skipResult(event: Event, setAddress: SetAddress): void {
  event.preventDefault();
  setAddress({ view: "rows" });
  requestAnimationFrame(() => document.getElementById("search")?.focus());
}

function focusSearch(event: Event): void {
  event.preventDefault();
  document.getElementById("search")?.focus();
}

const blindPlace = "tandem-blind";

/** Judging without names, kept in this tab: a page that is loaded again shows no name by itself. */
function useBlindChoice(isOffered: boolean): [isBlind: boolean, setBlind: (isBlind: boolean) => void] {
  const [isBlind, keep] = useState(() => isOffered && storedBlind());
  const set = (next: boolean): void => {
    keep(next);
    storeBlind(next);
  };
  return [isBlind, set];
}

function storedBlind(): boolean {
  try {
    return sessionStorage.getItem(blindPlace) !== null;
  } catch {
    return false;
  }
}

function storeBlind(isBlind: boolean): void {
  try {
    if (isBlind) sessionStorage.setItem(blindPlace, "on");
    else sessionStorage.removeItem(blindPlace);
  } catch {
    // A browser that keeps nothing for a page forgets it when it is loaded again.
  }
}

const keys: [string, string][] = [
  ["j k", "next and previous row"],
  ["Enter", "open the row"],
  ["Esc", "close the row"],
  ["g b", "the answer is good, bad (in tandem view)"],
  ["s", "judge the other answer"],
  ["n u", "a note, undo"],
  ["l", "the next row that nobody labelled"],
  ["/", "search"],
  ["← →", "between rows and facts, when one of them has the focus"],
  ["?", "this list"],
];

function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

const viewNames: Record<View, string> = { rows: "Rows", about: "About this batch" };

/** Tabs that choose the part of the batch below the result; the arrow keys lead from one to the next. */
function Tabs({ view, rows, setView }: { view: View; rows: number; setView: (view: View) => void }) {
  return (
    <div class="tabs" id="tabs" role="tablist" aria-label="What to look at">
      {views.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-selected={view === each}
          aria-controls="panel"
          tabIndex={view === each ? 0 : -1}
          onClick={() => setView(each)}
          onKeyDown={(event) => moveTab(event, each, setView)}
        >
          {viewNames[each]}
          {each === "rows" && <span class="count">{number(rows)}</span>}
        </button>
      ))}
    </div>
  );
}

function moveTab(event: KeyboardEvent, view: View, choose: (view: View) => void): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const next = views[(views.indexOf(view) + by + views.length) % views.length];
  if (by === 0 || next === undefined) return;
  choose(next);
  document.getElementById(`tab-${next}`)?.focus();
}
