import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from "@tanstack/virtual-core";
import { useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";

/** The lines of the list that are in sight, with a few around them. */
export function useVirtual(given: { body: { current: HTMLDivElement | null }; count: number; rowHeight: number }) {
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
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return {
    indexes: virtualizer.getVirtualItems().map(({ index }) => index),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}
