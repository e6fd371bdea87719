import type { ReportRow, ReportSummary } from "../../report/model.ts";
import type { RowHead } from "../../report/row-head.ts";
import type { NewLabel, RowAnswer, RowPage } from "../api.ts";
import type { Show } from "./address.ts";
import { ask, tell } from "./api.ts";
import type { Actions, Query, RowList, Source } from "./source.ts";

/** Rows that are fetched at once. */
const pageRows = 100;

const keptLists = 4;

/** The rows of a comparison that the server has ready, fetched page by page as they come in sight. */
export class ApiSource implements Source {
  readonly summary: ReportSummary;
  readonly total: number;
  readonly actions: Actions;
  readonly #id: string;
  readonly #counts: Record<string, number>[];
  readonly #listeners = new Set<() => void>();
  readonly #lists = new Map<string, ApiList>();

  constructor(opened: { id: string; summary: ReportSummary; counts: Record<string, number>[] }) {
    this.#id = opened.id;
    this.summary = opened.summary;
    this.total = opened.summary.cases;
    this.#counts = opened.counts;
    this.actions = {
      labels: async (key) => (await this.#answer(key))?.labels ?? {},
      label: async (given: NewLabel) => {
        await tell("labels", given);
        this.#tell();
      },
      curl: async (jobId) => {
        const response = await fetch(`/api/curl?job=${jobId}`);
        const text = await response.text();
        if (!response.ok) throw new Error("there is no request to show");
        return text;
      },
      exportAddress: (query) => `/api/export.csv?${this.#asked(query).toString()}`,
      pin: async (name) => {
        await tell("pins", { name, batch: this.summary.batch });
      },
    };
  }

  ready(): number {
    return this.total;
  }

  list(query: Query): RowList {
    const name = this.#asked(query).toString();
    const known = this.#lists.get(name) ?? new ApiList(this.#asked(query), () => this.#tell());
    // What was asked for last is kept longest: the rows to look at first and those below are in sight together.
    this.#lists.delete(name);
    this.#lists.set(name, known);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > keptLists && oldest !== undefined) this.#lists.delete(oldest);
    return known;
  }

  async row(key: string): Promise<ReportRow | null> {
    return (await this.#answer(key))?.row ?? null;
  }

  #answer(key: string): Promise<RowAnswer | null> {
    return ask<RowAnswer | null>("row", new URLSearchParams({ id: this.#id, key }));
  }

  #asked({ show, tag, text, sort, candidate }: Query): URLSearchParams {
    const asked = new URLSearchParams({ id: this.#id, show, sort, q: text, pair: String(candidate) });
    if (tag !== null) {
      asked.append("tag", tag.name);
      asked.append("tag", tag.value);
    }
    return asked;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  count(show: Show, candidate: number): number | null {
    return this.#counts[candidate]?.[show] ?? null;
  }
}

/** One list: the pages that were fetched, and those that are asked for. */
class ApiList implements RowList {
  matched: number | null = null;
  readonly #asked: URLSearchParams;
  readonly #arrived: () => void;
  readonly #pages = new Map<number, RowHead[] | null>();
  readonly #places = new Map<string, number>();
  readonly #sought = new Set<string>();

  constructor(asked: URLSearchParams, arrived: () => void) {
    this.#asked = asked;
    this.#arrived = arrived;
    void this.#fetch(0);
  }

  head(index: number): RowHead | null {
    if (index < 0 || (this.matched !== null && index >= this.matched)) return null;
    const page = Math.floor(index / pageRows);
    const known = this.#pages.get(page);
    if (known === undefined) void this.#fetch(page);
    return known?.[index % pageRows] ?? null;
  }

  indexOf(key: string): number | null {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    // A link may lead to a row far down; it is asked for once.
    if (!this.#sought.has(key)) void this.#seek(key);
    return null;
  }

  async #seek(key: string): Promise<void> {
    this.#sought.add(key);
    const asked = new URLSearchParams(this.#asked);
    asked.set("key", key);
    const { index } = await ask<{ index: number | null }>("at", asked);
    if (index === null) return;
    this.#places.set(key, index);
    // Its neighbours, for the next step.
    for (const near of [index, index + 1, Math.max(0, index - 1)]) this.head(near);
  }

  async #fetch(page: number): Promise<void> {
    this.#pages.set(page, null);
    const asked = new URLSearchParams(this.#asked);
    asked.set("offset", String(page * pageRows));
    asked.set("limit", String(pageRows));
    try {
      const { matched, heads } = await ask<RowPage>("rows", asked);
      this.matched = matched;
      this.#pages.set(page, heads);
      for (const [index, head] of heads.entries()) this.#places.set(head.key, page * pageRows + index);
    } catch {
      // Asked again when it comes in sight again.
      this.#pages.delete(page);
    }
    this.#arrived();
  }
}
