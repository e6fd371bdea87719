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

/** Values of a statement, by their places or by their names. */
type Given = readonly unknown[] | object;

/** A row or a value that a query found. */
type Found<Value> = Value | undefined;

/** The rows that a statement gives, which is run once. */
export const selectRows = <Row>(db: Connection, text: string, given: Given = []): Row[] =>
  sqlite(db).prepare<unknown[], Row>(text).all(given);

/** Its first row. */
export const selectRow = <Row>(db: Connection, text: string, given: Given = []): Found<Row> =>
  sqlite(db).prepare<unknown[], Row>(text).get(given);

/** The first column of its rows. */
export const selectValues = <Value>(db: Connection, text: string, given: Given = []): Value[] =>
  sqlite(db).prepare<unknown[], Value>(text).pluck().all(given);

/** The first column of its first row. */
export const selectValue = <Value>(db: Connection, text: string, given: Given = []): Found<Value> =>
  sqlite(db).prepare<unknown[], Value>(text).pluck().get(given);

/** Runs a statement once that writes. */
export const execute = (db: Connection, text: string, given: Given = []): Database.RunResult =>
  sqlite(db).prepare(text).run(given);

/** Does some work in one transaction, all or nothing; it has the right to write from its beginning. */
export const inTransaction = <Result>(db: Connection, work: () => Result): Result =>
  sqlite(db).transaction(work).immediate();
