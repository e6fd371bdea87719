import type { ComponentChildren } from "preact";

interface Props {
  /** The name of the search for who cannot see the field, and the words in the empty field. */
  search: { label: string; placeholder: string };
  order: { words: string; label: string };
  /** The order that is chosen, and what is searched for. */
  chosen: { text: string; order: string };
  set: (change: { text?: string; order?: string }) => void;
  /** The orders to choose from. */
  children: ComponentChildren;
}

/** A field for words, and the order of what is found. */
export function SearchAndOrder({ search, order, chosen, set, children }: Props) {
  return (
    <div class="find">
      <label class="search">
        <span class="unseen">{search.label}</span>
        <input
          type="search"
          placeholder={search.placeholder}
          value={chosen.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
      </label>
      <label class="order">
        <span class="quiet">{order.words}</span>{" "}
        <select
          aria-label={order.label}
          value={chosen.order}
          onChange={(event) => set({ order: event.currentTarget.value })}
        >
          {children}
        </select>
      </label>
    </div>
  );
}
