import type { Statement } from "better-sqlite3";
import type { AppError } from "../errors.ts";
import type { Connection } from "./database.ts";
import { storeFailure } from "./store-failure.ts";

/** Writes of one commit at the most, so that the event loop is never held for long. */
const largestGroup = 256;

interface Pending {
  write: () => void;
  resolve: () => void;
  reject: (error: AppError) => void;
}

/**
 * Commits together what two turns of the event loop bring; never waits for more. Two, because the answers to what the
 * last commit released are here by the second: with one turn there would be nearly twice as many commits.
 * A promise resolves when its write is on disk. After the first failed commit every write is refused with STORE_FAILED.
 */
export class GroupCommit {
  readonly #db: Connection;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #pending: Pending[] = [];
  #scheduled = false;
  #failure: AppError | null = null;

  constructor(db: Connection) {
    this.#db = db;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
  }

  add(write: () => void): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#pending.push({ write, resolve, reject });
      this.#schedule();
    });
  }

  /** Commits what is pending now, without waiting for the turn to end. */
  flush(): void {
    while (this.#pending.length > 0) this.#commitGroup();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      if (this.#pending.length >= largestGroup) this.#commitScheduled();
      else setImmediate(() => this.#commitScheduled());
    });
  }

  #commitScheduled(): void {
    this.#scheduled = false;
    this.#commitGroup();
    if (this.#pending.length > 0) this.#schedule();
  }

  #commitGroup(): void {
    const group = this.#pending.splice(0, largestGroup);
    if (group.length === 0) return;
    try {
      this.#begin.run();
      for (const pending of group) pending.write();
      this.#commit.run();
    } catch (error) {
      this.#fail(error, group);
      return;
    }
    for (const pending of group) pending.resolve();
  }

  #fail(error: unknown, group: Pending[]): void {
    if (this.#db.open && this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#failure = storeFailure(this.#db, error);
    for (const pending of [...group, ...this.#pending.splice(0)]) pending.reject(this.#failure);
  }
}
