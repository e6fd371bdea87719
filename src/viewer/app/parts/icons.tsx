import type { ComponentChildren } from "preact";

/** A sign beside words that say the same, in their size and colour; who cannot see it is told nothing twice. */
function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** Two sheets: a text goes to the clipboard. */
export const CopyIcon = () => (
  <Icon>
    <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />
  </Icon>
);

/** A tick: it is there now. */
export const DoneIcon = () => (
  <Icon>
    <path d="M2.5 8.5l3.5 3.5 7.5-8" />
  </Icon>
);

/** An arrow that goes on: a click leads there. */
export const OpenIcon = () => (
  <Icon>
    <path class="turns" d="M3 8h9.5M8.5 4l4 4-4 4" />
  </Icon>
);

/** A tray with an arrow into it: a file is written. */
export const SaveIcon = () => (
  <Icon>
    <path d="M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 10.5v3h11v-3" />
  </Icon>
);

/** An arrow up or down: the rows are sorted so. */
export const SortIcon = ({ isUp }: { isUp: boolean }) => (
  <Icon>
    <path d={isUp ? "M8 13V3M4.5 6.5L8 3l3.5 3.5" : "M8 3v10M4.5 9.5L8 13l3.5-3.5"} />
  </Icon>
);

/** A chevron: something folds out below. */
export const FoldIcon = () => (
  <Icon>
    <path d="M4 6l4 4 4-4" />
  </Icon>
);
