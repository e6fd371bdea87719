import Database from "better-sqlite3";
import type { Connection } from "./connection.ts";

/** A connection that `using` closes. */
export class Sqlite extends Database {
  [Symbol.dispose](): void {
    this.close();
  }
}

/** The database behind a connection, to prepare statements on. Nothing outside this folder may import it. */
export function sqlite(db: Connection): Sqlite {
  if (db instanceof Sqlite) return db;
  throw new TypeError("this connection is none that openDatabase gave");
}
