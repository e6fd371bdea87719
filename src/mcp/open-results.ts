import { type BigIntStats, statSync } from "node:fs";
import type { Connection } from "../store/connection.ts";
import { databasePath, openDatabase } from "../store/database.ts";
import { Comparisons } from "../viewer/server/open-comparisons.ts";
import { openIndexFolder, type IndexFolder } from "../app/report/index-folder.ts";

/** A results folder that is open for reading. */
export interface ResultsReader {
  /** The folder as it was named. */
  out: string;
  db: Connection;
  comparisons: Comparisons;
}

/** Longest wait for another process that keeps readers out: an agent may ask again. */
const busyMs = 3000;

/**
 * Opens the database of a results folder when it is asked for, and anew when another file has taken its place: it may be
 * started before the first run.
 */
export class OpenResults {
  readonly #out: string;
  #open: (ResultsReader & { stamp: string; folder: IndexFolder }) | null = null;

  constructor(out: string) {
    this.#out = out;
  }

  /** Throws BATCH_NOT_FOUND without a database, OTHER_VERSION, DATABASE_INVALID, STORE_FAILED. */
  reader(): ResultsReader {
    const path = databasePath(this.#out);
    if (this.#open !== null && this.#open.stamp !== stampOf(path, this.#open.db.name)) this.close();
    if (this.#open !== null) return this.#open;
    const db = openDatabase(path, { reading: true, busyMs });
    const folder = openIndexFolder(db.name);
    const comparisons = new Comparisons(db, folder);
    this.#open = { out: this.#out, db, comparisons, folder, stamp: stampOf(path, db.name) };
    return this.#open;
  }

  close(): void {
    this.#open?.comparisons.close();
    this.#open?.db.close();
    this.#open?.folder.close();
    this.#open = null;
  }
}

/** Differs where the file is another one; of a database that is read from a copy also where it was written. */
function stampOf(path: string, opened: string): string {
  const of = (stat: BigIntStats | undefined): string =>
    path === opened ? String(stat?.ino) : `${stat?.ino} ${stat?.mtimeNs} ${stat?.size}`;
  const stats = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return (path === opened ? stats.slice(0, 1) : stats).map(of).join(" ");
}
