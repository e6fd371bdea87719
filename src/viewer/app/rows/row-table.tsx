import type { ComponentChild } from "preact";
import { useMemo, useRef, useEffect, useLayoutEffect, useReducer } from "preact/hooks";
import { useNarrow, usePrinting } from "../parts/media.ts";
import { RowLine } from "./row-line.tsx";
import { sidePlaces } from "../parts/side-places.ts";
import type { RowList } from "../data/source.ts";
import { useReport } from "../parts/report.tsx";
import { TableHead } from "./table-head.tsx";
import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from "@tanstack/virtual-core";

/** Number of rows that are printed: paper does not scroll. */
const mostPrinted = 300;

/** The rows as a table of which only the part in sight exists; `version`: another number whenever rows have come. */
export function RowTable({ list, version }: { list: RowList; version: number }) {
  const { source, summary, address, candidate } = useReport();
  const body = useRef<HTMLDivElement>(null);
  const matched = list.matched ?? 0;
  const narrow = useNarrow();
  const printing = usePrinting();
  // Columns of the sheet and figures stand in a line of their own.
  const { places, compared } = sidePlaces(summary, candidate, address.isAll);
  const rowHeight =
    (narrow ? 52 + 40 * Math.max(2, places.length) : 76) +
    (address.columns.length === 0 ? 0 : narrow ? 20 + 30 * Math.max(2, places.length) : 20);
  const items = useVirtual({ body, count: matched, rowHeight });
  const shown: PlacedLine[] = printing
    ? Array.from({ length: Math.min(matched, mostPrinted) }, (_, line) => ({ line, top: null, height: 0 }))
    : items.lines;
  useSteps({ list, body, scrollTo: items.scrollTo });
  // A line that is drawn already is not made again while the list scrolls.
  const drawn = useMemo(
    () => new Map<number, ComponentChild>(),
    [list, address, candidate, rowHeight, printing, version],
  );
  const isNothing = list.matched === 0 && source.ready() === source.total;
  return (
    <div
      class={`table ${compared ? "compared" : ""} ${places.length > 2 ? "sides-many" : `sides-${places.length}`}`}
      style={{ "--sides": places.length }}
      role="table"
      aria-label="Rows"
      aria-rowcount={matched + 1}
    >
      <TableHead list={list} />
      <div role="rowgroup" class="table-body" ref={body} style={{ height: printing ? "auto" : `${items.height}px` }}>
        {shown.map(({ line: index, top, height }) => {
          const known = drawn.get(index);
          if (known !== undefined) return known;
          const style: Record<string, string> =
            top === null ? {} : { transform: `translateY(${top}px)`, height: `${height}px` };
          const head = list.head(index);
          if (head === null) {
            return (
              <div key={index} class="row waiting" role="row" aria-rowindex={index + 2} style={style}>
                <span role="cell">...</span>
              </div>
            );
          }
          const place = { index, places, compared, style, isOpen: address.row === head.key };
          const line = <RowLine key={head.key} {...place} head={head} />;
          drawn.set(index, line);
          return line;
        })}
      </div>
      {isNothing && <p class="nothing">No row is like that.</p>}
    </div>
  );
}

/** j and k move the focus from row to row, also to those that are not drawn yet; a row that closes gives it to its line. */
function useSteps(given: {
  list: RowList;
  body: { current: HTMLElement | null };
  scrollTo: (index: number) => void;
}): void {
  const now = useRef(given);
  now.current = given;
  useEffect(() => {
    const stand = (index: number, tries = 3): void => {
      now.current.scrollTo(index);
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const line = document.querySelector<HTMLElement>(`[data-row="${index}"]`);
          // Back brings the page to where it was scrolled before, after this.
          if (tries > 1 && (line === null || !isInSight(line))) stand(index, tries - 1);
          else line?.focus({ preventScroll: true });
        }),
      );
    };
    const step = (event: Event): void => {
      if (!(event instanceof CustomEvent)) return;
      const at = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["row"] : undefined;
      const first = firstInSight();
      const wanted = at === undefined ? first : Number(at) + Number(event.detail);
      stand(Math.max(0, Math.min((now.current.list.matched ?? 1) - 1, wanted)));
    };
    const left = (event: Event): void => {
      if (event instanceof CustomEvent) stand(Number(event.detail));
    };
    // The line of the row that is open stays in sight, where the list stands beside it.
    const show = (event: Event): void => {
      if (!(event instanceof CustomEvent)) return;
      // The list has its place only after the headline went.
      requestAnimationFrame(() => {
        if (now.current.body.current?.checkVisibility({ visibilityProperty: true }) === true)
          now.current.scrollTo(Number(event.detail));
      });
    };
    document.addEventListener("tandem:step", step);
    document.addEventListener("tandem:show", show);
    document.addEventListener("tandem:left", left);
    return () => {
      document.removeEventListener("tandem:step", step);
      document.removeEventListener("tandem:show", show);
      document.removeEventListener("tandem:left", left);
    };
  }, []);
}

function isInSight(line: Element): boolean {
  const { top, bottom } = line.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

function firstInSight(): number {
  for (const link of document.querySelectorAll<HTMLElement>("[data-row]")) {
    if (link.getBoundingClientRect().top > 150) return Number(link.dataset["row"]);
  }
  return 0;
}

/** A line that is drawn; `top`: its place in the list in pixels, null: where it comes. */
interface PlacedLine {
  line: number;
  top: number | null;
  height: number;
}

/** The lines of the list that are in sight, with a few around them. */
function useVirtual(props: { body: { current: HTMLDivElement | null }; count: number; rowHeight: number }) {
  const { body, count, rowHeight } = props;
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
      // Room for the toolbar, which stays in sight.
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
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight, count]);
  return {
    lines: virtualizer
      .getVirtualItems()
      .map(({ index, start, size }): PlacedLine => ({ line: index, top: start - margin.current, height: size })),
    height: virtualizer.getTotalSize(),
    scrollTo: (line: number) => virtualizer.scrollToIndex(line, { align: "auto" }),
  };
}
