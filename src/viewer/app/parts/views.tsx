import { useState } from "preact/hooks";
import { copyAddress } from "../data/copy-address.ts";

const place = "tandem-views";

interface SavedView {
  name: string;
  hash: string;
}

/** A file may have no storage: then views are kept for this visit. */
let views: SavedView[] = [];

function storedViews(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
    if (Array.isArray(stored)) views = stored.filter(isView);
  } catch {
    // Those of this visit count.
  }
  return views;
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "hash" in value &&
    typeof value.name === "string" &&
    typeof value.hash === "string" &&
    value.hash.startsWith("#")
  );
}

function keepViews(next: SavedView[]): void {
  views = next;
  try {
    localStorage.setItem(place, JSON.stringify(next));
  } catch {
    // They are kept for this visit only.
  }
}

/** Views that somebody saved in this browser, and a link to the one that is shown. */
export function Views() {
  const [saved, show] = useState(storedViews);
  const [said, say] = useState("");
  const keep = (next: SavedView[]): void => {
    keepViews(next);
    show(next);
  };
  const save = (name: string): void => {
    keep([...saved.filter((each) => each.name !== name), { name, hash: location.hash === "" ? "#" : location.hash }]);
    say(`Saved as ${name}`);
  };
  return (
    <details class="views">
      <summary>Views{saved.length > 0 && ` (${saved.length})`}</summary>
      <div class="views-list">
        <button type="button" class="plain" onClick={() => void copyAddress().then(say)}>
          Copy a link to this view
        </button>
        <SaveView as="this view" short="view" save={save} />
        <ul>
          {saved.map(({ name, hash }) => (
            <li key={name}>
              <a href={hash}>
                <bdi>{name}</bdi>
              </a>{" "}
              <button type="button" class="link" onClick={() => keep(saved.filter((each) => each.name !== name))}>
                Remove <span class="unseen">{name}</span>
              </button>
            </li>
          ))}
        </ul>
        <p role="status" class="quiet">
          {said}
        </p>
      </div>
    </details>
  );
}

/** A field for the name under which something is kept: `Save this view as`, shorter within the field. An empty name is not passed on. */
export function SaveView({ as, short, save }: { as: string; short: string; save: (name: string) => void }) {
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
        <span class="unseen">Save {as} as</span>
        <input
          placeholder={`Save ${short} as ...`}
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
