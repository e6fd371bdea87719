import Database from "better-sqlite3";
import type { Connection } from "./connection.ts";

export type Sqlite = Database.Database;

/** The database behind a connection, to prepare statements on. Nothing outside this folder may import it. */
export function sqlite(db: Connection): Sqlite {
  if (db instanceof Database) return db;
  throw new TypeError("this connection is none that openDatabase gave");
}
