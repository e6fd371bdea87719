import type { Connection } from "./connection.ts";
import { type Sqlite, sqlite } from "./sqlite.ts";

/**
 * Rows in one commit. Many: rows that come in the order of one index are at random in another, and each commit writes
 * every page that it has touched.
 */
const mostRows = 50_000;
/** Another process waits for its turn no longer than about this. */
const longestMs = 1_000;

/**
 * Writes many rows in few transactions, also while they are still being read; nothing else may write meanwhile.
 * Whoever uses it knows that the rows that its own refer to are there: to look up each would take a quarter of the time.
 */
export class LongWrite {
  readonly #db: Sqlite;
  readonly #most: number;
  #rows = 0;
  #timer: NodeJS.Timeout | null = null;
  #failure: unknown = null;

  constructor(db: Connection, most = mostRows) {
    this.#db = sqlite(db);
    this.#most = most;
  }

  /** Call before rows are written. */
  begin(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#db.inTransaction) return;
    this.#db.pragma("foreign_keys = OFF");
    this.#db.exec("BEGIN IMMEDIATE");
    // The maker of the rows may be slow.
    this.#timer = setTimeout(() => this.#endLate(), longestMs);
  }

  /** Call after rows were written. */
  wrote(rows: number): void {
    this.#rows += rows;
    if (this.#rows >= this.#most) this.end();
  }

  /** Commits what was written. */
  end(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#db.inTransaction) this.#db.exec("COMMIT");
    this.#rest();
  }

  /** Takes back what was written since the last commit; nothing after `end`. */
  undo(): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#rest();
  }

  #endLate(): void {
    try {
      this.end();
    } catch (error) {
      this.#failure = error;
    }
  }

  #rest(): void {
    this.#rows = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#db.pragma("foreign_keys = ON");
  }
}
