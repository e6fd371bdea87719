import { options } from "./found.ts";
import { loadedSearch, type Search } from "./section-index.ts";

/** The search of a page. */
interface Place extends Elements {
  place: HTMLElement;
  /** The way to the root of the site. */
  root: string;
  /** Loads the parts of all pages, once. */
  load: () => Promise<Search>;
}

/** Puts the search into its place; the parts of all pages are loaded when somebody goes to it. */
export function beginSearch(): void {
  const place = document.querySelector<HTMLElement>(".search");
  if (place === null) return;
  const { root = "", script = "" } = place.dataset;
  let search: Promise<Search> | undefined;
  const load = (): Promise<Search> => (search ??= loadedSearch(script));
  const here: Place = { place, root, load, ...elementsIn(place) };
  here.input.addEventListener("focus", () => void load());
  here.input.addEventListener("input", () => void show(here));
  here.input.addEventListener("keydown", (event) => followKey(here, event));
  here.list.addEventListener("click", () => close(here));
  place.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) close(here);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    here.input.focus();
  });
}

/** Shows what is found of the words that stand there. */
async function show(here: Place): Promise<void> {
  const { place, input, list, status, root } = here;
  const words = input.value.trim();
  if (words === "") return close(here);
  const search = await here.load();
  // The words may have changed while the parts were loaded.
  if (input.value.trim() !== words) return;
  const found = search(words).slice(0, 12);
  list.replaceChildren(...options(found, words, root));
  status.textContent = found.length === 0 ? "Nothing was found" : `${found.length} parts of pages`;
  place.classList.add("open");
  input.setAttribute("aria-expanded", "true");
  choose(here, 0);
}

function close({ place, input, list, status }: Place): void {
  list.replaceChildren();
  place.classList.remove("open");
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
  status.textContent = "";
}

function followKey(here: Place, event: KeyboardEvent): void {
  const found = [...here.list.querySelectorAll("[role=option]")];
  const at = found.findIndex((each) => each.getAttribute("aria-selected") === "true");
  const keys: Record<string, () => void> = {
    ArrowDown: () => choose(here, (at + 1) % found.length),
    ArrowUp: () => choose(here, (at - 1 + found.length) % found.length),
    Enter: () => found[at]?.querySelector("a")?.click(),
    Escape: () => {
      here.input.value = "";
      close(here);
    },
  };
  const follow = keys[event.key];
  if (follow === undefined) return;
  event.preventDefault();
  follow();
}

function choose({ input, list }: Place, at: number): void {
  for (const [place, each] of list.querySelectorAll("[role=option]").entries()) {
    each.setAttribute("aria-selected", String(place === at));
    if (place !== at) continue;
    input.setAttribute("aria-activedescendant", each.id);
    each.scrollIntoView({ block: "nearest" });
  }
}

interface Elements {
  input: HTMLInputElement;
  list: HTMLElement;
  status: HTMLElement;
}

function elementsIn(place: HTMLElement): Elements {
  const input = document.createElement("input");
  const attributes = {
    type: "search",
    placeholder: "Search  /",
    "aria-label": "Search the pages",
    role: "combobox",
    "aria-controls": "found",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
  const list = document.createElement("div");
  list.id = "found";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Found");
  const status = document.createElement("p");
  status.className = "unseen";
  status.setAttribute("role", "status");
  place.append(input, list, status);
  return { input, list, status };
}
