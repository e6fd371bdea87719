import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { AppError } from "../errors.ts";
import { isSupportedNode, oldestNode } from "../lib/node-support.ts";
import { driverFailure } from "./driver-failure.ts";
import { readablePath } from "./read-only-folder.ts";
import { obstacleOf, storeFailure } from "./store-failure.ts";
import type { Connection } from "./connection.ts";
import type { Sqlite } from "./sqlite.ts";

/** The one database of a results folder. */
export const databasePath = (out: string): string => join(out, "tandem.db");

const migrationsFolder = new URL("./migrations/", import.meta.url);

export interface OpenOptions {
  /** Throws BATCH_NOT_FOUND where there is no file, instead of creating it. Default false. */
  mustExist?: boolean;
  /** Only reads: what may not be written is read all the same, and nothing is written. Default false. */
  reading?: boolean;
  /** Pages in memory take so much at the most. Default 12,288. */
  cacheKiB?: number;
  /** A write waits so long for another process; to open waits 30,000 at the most. Default 30,000. */
  busyMs?: number;
}

/**
 * Opens a tandem database with full durability (WAL, synchronous FULL) and brings its schema up to date.
 * The file is created with mode 0600 in a folder with mode 0700 unless `mustExist`.
 * Throws NODE_UNSUPPORTED, DATABASE_INVALID, DATABASE_NEWER, OUTPUT_UNWRITABLE, STORE_DRIVER, STORE_FAILED or
 * BATCH_NOT_FOUND (no file where one must be).
 */
export function openDatabase(given: string, options: OpenOptions = {}): Connection {
  requireNode();
  const { reading = false } = options;
  const path = reading ? readablePath(given) : given;
  if (!existsSync(path)) {
    if (options.mustExist === true || reading) {
      throw new AppError("BATCH_NOT_FOUND", `There is no database at ${path}.`, {
        hint: "Name the folder of an earlier run with --results, or start one with `tandem run`.",
      });
    }
    // Without it an empty file would be left.
    loadDriver();
    createPrivateFile(path);
  }
  let db: Sqlite | undefined;
  try {
    db = new Database(path);
    configure(db, options);
    migrate(db, path);
    if (options.busyMs !== undefined) db.pragma(`busy_timeout = ${options.busyMs}`);
    if (reading) db.pragma("query_only = ON");
    return db;
  } catch (error) {
    db?.close();
    throw openFailure(path, error);
  }
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
    new Database(":memory:").close();
  } catch (error) {
    throw driverFailure(error);
  }
}

function configure(db: Sqlite, { cacheKiB = 12_288 }: OpenOptions): void {
  db.pragma("busy_timeout = 30000");
  if (db.pragma("user_version", { simple: true }) === 0) db.pragma("page_size = 8192");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma(`cache_size = -${cacheKiB}`);
  db.pragma("temp.cache_size = -2048");
}

/** Applies each numbered migration that the database has not seen, all or nothing. */
function migrate(db: Sqlite, path: string): void {
  const migrations = readdirSync(migrationsFolder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const latest = migrations.length;
  const found = Number(db.pragma("user_version", { simple: true }));
  if (found > latest) {
    throw new AppError("DATABASE_NEWER", `${path} has schema version ${found}; this tandem knows up to ${latest}.`, {
      hint: "Use the newer tandem that wrote it, or another --results folder.",
    });
  }
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  // Without a look at its tables, those of another program would be faults of our own statements.
  if (found === 0 ? tables.length > 0 : !tables.includes("batch")) {
    throw new AppError("DATABASE_INVALID", `${path} is an SQLite database, but not one of tandem's.`, {
      hint: "Choose another folder with --results.",
    });
  }
  if (found === latest) return;
  db.transaction(() => {
    // Another process may have migrated between our look and this lock.
    const current = Number(db.pragma("user_version", { simple: true }));
    for (const [index, name] of migrations.entries()) {
      if (index >= current) db.exec(readFileSync(new URL(name, migrationsFolder), "utf8"));
    }
    db.pragma(`user_version = ${latest}`);
  }).immediate();
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
