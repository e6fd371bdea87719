import { useLayoutEffect, useRef } from "preact/hooks";

type Control = HTMLElement | SVGElement;

/**
 * Makes one of the controls in a place the one that Tab reaches, at first the last; arrow keys, Home and End lead from it to the
 * others, in a table up and down too. The result is spread over the element that holds them.
 */
export function useRoving<Place extends Control>(selector: string) {
  const place = useRef<Place>(null);
  const reached = useRef<Control | null>(null);
  const controls = (): Control[] => Array.from(place.current?.querySelectorAll<Control>(selector) ?? []);
  const reach = (wanted: Control | undefined): void => {
    reached.current = wanted ?? null;
    for (const each of controls()) each.tabIndex = each === wanted ? 0 : -1;
  };
  useLayoutEffect(() => {
    const all = controls();
    reach(all.find((each) => each === reached.current) ?? all.at(-1));
  });
  return {
    ref: place,
    onFocusIn: ({ target }: FocusEvent): void => {
      const own = controls().find((each) => each === target);
      if (own !== undefined) reach(own);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const all = controls();
      const at = all.findIndex((each) => each === event.target);
      const next = at === -1 ? undefined : nextControl(all, at, event.key);
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    },
  };
}

function nextControl(all: readonly Control[], at: number, key: string): Control | undefined {
  if (key === "ArrowLeft" || key === "ArrowRight") return all[at + (key === "ArrowLeft" ? -1 : 1)];
  if (key === "Home" || key === "End") return all.at(key === "Home" ? 0 : -1);
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const column = columnOf(all[at]);
  const others = key === "ArrowUp" ? all.slice(0, at).toReversed() : all.slice(at + 1);
  return column === null ? undefined : others.find((each) => columnOf(each) === column);
}

const columnOf = (control: Control | undefined): number | null => control?.closest("td")?.cellIndex ?? null;
