// better-sqlite3's own types are a package of their own, which a program that uses the library would have to install.

/** A statement that SQLite has prepared. */
export interface Statement<Given extends unknown[] = unknown[], Row = unknown> {
  run(...given: Given): { changes: number; lastInsertRowid: number | bigint };
  get(...given: Given): Row | undefined;
  all(...given: Given): Row[];
  iterate(...given: Given): IterableIterator<Row>;
  /** Gives the first column of each row alone. */
  pluck(): this;
  /** Gives each row as a list of its columns. */
  raw(): this;
}

/** Work that is done as a whole or not at all, with the lock that it takes at its beginning. */
export interface Transaction<Given extends unknown[], Result> {
  (...given: Given): Result;
  /** Takes the lock of a writer before it reads. */
  immediate(...given: Given): Result;
}

/** An open database. */
export interface Connection {
  /** The path of its file. */
  readonly name: string;
  readonly inTransaction: boolean;
  /** False once it is closed. */
  readonly open: boolean;
  /** True when it has no file. */
  readonly memory: boolean;
  /** `Given` is a list of parameters, or an object of named ones. */
  prepare<Given extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Given extends unknown[] ? Statement<Given, Row> : Statement<[Given], Row>;
  transaction<Given extends unknown[], Result>(work: (...given: Given) => Result): Transaction<Given, Result>;
  exec(sql: string): this;
  pragma(source: string, options?: { simple?: boolean }): unknown;
  close(): this;
}
