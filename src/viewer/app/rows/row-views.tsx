import { useEffect, useState } from "preact/hooks";
import type { SavedView } from "../../api.ts";
import { copyAddress } from "../data/copy-address.ts";
import { type Address, viewOfRows, withView, writeAddress } from "../data/address.ts";
import type { Actions } from "../data/source.ts";
import { SaveView } from "../parts/views.tsx";
import { Menu } from "./menu.tsx";

/** Views of rows with a name, and the way to save one: filters, query, order and columns. */
export function RowViews(props: { suite: string; actions: Actions | null; address: Address }) {
  const { suite, actions, address } = props;
  const [views, show] = useState<SavedView[]>([]);
  const [said, say] = useState("");
  useEffect(() => void listed(actions).then(show, () => {}), [actions]);
  const save = async (name: string, view: string | null): Promise<void> => {
    try {
      show(actions === null ? savedHere(name, suite, view) : await actions.saveView(name, view));
      say(view === null ? `Removed ${name}` : `Saved as ${name}`);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const own = views.filter((view) => view.suite === suite);
  const others = views.filter((view) => view.suite !== suite);
  const line = ({ name, view, suite: of }: SavedView) => (
    <li key={name}>
      <a href={writeAddress(withView(address, view))}>
        <bdi>{name}</bdi>
      </a>
      {of !== suite && (
        <span class="quiet">
          of <bdi>{of}</bdi>
        </span>
      )}
      <button type="button" class="link" onClick={() => void save(name, null)}>
        Remove <span class="unseen">{name}</span>
      </button>
    </li>
  );
  return (
    <Menu kind="exports saved-views" name={views.length === 0 ? "Saved views" : `Saved views (${views.length})`}>
      {() => (
        <div>
          {views.length > 0 && <ul>{[...own, ...others].map(line)}</ul>}
          <SaveView as="these rows" short="these rows" save={(name) => void save(name, viewOfRows(address))} />
          <button type="button" class="link" onClick={() => void copyAddress().then(say)}>
            Copy a link to this view
          </button>
          <p role="status" class="quiet">
            {said}
          </p>
        </div>
      )}
    </Menu>
  );
}

const place = "tandem-row-views";

/** A file may have no storage: then views are kept for this visit. */
let here: SavedView[] = [];

async function listed(actions: Actions | null): Promise<SavedView[]> {
  if (actions !== null) return actions.savedViews();
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    if (Array.isArray(stored)) here = stored.filter(isView);
  } catch {
    // Those of this visit count.
  }
  return here;
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, suite, view }: { name?: unknown; suite?: unknown; view?: unknown } = value;
  return typeof name === "string" && typeof suite === "string" && typeof view === "string" && view.startsWith("#");
}

function savedHere(name: string, suite: string, view: string | null): SavedView[] {
  here = here.filter((each) => each.name !== name);
  if (view !== null) here = [...here, { name, suite, view }];
  try {
    localStorage.setItem(place, JSON.stringify(here));
  } catch {
    // They are kept for this visit only.
  }
  return here;
}
