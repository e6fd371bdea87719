import type { SavedView } from "../../api.ts";
import { ask, tell } from "./server-calls.ts";

/** The place that views are saved in; each change resolves with all that are saved then. */
export interface ViewStore {
  list: () => Promise<SavedView[]>;
  /** In the place of one that is called the same. */
  save: (view: SavedView) => Promise<SavedView[]>;
  remove: (view: SavedView) => Promise<SavedView[]>;
}

interface Answer {
  views: SavedView[];
}

/** Beside the results, for whoever opens the viewer. */
export const viewsBesideResults: ViewStore = {
  list: async () => (await ask<Answer>("views")).views,
  save: async (view) => (await tell<Answer>("views", view)).views,
  remove: async ({ name, suite, of }) => (await tell<Answer>("views", { name, suite, of }, "DELETE")).views,
};

const place = "tandem-row-views";

/** A file may have no storage: then views are kept for this visit. */
let here: SavedView[] = [];

const others = ({ name, suite, of }: SavedView): SavedView[] =>
  here.filter((each) => each.name !== name || each.suite !== suite || each.of !== of);

/** In this browser: a file has no other place. */
export const viewsInBrowser: ViewStore = {
  list() {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
      if (Array.isArray(stored)) here = stored.filter(isView);
    } catch {
      // Those of this visit count.
    }
    return Promise.resolve(here);
  },
  save: (view) => kept([...others(view), view]),
  remove: (view) => kept(others(view)),
};

function kept(views: SavedView[]): Promise<SavedView[]> {
  here = views;
  try {
    localStorage.setItem(place, JSON.stringify(views));
  } catch {
    // They are kept for this visit only.
  }
  return Promise.resolve(views);
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, suite, view, of }: { name?: unknown; suite?: unknown; view?: unknown; of?: unknown } = value;
  const isPlaced = of === "rows" || of === "home";
  return (
    isPlaced &&
    typeof name === "string" &&
    typeof suite === "string" &&
    typeof view === "string" &&
    view.startsWith("#")
  );
}
