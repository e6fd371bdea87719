import type { ReportRow, ReportRun, ReportSummary } from "../../../report/shape/model.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import type { Beside, LabelKept, NewLabel, OldLabel, RowAnswer, RowPage, CaseNight, PinKept } from "../../api.ts";
import { rowJudgement } from "../../../report/model/row-judgement.ts";
import type { RowFilter } from "../../../report/model/row-filters.ts";
import { ask, NotOpen, tell } from "./server-calls.ts";
import { faultOfQuery, noRows } from "./query.ts";
import type { Actions, JudgedRow, ListQuery, RowList, Source } from "./source.ts";

/** Rows that are fetched at once. */
const pageRows = 100;

const savedLists = 4;
/** Wait before a page that could not be fetched is asked for again. */
const retryMs = 1000;

/** The comparison that was opened, and the way to open it again. */
interface OpenedSource {
  opened: { id: string; summary: ReportSummary; counts: Record<string, number>[]; beside: Beside | null };
  /** Resolves with what it is called now, once it is ready again. */
  reopen: () => Promise<string>;
  /** It is another comparison now, such as after a score was edited: the page begins again. */
  onChange: () => void;
}

/** The rows of a comparison that the server has ready, fetched page by page as they come in sight. */
export class ApiSource implements Source {
  readonly summary: ReportSummary;
  readonly total: number;
  readonly view: number | null;
  readonly actions: Actions;
  readonly #id: string;
  readonly #counts: Record<string, number>[];
  readonly #listeners = new Set<() => void>();
  readonly #lists = new Map<string, ApiList>();
  readonly #given: OpenedSource;
  #opening: Promise<string> | null = null;

  constructor(given: OpenedSource) {
    const { id, summary, counts, beside } = given.opened;
    this.#given = given;
    this.#id = id;
    this.summary = summary;
    this.total = summary.cases;
    this.view = null;
    this.#counts = counts;
    this.actions = {
      beside,
      judged: async (key) => judgedRow(await this.#answer(key)),
      label: async (label: NewLabel) => {
        const kept = await tell<LabelKept>("labels", label);
        this.#labelled();
        return kept;
      },
      takeBack: async (label: OldLabel) => {
        await tell("labels", label, "DELETE");
        this.#labelled();
      },
      nextUnlabelled: async (query, key) => {
        const asked = this.#asked(query);
        asked.set("key", key);
        return (await this.ask<{ key: string | null }>("unlabelled", asked)).key;
      },
      compareAgain: () => given.onChange(),
      exportAddress: (query, form = "comparison") => {
        const asked = this.#asked(query);
        asked.set("id", this.#id);
        asked.set("form", form);
        return `api/export.csv?${asked.toString()}`;
      },
      nights: (key, target) => this.ask<CaseNight[]>("nights", new URLSearchParams({ key, target })),
      answerOfNight: (batch, key, target) =>
        ask<ReportRun | null>("night-answer", new URLSearchParams({ batch, key, target })),
      pageAddress: (query, key) => {
        const asked = this.#asked(query);
        asked.set("id", this.#id);
        if (key !== null) asked.set("key", key);
        return `api/page.html?${asked.toString()}`;
      },
      pin: (name, replace) => tell<PinKept>("pins", { name, batch: this.summary.batch, replace }),
    };
  }

  /** Asks about this comparison; where the server does not have it open any more, after it has opened it again. */
  async ask<Answer>(path: string, query: URLSearchParams, signal: AbortSignal | null = null): Promise<Answer> {
    const asked = new URLSearchParams(query);
    asked.set("id", this.#id);
    try {
      return await ask<Answer>(path, asked, signal);
    } catch (error) {
      if (!(error instanceof NotOpen)) throw error;
      this.#opening ??= this.#given.reopen().finally(() => (this.#opening = null));
      if ((await this.#opening) !== this.#id) this.#given.onChange();
      return ask<Answer>(path, asked, signal);
    }
  }

  ready(): number {
    return this.total;
  }

  list(query: ListQuery): RowList {
    // The page says why, and what would be understood.
    if (faultOfQuery(query.text, this.summary, query.candidate) !== null) return noRows;
    const name = this.#asked(query).toString();
    const known = this.#lists.get(name) ?? this.#newList(query);
    // The list that was asked for last is kept longest: the rows to look at first and those below are in sight
    // together.
    this.#lists.delete(name);
    this.#lists.set(name, known);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > savedLists && oldest !== undefined) {
      this.#lists.get(oldest)?.forget();
      this.#lists.delete(oldest);
    }
    return known;
  }

  /** Searches that were typed past are given up. */
  #newList(query: ListQuery): ApiList {
    for (const [name, list] of this.#lists) {
      if (list.matched !== null || list.text === query.text) continue;
      list.forget();
      this.#lists.delete(name);
    }
    const asked = this.#asked(query);
    if (isByLabels(asked)) asked.set("list", crypto.randomUUID());
    return new ApiList(this, query, asked, () => this.#tell());
  }

  async row(key: string): Promise<ReportRow | null> {
    return (await this.#answer(key))?.row ?? null;
  }

  async earlier({ key }: ReportRow): Promise<ReportRow[]> {
    return (await this.ask<ReportRow[] | null>("earlier", new URLSearchParams({ key }))) ?? [];
  }

  #answer(key: string): Promise<RowAnswer | null> {
    return this.ask<RowAnswer | null>("row", new URLSearchParams({ key }));
  }

  /** Lists by labels are made anew when they are wanted again; in the one in use a row that was just labelled stays in its place. */
  #labelled(): void {
    for (const name of this.#lists.keys()) {
      if (isByLabels(new URLSearchParams(name))) this.#lists.delete(name);
    }
    this.#tell();
  }

  #asked({ text, sort, columns = [], fields = [], candidate }: ListQuery): URLSearchParams {
    const asked = new URLSearchParams({ sort, q: text, pair: String(candidate) });
    for (const column of columns) asked.append("column", column);
    for (const field of fields) asked.append("field", field);
    return asked;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  labels(): boolean {
    return true;
  }

  count(show: RowFilter, candidate: number): number | null {
    return this.#counts[candidate]?.[show] ?? null;
  }
}

/** True for a list in which rows come and go as they are labelled. */
function isByLabels(asked: URLSearchParams): boolean {
  return /\blabelled\b/i.test(asked.get("q") ?? "");
}

function judgedRow(answer: RowAnswer | null): JudgedRow {
  if (answer === null) return { labels: {}, judged: null };
  const { row, labels } = answer;
  return { labels, judged: rowJudgement(row.sides, ({ jobId }) => labels[jobId] ?? []) };
}

/** One list: the pages that were fetched, and those that are asked for. */
class ApiList implements RowList {
  matched: number | null = null;
  counts: Record<string, number> | null = null;
  means: (number | null)[] | null = null;
  failure: string | null = null;
  readonly text: string;
  readonly #source: ApiSource;
  readonly #asked: URLSearchParams;
  readonly #arrived: () => void;
  /** Nobody waits for a list that was typed past. */
  readonly #forgotten = new AbortController();
  readonly #pages = new Map<number, RowHead[] | null>();
  readonly #places = new Map<string, number>();
  readonly #sought = new Set<string>();

  constructor(source: ApiSource, query: ListQuery, asked: URLSearchParams, arrived: () => void) {
    this.#source = source;
    this.text = query.text;
    this.#asked = asked;
    this.#arrived = arrived;
    void this.#fetch(0);
  }

  forget(): void {
    this.#forgotten.abort();
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
    try {
      const { index } = await this.#source.ask<{ index: number | null }>("at", asked, this.#forgotten.signal);
      if (index === null) return;
      this.#places.set(key, index);
      // Its neighbours, for the next step.
      for (const near of [index, index + 1, Math.max(0, index - 1)]) this.head(near);
    } catch {
      // It is asked for again with the next step.
      this.#sought.delete(key);
    }
  }

  async #fetch(page: number): Promise<void> {
    this.#pages.set(page, null);
    const asked = new URLSearchParams(this.#asked);
    asked.set("offset", String(page * pageRows));
    asked.set("limit", String(pageRows));
    try {
      const {
        matched,
        counts,
        means = null,
        heads,
      } = await this.#source.ask<RowPage>("rows", asked, this.#forgotten.signal);
      this.matched = matched;
      this.counts = counts;
      this.means = means;
      this.failure = null;
      this.#pages.set(page, heads);
      for (const [index, head] of heads.entries()) this.#places.set(head.key, page * pageRows + index);
    } catch (error) {
      if (this.#forgotten.signal.aborted) return;
      this.failure = error instanceof Error ? error.message : String(error);
      this.#arrived();
      // It is asked for again when it comes in sight again, but not in a hurry: the viewer may be gone.
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      this.#pages.delete(page);
      // Before the first answer no line is there that could come in sight.
      if (this.matched === null && !this.#forgotten.signal.aborted) void this.#fetch(page);
    }
    this.#arrived();
  }
}
