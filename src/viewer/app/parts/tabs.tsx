import { type View, views } from "../data/address.ts";
import { number } from "../../../report/words/quantity.ts";

const viewNames: Record<View, string> = { rows: "Rows", charts: "Charts", about: "About this batch" };

/** Tabs that choose the part of the batch below the result; the arrow keys lead from one to the next. */
export function Tabs({ view, rows, setView }: { view: View; rows: number; setView: (view: View) => void }) {
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
