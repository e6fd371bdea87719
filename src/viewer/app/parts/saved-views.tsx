import { useEffect, useState } from "preact/hooks";
import type { SavedView } from "../../api.ts";
import { copyAddress } from "../data/copy-address.ts";
import type { ViewStore } from "../data/saved-views.ts";
import { Menu } from "./menu.tsx";

interface Props {
  store: ViewStore;
  /** The page whose views these are. */
  of: SavedView["of"];
  /** The suite that is looked at; empty: all of them. Views of others stand below. */
  suite: string;
  /** The thing that is saved, as its field says it: `these rows`. */
  what: string;
  /** The view that is shown, as it is saved. */
  current: () => string;
  addressOf: (view: string) => string;
}

/** Views with a name, and the way to save the one that is shown. */
export function SavedViewsMenu({ store, of, suite, what, current, addressOf }: Props) {
  const [views, show] = useState<SavedView[]>([]);
  const [said, say] = useState("");
  useEffect(() => void store.list().then(show, () => {}), [store]);
  const change = async (next: Promise<SavedView[]>, done: string): Promise<void> => {
    try {
      show(await next);
      say(done);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const shown = views.filter((view) => view.of === of);
  const ordered = [...shown.filter((view) => view.suite === suite), ...shown.filter((view) => view.suite !== suite)];
  return (
    <Menu kind="exports saved-views" name={shown.length === 0 ? "Saved views" : `Saved views (${shown.length})`}>
      {() => (
        <div>
          {ordered.length > 0 && (
            <ul>
              {ordered.map((view) => (
                <li key={`${view.suite} ${view.name}`}>
                  <a href={addressOf(view.view)}>
                    <bdi>{view.name}</bdi>
                  </a>
                  {view.suite !== suite && (
                    <span class="quiet">
                      of <bdi>{view.suite}</bdi>
                    </span>
                  )}
                  <button
                    type="button"
                    class="link"
                    onClick={() => void change(store.remove(view), `Removed ${view.name}`)}
                  >
                    Remove <span class="unseen">{view.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <SaveView
            what={what}
            save={(name) => void change(store.save({ name, suite, of, view: current() }), `Saved as ${name}`)}
          />
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

/** A field for the name under which something is kept. An empty name is not passed on. */
function SaveView({ what, save }: { what: string; save: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <form
      class="pin"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save(name.trim());
        setName("");
      }}
    >
      <label>
        <span class="unseen">Save {what} as</span>
        <input
          placeholder={`Save ${what} as ...`}
          value={name}
          maxLength={100}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="plain">
        Save
      </button>
    </form>
  );
}
