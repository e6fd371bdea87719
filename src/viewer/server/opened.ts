import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { comparisonStream } from "../../compare/comparison.ts";
import { version } from "../../lib/version.ts";
import type { Contest } from "../../pipeline/lineup.ts";
import { originsOf } from "../../pipeline/write-report.ts";
import { pastBatches } from "../../pipeline/past-batches.ts";
import type { ReportSummary } from "../../report/model.ts";
import { reportRow } from "../../report/model-row.ts";
import { reportSummary } from "../../report/model-summary.ts";
import { modelTally } from "../../report/model-tally.ts";
import { folded, headOf, type RowHead, searchText } from "../../report/row-head.ts";
import type { Connection } from "../../store/database.ts";
import { pairedResults } from "../../store/paired-results.ts";
import type { RowPage } from "../api.ts";
import { RowOrder } from "./row-order.ts";
import { WordsFile } from "./words-file.ts";

/** Which rows are asked for. */
export interface RowQuery {
  pair: number;
  show: string;
  sort: string;
  tag: { name: string; value: string } | null;
  text: string;
}

/** Rows that are made ready before others get their turn. */
const turn = 200;
const keptLists = 8;

/**
 * A comparison made ready for paging: every case is compared once, its line of a list goes to a database of its own,
 * its texts to a file that searches read, and a few numbers of it stay in memory.
 */
export class OpenedComparison {
  readonly id: string;
  readonly contest: Contest;
  summary: ReportSummary | null = null;
  counts: Record<string, number>[] = [];
  done = 0;
  readonly of: number;
  readonly #db: Connection;
  readonly #path: string;
  readonly #lines: Connection;
  readonly #words: WordsFile;
  readonly #order: RowOrder;
  readonly #lists = new Map<string, Uint32Array>();
  failure: Error | null = null;
  #started = false;
  #closed = false;

  constructor(db: Connection, given: { id: string; contest: Contest; folder: string; cases: number }) {
    const { id, contest, folder, cases } = given;
    this.id = id;
    this.contest = contest;
    this.of = cases;
    this.#db = db;
    this.#path = join(folder, `${id}.db`);
    this.#lines = new Database(this.#path);
    // It is gone with the viewer: nothing has to be safe.
    this.#lines.pragma("journal_mode = OFF");
    this.#lines.pragma("synchronous = OFF");
    this.#lines.exec(`CREATE TABLE line (place INTEGER PRIMARY KEY, key TEXT NOT NULL, head TEXT NOT NULL);
      CREATE TABLE tagged (name TEXT NOT NULL, value TEXT NOT NULL, place INTEGER NOT NULL)`);
    this.#words = new WordsFile(join(folder, `${id}.words`));
    this.#order = new RowOrder(contest.settings.pairs.length, cases);
  }

  /** Begins to make it ready, once; `summary` is there when it is, or `failure`. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#prepare().catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** Reads and compares everything. */
  async #prepare(): Promise<void> {
    const { batches, settings, batch } = this.contest;
    const stream = comparisonStream(settings);
    const tally = modelTally(settings, settings.clustered);
    const insert = this.#lines.prepare("INSERT INTO line VALUES (?, ?, ?)");
    const tag = this.#lines.prepare("INSERT INTO tagged VALUES (?, ?, ?)");
    this.#lines.exec("BEGIN");
    for (const result of pairedResults(this.#db, batches)) {
      const compared = stream.add(result);
      tally.add(result, compared);
      const row = reportRow(result, compared, settings, this.done + 1);
      const head = headOf(row);
      insert.run(this.done, row.key, JSON.stringify(head));
      for (const [name, value] of Object.entries(row.tags)) tag.run(name, value, this.done);
      this.#words.add(searchText(row));
      this.#order.add(head);
      this.done += 1;
      if (this.done % turn !== 0) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#closed) return;
    }
    this.#lines.exec(
      "COMMIT; CREATE INDEX line_by_key ON line (key); CREATE INDEX tagged_by_value ON tagged (name, value, place)",
    );
    this.#words.flush();
    const { name, suiteName, state, reason, createdAt, finishedAt } = batch;
    const durationMs = finishedAt === null ? null : finishedAt - createdAt;
    this.counts =
      settings.pairs.length === 0 ? [this.#order.counts(0)] : settings.pairs.map((_, pair) => this.#order.counts(pair));
    this.summary = reportSummary({
      version,
      batch: { name, suite: suiteName, state, reason, startedAt: createdAt, durationMs },
      comparison: stream.summary(),
      lineup: settings,
      tally,
      origins: originsOf(this.#db, this.contest),
      past: pastBatches(this.#db, batch),
    });
  }

  async page(query: RowQuery, offset: number, limit: number): Promise<RowPage> {
    const list = await this.places(query);
    const places = Array.from(list.subarray(offset, offset + limit));
    const read = this.#lines.prepare<[number], string>("SELECT head FROM line WHERE place = ?").pluck();
    const heads = places.flatMap((place) => {
      const text = read.get(place);
      if (text === undefined) return [];
      // We wrote it ourselves.
      const head: RowHead = JSON.parse(text);
      return [head];
    });
    return { matched: list.length, heads };
  }

  /** The number of a row in the order of the comparison, from 1. */
  numberOf(key: string): number {
    return (this.#lines.prepare<[string], number>("SELECT place FROM line WHERE key = ?").pluck().get(key) ?? 0) + 1;
  }

  /** Where a row stands among those that a query finds; null when it is not one of them. */
  async indexOf(query: RowQuery, key: string): Promise<number | null> {
    const place = this.#lines.prepare<[string], number>("SELECT place FROM line WHERE key = ?").pluck().get(key);
    if (place === undefined) return null;
    const index = (await this.places(query)).indexOf(place);
    return index === -1 ? null : index;
  }

  /** Places (from 0, in the order of the comparison) of the rows that a query finds. */
  async places(query: RowQuery): Promise<Uint32Array> {
    const name = JSON.stringify(query);
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const { pair, show, sort, tag, text } = query;
    const terms = folded(text).split(/\s+/u).filter(Boolean);
    const words = terms.length === 0 ? null : await this.#words.find(terms);
    const tagged = tag === null ? null : this.#tagged(tag);
    const keep =
      words === null && tagged === null
        ? null
        : (place: number): boolean =>
            (words === null || words[place] === 1) && (tagged === null || tagged[place] === 1);
    const list = this.#order.list({ pair, show, sort, keep });
    this.#lists.set(name, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > keptLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  #tagged({ name, value }: { name: string; value: string }): Uint8Array {
    const marks = new Uint8Array(this.#order.length);
    const places = this.#lines
      .prepare<[string, string], number>("SELECT place FROM tagged WHERE name = ? AND value = ?")
      .pluck()
      .all(name, value);
    for (const place of places) marks[place] = 1;
    return marks;
  }

  close(): void {
    this.#closed = true;
    this.#lines.close();
    this.#words.close();
    rmSync(this.#path, { force: true });
  }
}
