import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../errors.ts";
import { isSupportedNode, oldestNode } from "../lib/node-support.ts";
import { driverFailure } from "./driver-failure.ts";
import { readablePath, removeCopy } from "./read-only-folder.ts";
import { hasSchema, makeSchema } from "./schema.ts";
import { needsRoom, obstacleOf, storeFailure } from "./store-failure.ts";
import type { Connection } from "./connection.ts";
import { Sqlite } from "./sqlite.ts";

/** The one database of a results folder. */
export const databasePath = (out: string): string => join(out, "tandem.db");

export interface OpenOptions {
  /** Throws BATCH_NOT_FOUND where there is no file, instead of creating it. Default false. */
  mustExist?: boolean;
  /** Only reads, and writes nothing: what may not be written is read all the same. Default false. */
  reading?: boolean;
  /**
   * Opens it also where the disk has no room for the files that SQLite needs beside it, by one connection that keeps everybody
   * else waiting: for a short command, in whose process no other connection is opened. Default false.
   */
  evenIfFull?: boolean;
  /** Pages in memory take so much at the most. Default 12,288. */
  cacheKiB?: number;
  /** A write waits so long for another process, and so does to open for reading; else that waits 30,000 at the most. Default 30,000. */
  busyMs?: number;
}

/**
 * Opens a tandem database with full durability (WAL, synchronous FULL), and makes its tables where it has none.
 * The file is created with mode 0600 in a folder with mode 0700 unless `mustExist`.
 * Throws NODE_UNSUPPORTED, DATABASE_INVALID, OTHER_VERSION, OUTPUT_UNWRITABLE, STORE_DRIVER, STORE_FAILED (also
 * for a folder that may not be looked into) or BATCH_NOT_FOUND (no file where one must be).
 */
export function openDatabase(given: string, options: OpenOptions = {}): Connection {
  requireNode();
  const { reading = false } = options;
  if (existsSync(given)) requireFiles(given);
  const path = reading ? readablePath(given) : given;
  if (!existsSync(path)) {
    if (options.mustExist === true || reading) throw missing(path);
    // Without it an empty file would be left.
    loadDriver();
    createPrivateFile(path);
  }
  let db: Sqlite | undefined;
  try {
    db = new Sqlite(path);
    configure(db, options);
    const isMade = hasSchema(db, path);
    if (!isMade && reading) throw new AppError("BATCH_NOT_FOUND", `There is nothing in the database ${path} yet.`);
    if (!isMade) makeSchema(db);
    if (options.busyMs !== undefined) db.pragma(`busy_timeout = ${options.busyMs}`);
    if (reading) db.pragma("query_only = ON");
    return path === given ? db : endingWithCopy(db);
  } catch (error) {
    db?.close();
    if (options.evenIfFull === true && needsRoom(error)) return openAlone(path, options, error);
    throw openFailure(path, error);
  }
}

/**
 * Opens a database without files beside it: its lock is held from now on, and the index of its log lies in memory. One without
 * tables would need room: it is not opened, for the reason for which it was not before.
 */
function openAlone(path: string, options: OpenOptions, reason: unknown): Connection {
  let db: Sqlite | undefined;
  try {
    db = new Sqlite(path);
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("temp_store = MEMORY");
    configure(db, options);
    if (!hasSchema(db, path)) throw reason;
    if (options.reading === true) db.pragma("query_only = ON");
    return db;
  } catch (error) {
    db?.close();
    throw openFailure(path, error);
  }
}

/**
 * Throws DATABASE_INVALID where the database, or a file that SQLite reads beside it, is none: a pipe that a stranger put there
 * would be waited for without end, and a link would be written through.
 */
function requireFiles(path: string): void {
  const beside = ["-wal", "-shm", "-journal"].map((end) => lstatSync(`${path}${end}`, { throwIfNoEntry: false }));
  const own = statSync(path);
  // SQLite itself refuses a folder.
  if ((own.isFile() || own.isDirectory()) && beside.every((found) => found === undefined || found.isFile())) return;
  throw new AppError(
    "DATABASE_INVALID",
    `Cannot open the database ${path}: it, or a file beside it, is no regular file.`,
    {
      hint: "It may be a pipe, a device or a link: look at it with `ls -l`, and do not trust the folder it came in.",
    },
  );
}

/** Tells a database that is not there from one in a folder that this user may not look into. */
function missing(path: string): AppError {
  try {
    statSync(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EACCES") {
      return new AppError("STORE_FAILED", `${path} cannot be read: this user may not look into its folder.`, {
        cause,
        hint: "The folder and the files of a run belong to whoever started it: read them as the same user, or let this one in.",
      });
    }
  }
  return new AppError("BATCH_NOT_FOUND", `There is no database at ${path}.`, {
    hint: "Name the folder of an earlier run with --results, or start one with `tandem run`.",
  });
}

/** SQLite's binary would end the process of a program that uses the library. */
function requireNode(): void {
  const { node } = process.versions;
  if (isSupportedNode(node)) return;
  throw new AppError("NODE_UNSUPPORTED", `tandem needs Node ${oldestNode} or newer and this is ${node}.`, {
    hint: "Install a newer one.",
  });
}

function loadDriver(): void {
  try {
    new Sqlite(":memory:").close();
  } catch (error) {
    throw driverFailure(error);
  }
}

/** Lets the copy of a database go when the connection to it is closed: whoever reads often leaves none behind. */
function endingWithCopy(db: Sqlite): Connection {
  const close = db.close.bind(db);
  db.close = () => {
    close();
    removeCopy(db.name);
    return db;
  };
  return db;
}

const longWaitMs = 30_000;

function configure(db: Sqlite, { cacheKiB = 12_288, reading = false, busyMs = longWaitMs }: OpenOptions): void {
  db.pragma(`busy_timeout = ${reading ? busyMs : longWaitMs}`);
  // Expressions in a schema that strangers made call nothing that acts.
  db.pragma("trusted_schema = OFF");
  if (!reading) {
    if (db.pragma("user_version", { simple: true }) === 0) db.pragma("page_size = 8192");
    db.pragma("journal_mode = WAL");
  }
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma(`cache_size = -${cacheKiB}`);
  db.pragma("temp.cache_size = -2048");
}

function createPrivateFile(path: string): void {
  try {
    const folder = dirname(path);
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    // `results/` of a checkout exists already, with the mode git gave it.
    else if (readdirSync(folder).every((name) => name === ".gitkeep")) chmodSync(folder, 0o700);
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new AppError("OUTPUT_UNWRITABLE", `Cannot create the database ${path}: ${reasonOf(error)}`, {
      hint: "Choose a folder that can be written with --results.",
      cause: error,
    });
  }
}

/** A file that is no database, is damaged or may not be written is told as such; a fault in tandem itself stays what it is. */
function openFailure(path: string, error: unknown): unknown {
  const limit = limitOfFiles(path);
  if (limit !== null) return limit;
  const obstacle = obstacleOf(error);
  const isOther = error instanceof Error && "code" in error && error.code === "SQLITE_NOTADB";
  if (obstacle !== "refused" && !isOther) {
    return storeFailure(path, driverFailure(error), { kept: "Nothing was sent.", next: "try again" });
  }
  return new AppError("DATABASE_INVALID", `Cannot open the database ${path}: ${reasonOf(error)}`, {
    hint: isOther
      ? "If the file is damaged, move it away; its -wal file belongs to it."
      : "Look at who may read and write the file and its folder, or choose another folder with --results.",
    cause: error,
  });
}

/** The system's error where this process may open no more files, which SQLite does not tell apart; null: it may. */
function limitOfFiles(path: string): Error | null {
  const open: number[] = [];
  try {
    // The database, its log and the index of it.
    while (open.length < 3) open.push(openSync(path, "r"));
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error && /^E[MN]FILE$/.test(String(error.code)) ? error : null;
  } finally {
    for (const file of open) closeSync(file);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
