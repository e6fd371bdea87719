import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { type CountingRule, meansOf } from "../model/counted-score.ts";
import { changeOrder, greatestFirst } from "../model/row-loss.ts";
import type { Query } from "../query/query-text.ts";
import { filtersApart, queryFrame, type QueryFrame, type RowCondition } from "../query/row-conditions.ts";
import type { ReportSummary } from "../shape/model.ts";
import { filterCounts, hasIndex, type IndexAbout, maskOf, pairsOf, rowsFile, textsFile } from "./index-files.ts";
import { QuerySql, type SaidOfRows } from "./query-sql.ts";

/** A query that was read, and what it needs beside the files. */
export interface AskedRows {
  query: Query<RowCondition>;
  said: SaidOfRows;
  /** Sort keys by place, the greatest first, of an order that the files do not have; null: they have it. */
  keys: Float32Array | null;
  /** The rows that count for the mean of each target; null or left out: no mean is asked for. */
  counting?: readonly CountingRule[] | null;
  /** Says that nobody waits for it any more. */
  signal: AbortSignal | null;
}

/** The rows that a query finds, and how many each filter finds within its other conditions. */
export interface FoundRows {
  places: Uint32Array;
  counts: Record<string, number>;
  /** Mean of each target over them by the primary metric; null where nothing counts, left out where it was not asked for. */
  means?: (number | null)[];
}

/** A request for rows. */
export interface RowQuery {
  pair: number;
  /** In the query language of rows (`rowTerms`). */
  text: string;
  sort: string;
  /** Name of a list that somebody looks at, in which labelled rows stay where they were. */
  list?: string;
}

/** Sort orders of the rows, beside those by the change of a metric; anything else is the order of the dataset. */
export const indexSorts = ["rank", "distance", "score", "slow"] as const;

const savedLists = 3;
/** Rows that are looked at before others get their turn. */
const rowsAtOnce = 4096;

/** The order of a list: what SQL gives of a row, and the key that is made of it, the greatest first. */
interface ListOrder {
  values: string[];
  key: (place: number, first: number, second: number | null) => number;
}

type FoundRow = [place: number, flags: number, first: number, second: number | null, ...scores: (number | null)[]];

/** The index that stands in a folder; null: there is none, or it is damaged and has to be made again. */
export function openIndex(folder: string): RowIndex | null {
  if (!hasIndex(folder)) return null;
  try {
    return new RowIndex(folder);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
}

/** An index that stands: lists and searches read its files, and hold nothing but what was asked for last. */
export class RowIndex {
  readonly counts: Record<string, number>[];
  readonly cases: Uint32Array;
  readonly #folder: string;
  readonly #about: IndexAbout;
  readonly #db: Database.Database;
  readonly #lists = new Map<string, FoundRows>();
  #summary: ReportSummary | null = null;
  #tests: QuerySql["tests"] = [];
  #hasTexts = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#db = new Database(rowsFile(folder), { readonly: true });
    this.#db.function("test", { directOnly: true }, (number: number, value: unknown) =>
      Number(this.#tests[number]?.(value)),
    );
    // We wrote it ourselves.
    this.#about = JSON.parse(this.#db.prepare<[], string>("SELECT json FROM about").pluck().get() ?? "");
    this.counts = this.#about.counts;
    this.cases = Uint32Array.from(this.#db.prepare<[], number>("SELECT case_id FROM row ORDER BY place").pluck().all());
  }

  /** The summary that it is kept with; one that was made for a query alone has none. */
  get summary(): ReportSummary {
    return (this.#summary ??= JSON.parse(this.#db.prepare<[], string>("SELECT json FROM summary").pluck().get() ?? ""));
  }

  /** Names that queries may use. */
  get frame(): QueryFrame {
    return queryFrame(this.summary);
  }

  /** Places (from 0, in the order of the comparison) of the rows that a query finds. Its texts must stand if it asks about any. */
  async list(asked: RowQuery, given: AskedRows): Promise<FoundRows> {
    const name = JSON.stringify([asked, given.said.stamp]);
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const list = await this.#found(asked, given);
    if (list === null) return { places: new Uint32Array(), counts: {} };
    this.#lists.set(name, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > savedLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  /** Null: nobody waits any more. */
  async #found(asked: RowQuery, { query, said, keys, counting = null, signal }: AskedRows): Promise<FoundRows | null> {
    const { filters, rest } = filtersApart(query);
    const sql = new QuerySql(this.#about, Math.min(asked.pair, pairsOf(this.#about.frame) - 1), said);
    const where = sql.finds(rest);
    const order =
      keys === null ? this.#order(asked.sort, sql) : { values: [], key: (place: number) => keys[place] ?? 0 };
    if (sql.readsTexts) this.#attachTexts();
    const scores = (counting ?? []).map((rule, side) => sql.counted(side, rule));
    const columns = ["place", sql.flags, order?.values[0] ?? "0", order?.values[1] ?? "0", ...scores];
    const pages = this.#db
      .prepare<[unknown], FoundRow>(
        `SELECT ${columns.join(", ")} FROM row WHERE place BETWEEN @from AND @to AND ${where}`,
      )
      .raw();
    const mask = filters.reduce((all, filter) => all | maskOf(filter), 0);
    const times = new Map<number, number>();
    const met: FoundRow[] = [];
    for (let from = 0; from < this.cases.length; from += rowsAtOnce) {
      this.#tests = sql.tests;
      for (const row of pages.all({ ...sql.parameters, from, to: from + rowsAtOnce - 1 })) {
        times.set(row[1], (times.get(row[1]) ?? 0) + 1);
        if ((row[1] & mask) === mask) met.push(row);
      }
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted === true) return null;
    }
    const rows = order === null ? met : sorted(met, order);
    const scoresOf = met.map(([, , , , ...own]) => own);
    return {
      places: Uint32Array.from(rows, ([place]) => place),
      counts: filterCounts(times),
      ...(counting !== null && { means: meansOf(scoresOf, counting.length) }),
    };
  }

  /** Null: the order of the dataset. */
  #order(sort: string, sql: QuerySql): ListOrder | null {
    const keys: Record<(typeof indexSorts)[number], string> = {
      rank: sql.rank,
      distance: `ifnull(${sql.figure({ of: "distance" })}, -1)`,
      // Rows without a score come last.
      score: "-score",
      slow: "slow",
    };
    const known = indexSorts.find((each) => each === sort);
    if (known !== undefined) return { values: [keys[known]], key: (_, value) => value };
    const change = changeOrder(sort, this.#about.frame.metrics);
    if (change === null) return null;
    return {
      values: sql.scores(change.metric),
      key: (_, baseline, candidate) => change.key({ baseline, candidate }),
    };
  }

  #attachTexts(): void {
    if (this.#hasTexts) return;
    this.#db.prepare("ATTACH ? AS texts").run(textsFile(this.#folder));
    this.#hasTexts = true;
  }

  close(): void {
    this.#db.close();
  }
}

/** Rows by their keys, the greatest first, equal ones as they stand. */
function sorted(rows: readonly FoundRow[], { key }: ListOrder): FoundRow[] {
  const keys = Float64Array.from(rows, ([place, , first, second]) => key(place, first, second));
  const places = Uint32Array.from(rows.keys()).toSorted(
    (one, other) => greatestFirst(keys[one] ?? 0, keys[other] ?? 0) || one - other,
  );
  return Array.from(places, (at) => rows[at]).filter((row) => row !== undefined);
}
