import type { Statement } from "better-sqlite3";
import type { Connection } from "../connection.ts";
import { type Sqlite, sqlite } from "../sqlite.ts";
import { storeFailure, toResume } from "../store-failure.ts";

/** Entries of one commit at the most, so that the event loop is never held for long. */
const largestGroup = 256;

/** Why nothing can be entered any more. */
interface Failure {
  error: unknown;
}

/** Entries that are committed together, and the one promise that all who wait for them share. */
interface Group<Entry> {
  entries: Entry[];
  done: Promise<true>;
  end: (failure: Failure | null) => void;
}

/**
 * Commits together what two turns of the event loop bring; never waits for more. Two, because the answers to what the
 * last commit released are here by the second: with one turn there would be nearly twice as many commits.
 * A promise resolves when its entry is on disk. After the first failed commit every entry is refused for the same reason.
 */
export class GroupCommit<Entry> {
  readonly #db: Sqlite;
  readonly #write: (entries: readonly Entry[]) => void;
  readonly #begin: Statement;
  readonly #commit: Statement;
  /** The last one is open for more, unless it is full. */
  readonly #groups: Group<Entry>[] = [];
  #scheduled = false;
  #failure: Failure | null = null;

  /** `write` is called inside the transaction of a group, once. */
  constructor(db: Connection, write: (entries: readonly Entry[]) => void) {
    this.#db = sqlite(db);
    this.#write = write;
    this.#begin = this.#db.prepare("BEGIN IMMEDIATE");
    this.#commit = this.#db.prepare("COMMIT");
  }

  add(entry: Entry): Promise<true> {
    if (this.#failure !== null) return Promise.reject(this.#failure.error);
    let group = this.#groups.at(-1);
    if (group === undefined || group.entries.length >= largestGroup) {
      group = newGroup();
      this.#groups.push(group);
    }
    group.entries.push(entry);
    this.#schedule();
    return group.done;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      if (this.#groups.length > 1) this.#commitScheduled();
      else setImmediate(() => this.#commitScheduled());
    });
  }

  #commitScheduled(): void {
    this.#scheduled = false;
    const group = this.#groups.shift();
    if (group !== undefined) this.#commitGroup(group);
    if (this.#groups.length > 0) this.#schedule();
  }

  #commitGroup(group: Group<Entry>): void {
    try {
      this.#begin.run();
      this.#write(group.entries);
      this.#commit.run();
    } catch (error) {
      this.#fail(error, group);
      return;
    }
    group.end(null);
  }

  #fail(error: unknown, failed: Group<Entry>): void {
    if (this.#db.open && this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#failure = { error: storeFailure(this.#db.name, error, toResume(this.#db.name)) };
    for (const group of [failed, ...this.#groups.splice(0)]) group.end(this.#failure);
  }
}

function newGroup<Entry>(): Group<Entry> {
  let keep: ((isEntered: true) => void) | undefined;
  let refuse: ((error: unknown) => void) | undefined;
  const done = new Promise<true>((resolve, reject) => {
    keep = resolve;
    refuse = reject;
  });
  return { entries: [], done, end: (failure) => (failure === null ? keep?.(true) : refuse?.(failure.error)) };
}
