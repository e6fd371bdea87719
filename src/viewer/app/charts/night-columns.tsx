import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { batchAddress } from "../data/batch-address.ts";

interface Props<Night> {
  nights: readonly Night[];
  /** Middle of a night's column, and the width of each. */
  x: (place: number) => number;
  step: number;
  height: number;
  /** True where a click opens a night. */
  opens: boolean;
  /** The night that can be reached by Tab. */
  shown: string | null;
  show: (batch: string) => void;
  /** A night in words, for those who do not see it. */
  words: (night: Night) => string;
  /** Drawn in the column of a night. */
  sign?: (night: Night, place: number) => ComponentChildren;
}

/** A column for each night of a picture: one of them can be reached by Tab, the others by arrows. */
export function NightColumns<Night extends { batch: string }>(props: Props<Night>) {
  const { nights, x, step, height, opens, shown, show, words, sign } = props;
  const links = useRef(new Map<string, { focus: () => void }>());
  const press = (event: KeyboardEvent, place: number): void => {
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: nights.length - 1 }[event.key];
    const night = to === undefined ? undefined : nights[to];
    if (night === undefined) return;
    event.preventDefault();
    links.current.get(night.batch)?.focus();
  };
  return nights.map((night, place) => (
    <a
      key={night.batch}
      ref={(element) => {
        if (element === null) links.current.delete(night.batch);
        else links.current.set(night.batch, element);
      }}
      {...(opens ? { href: batchAddress(night.batch) } : { role: "img" })}
      class="night-column"
      tabIndex={night.batch === shown ? 0 : -1}
      aria-label={words(night)}
      onFocus={() => show(night.batch)}
      onMouseEnter={() => show(night.batch)}
      onKeyDown={(event) => press(event, place)}
    >
      <rect x={x(place) - step / 2} y="0" width={step} height={height} />
      {sign?.(night, place)}
    </a>
  ));
}
