import { useEffect, useRef } from "preact/hooks";
import type { RowList } from "../data/source.ts";

/** A row that is open leaves room for the list from this width on. */
const beside = "(min-width: 1320px)";

/** j and k move the focus from row to row, also to those that are not drawn yet; a row that closes gives it to its line. */
export function useSteps({ list, scrollTo }: { list: RowList; scrollTo: (index: number) => void }): void {
  const now = useRef({ list, scrollTo });
  now.current = { list, scrollTo };
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
    // The line of the row that is open stays in sight.
    const show = (event: Event): void => {
      if (event instanceof CustomEvent && matchMedia(beside).matches) now.current.scrollTo(Number(event.detail));
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
