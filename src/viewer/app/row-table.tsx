import type { ComponentChild } from "preact";
import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { RowHead } from "../../report/row-head.ts";
import { type Address, writeAddress } from "./address.ts";
import type { SetAddress } from "./app.tsx";
import { ChangeMark } from "./change-mark.tsx";
import { decimal, score } from "../../report/figures.ts";
import { words } from "./format.ts";
import type { RowList, Source } from "./source.ts";

interface Given {
  source: Source;
  list: RowList;
  /** Another number whenever rows have come. */
  version: number;
  address: Address;
  candidate: number;
  setAddress: SetAddress;
}

/** On paper there is no scrolling: so many rows are printed. */
const mostPrinted = 300;

/** The rows as a table of which only the part in sight exists. */
export function RowTable(given: Given) {
  const { source, list, version, address, candidate } = given;
  const { summary } = source;
  const body = useRef<HTMLDivElement>(null);
  const matched = list.matched ?? 0;
  const narrow = useNarrow();
  const printing = usePrinting();
  const rowHeight = narrow ? 132 : 76;
  const items = useVirtual({ body, count: matched, rowHeight });
  const shown = printing ? Array.from({ length: Math.min(matched, mostPrinted) }, (_, index) => index) : items.indexes;
  useSteps({ list, scrollTo: items.scrollTo });
  const pair = summary.pairs[candidate];
  const baseline = summary.targets.findIndex(({ name }) => name === pair?.baseline);
  const other = summary.targets.findIndex(({ name }) => name === pair?.candidate);
  const places =
    baseline === -1 || other === -1 ? summary.targets.map((_, index) => index).slice(0, 2) : [baseline, other];
  const compared = baseline !== -1 && other !== -1;
  // A line that is drawn already is not made again while the list scrolls.
  const drawn = useMemo(
    () => new Map<number, ComponentChild>(),
    [list, address, candidate, rowHeight, printing, version],
  );
  return (
    <div
      class={`table ${compared ? "compared" : ""} sides-${places.length}`}
      role="table"
      aria-label="Rows"
      aria-rowcount={matched + 1}
    >
      <div role="rowgroup" class="table-head">
        <div role="row" aria-rowindex={1} class="row">
          <span role="columnheader">Row</span>
          {places.map((place) => (
            <span role="columnheader" key={place}>
              <bdi>{summary.targets[place]?.name}</bdi>
              {place === baseline && <span class="note">baseline</span>}
            </span>
          ))}
          {compared && <span role="columnheader">Change</span>}
        </div>
      </div>
      <div
        role="rowgroup"
        class="table-body"
        ref={body}
        style={{ height: printing ? "auto" : `${matched * rowHeight}px` }}
      >
        {shown.map((index) => {
          const known = drawn.get(index);
          if (known !== undefined) return known;
          const head = list.head(index);
          const style: Record<string, string> = printing
            ? {}
            : { transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` };
          if (head === null) {
            return (
              <div key={index} class="row waiting" role="row" aria-rowindex={index + 2} style={style}>
                <span role="cell">...</span>
              </div>
            );
          }
          const place = { index, places, compared, style, isOpen: address.row === head.key };
          const line = <Line key={head.key} {...given} {...place} head={head} />;
          drawn.set(index, line);
          return line;
        })}
      </div>
      {matched === 0 && source.ready() === source.total && <p class="nothing">No row is like that.</p>}
    </div>
  );
}

function Line(
  given: Given & {
    head: RowHead;
    index: number;
    places: number[];
    compared: boolean;
    style: Record<string, string>;
    isOpen: boolean;
  },
) {
  const { source, address, candidate, setAddress, head, index, places, compared, style, isOpen } = given;
  const { summary } = source;
  const change = head.changes[candidate];
  const metric = summary.metrics[0];
  return (
    <div
      class={`row ${isOpen ? "open" : ""}`}
      role="row"
      aria-rowindex={index + 2}
      style={style}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest("a") !== null) return;
        if (getSelection()?.isCollapsed === false) return;
        setAddress({ row: head.key }, true);
      }}
    >
      <div role="cell" class="question">
        <a
          href={writeAddress({ ...address, row: head.key })}
          data-row={index}
          aria-current={isOpen ? "true" : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            setAddress({ row: head.key }, true);
          }}
        >
          <bdi>{head.key}</bdi>
        </a>
        <p dir="auto">{head.question}</p>
      </div>
      {places.map((place) => {
        const side = head.sides[place];
        return (
          <div role="cell" class={`answer ${side?.failed === true ? "failed" : ""}`} key={place}>
            <p class="side-head">
              <span class="only-narrow">{summary.targets[place]?.name}</span>
              {metric !== undefined && side?.failed !== true && (
                <Verdict value={side?.scores[0] ?? null} metric={metric} />
              )}
              {side !== undefined && side.outcome !== "answered" && <span class="outcome">{words(side.outcome)}</span>}
            </p>
            <p dir="auto">{side?.excerpt}</p>
          </div>
        );
      })}
      {compared && (
        <div role="cell" class="change">
          {change !== undefined && <ChangeMark kind={change.kind} trend={change.trend} />}
          {change?.distance !== undefined && change.distance !== null && (
            <span class="distance" title={`Distance of the answers: ${decimal(change.distance, 2)} of 1`}>
              <i aria-hidden="true">
                <i style={{ width: `${change.distance * 100}%` }} />
              </i>
              <span class="unseen">distance </span>
              {decimal(change.distance, 2)}
            </span>
          )}
        </div>
      )}
    </div>
  );
}

function Verdict({ value, metric }: { value: number | null; metric: Parameters<typeof score>[1] }) {
  if (!metric.passes) return value === null ? null : <span class="score">{score(value, metric)}</span>;
  if (value === null) return <span class="score unscored">unscored</span>;
  return value === 1 ? (
    <span class="score passed">
      <span aria-hidden="true">✓</span> pass
    </span>
  ) : value === 0 ? (
    <span class="score missed">
      <span aria-hidden="true">✗</span> fail
    </span>
  ) : (
    <span class="score mixed">
      <span aria-hidden="true">~</span> {score(value, metric)}
    </span>
  );
}

/** Which lines of the list are in sight, with a few around them. */
function useVirtual(given: { body: { current: HTMLDivElement | null }; count: number; rowHeight: number }) {
  const { body, count, rowHeight } = given;
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const margin = useRef(0);
  const virtualizer = useMemo(() => new Virtualizer<Window, HTMLDivElement>(options()), []);
  function options() {
    return {
      count,
      getScrollElement: () => window,
      estimateSize: () => rowHeight,
      observeElementRect: observeWindowRect,
      observeElementOffset: observeWindowOffset,
      scrollToFn: windowScroll,
      overscan: 8,
      scrollMargin: margin.current,
      initialRect: { width: innerWidth, height: innerHeight },
      onChange: () => draw(undefined),
      // Below the toolbar, which stays in sight.
      scrollPaddingStart: 150,
      scrollPaddingEnd: 24,
    };
  }
  virtualizer.setOptions(options());
  // The two hooks that the library has for those who bind it to a framework.
  // oxlint-disable-next-line eslint/no-underscore-dangle
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    // oxlint-disable-next-line eslint/no-underscore-dangle
    virtualizer._willUpdate();
    const top = (body.current?.getBoundingClientRect().top ?? 0) + scrollY;
    if (Math.abs(top - margin.current) > 1) {
      margin.current = top;
      draw(undefined);
    }
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return {
    indexes: virtualizer.getVirtualItems().map(({ index }) => index),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}

/** j and k move the focus from row to row, also to those that are not drawn yet. */
function useSteps({ list, scrollTo }: { list: RowList; scrollTo: (index: number) => void }): void {
  const now = useRef({ list, scrollTo });
  now.current = { list, scrollTo };
  useEffect(() => {
    const step = (event: Event): void => {
      if (!(event instanceof CustomEvent)) return;
      const at = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["row"] : undefined;
      const first = firstInSight();
      const wanted = at === undefined ? first : Number(at) + Number(event.detail);
      const next = Math.max(0, Math.min((now.current.list.matched ?? 1) - 1, wanted));
      now.current.scrollTo(next);
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus({ preventScroll: true }),
        ),
      );
    };
    document.addEventListener("tandem:step", step);
    return () => document.removeEventListener("tandem:step", step);
  }, []);
}

function firstInSight(): number {
  for (const link of document.querySelectorAll<HTMLElement>("[data-row]")) {
    if (link.getBoundingClientRect().top > 150) return Number(link.dataset["row"]);
  }
  return 0;
}

function useNarrow(): boolean {
  return useMedia("(max-width: 760px)");
}

function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = (): void => setIs(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return is;
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const before = (): void => setPrinting(true);
    const after = (): void => setPrinting(false);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  return printing || matchMedia("print").matches;
}
