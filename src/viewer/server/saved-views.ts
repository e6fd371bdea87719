import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { knownPath } from "../../store/read-only-folder.ts";
import type { SavedView } from "../api.ts";

const mostViews = 200;
const name = z.string().trim().min(1).max(100);
const view = z.strictObject({
  name,
  of: z.enum(["rows", "home"]),
  suite: z.string().max(500),
  view: z
    .string()
    .max(4000)
    .refine((text) => text.startsWith("#"), "an address of the page"),
});

export const newView = view;
export const oldView = view.omit({ view: true });

const kept = z.array(view).max(mostViews);

/** Views that people saved, in a file beside the database. One that is none of ours counts as empty, and is written anew. */
export class SavedViews {
  readonly #path: string;

  constructor(database: string) {
    this.#path = join(dirname(knownPath(database)), "saved-views.json");
  }

  list(): SavedView[] {
    try {
      const read = kept.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return read.success ? read.data : [];
    } catch {
      return [];
    }
  }

  /** Throws USAGE beyond the most that are kept. */
  save(given: SavedView): SavedView[] {
    const others = this.#others(given);
    if (others.length >= mostViews) {
      throw new AppError("USAGE", `${mostViews} views are saved, which is the most.`, { hint: "Remove one first." });
    }
    return this.#write([...others, given]);
  }

  remove(unwanted: Omit<SavedView, "view">): SavedView[] {
    return this.#write(this.#others(unwanted));
  }

  #others({ name: own, suite, of }: Omit<SavedView, "view">): SavedView[] {
    return this.list().filter((each) => each.name !== own || each.suite !== suite || each.of !== of);
  }

  #write(views: SavedView[]): SavedView[] {
    const part = `${this.#path}.part-${process.pid}`;
    try {
      writeFileSync(part, `${JSON.stringify(views, null, 1)}\n`, { mode: 0o600 });
      renameSync(part, this.#path);
      return views;
    } catch (cause) {
      rmSync(part, { force: true });
      throw new AppError("STORE_FAILED", `The view could not be kept in ${this.#path}.`, {
        hint: "The folder of the results must be writable. A link to the view works all the same.",
        cause,
      });
    }
  }
}
