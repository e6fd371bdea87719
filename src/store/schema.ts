import { readFileSync, readdirSync } from "node:fs";
import { AppError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { Sqlite, sqlite } from "./sqlite.ts";

const folder = new URL("./migrations/", import.meta.url);

let texts: readonly string[] | null = null;

/** The numbered migrations, in their order. */
function migrations(): readonly string[] {
  texts ??= readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
  return texts;
}

export const latestVersion = (): number => migrations().length;

/**
 * The version of a database's schema; 0: nothing is in it yet. Throws DATABASE_NEWER, and DATABASE_INVALID where its tables
 * are not exactly those that tandem makes: behind the name of one, a stranger may have put anything.
 */
export function schemaVersion(db: Sqlite, path: string): number {
  // Version and tables of one moment: another process may be migrating.
  return db.transaction(() => checkedVersion(db, path)).deferred();
}

/** The version that a database which is open says of itself by now: another process may have changed it. */
export function storedVersion(db: Connection): number {
  return writtenVersion(sqlite(db));
}

const writtenVersion = (db: Sqlite): number => Number(db.pragma("user_version", { simple: true }));

function checkedVersion(db: Sqlite, path: string): number {
  const found = writtenVersion(db);
  const latest = latestVersion();
  if (found > latest) {
    throw new AppError("DATABASE_NEWER", `${path} has schema version ${found}; this tandem knows up to ${latest}.`, {
      hint: "Use the newer tandem that wrote it, or another --results folder.",
    });
  }
  const tables = tablesOf(db);
  // Without a look at its tables, those of another program would be faults of our own statements.
  if (found <= 0 ? tables.size > 0 : !tables.has("batch")) {
    throw new AppError("DATABASE_INVALID", `${path} is an SQLite database, but not one of tandem's.`, {
      hint: "Choose another folder with --results.",
    });
  }
  if (found > 0) {
    checkTables(db, path, found);
    for (const table of fewRows) if (tables.has(table)) checkTypes(db, path, table);
  }
  return Math.max(0, found);
}

function tablesOf(db: Sqlite): Map<string, string> {
  const rows = db.prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')");
  return new Map(rows.raw().all());
}

/** A table, index or view, with the statement that makes it. */
interface Part {
  type: "table" | "index" | "view";
  name: string;
  sql: string;
}

/** Made once: a command opens its database several times. */
const knownParts = new Map<number, readonly Part[]>();

/** The schema that the migrations up to a version leave behind, in an order in which it can be made. */
function partsOfVersion(version: number): readonly Part[] {
  const known = knownParts.get(version);
  if (known !== undefined) return known;
  using db = new Sqlite(":memory:");
  for (const text of migrations().slice(0, version)) db.exec(text);
  // Indexes that SQLite makes for itself have no statement.
  const made = db
    .prepare<[], Part>("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    .all();
  knownParts.set(version, made);
  return made;
}

/** The tables of a version, by name, with the statement that makes each. */
function tablesOfVersion(version: number): Map<string, string> {
  const tables = partsOfVersion(version).filter(({ type }) => type === "table");
  return new Map(tables.map(({ name, sql }) => [name, sql]));
}

/** Views and tables of others may stand beside ours; nothing may take the place of one, or act when one is written. */
function checkTables(db: Sqlite, path: string, version: number): void {
  const expected = tablesOfVersion(version);
  const found = tablesOf(db);
  const other = [...expected].find(([name, sql]) => found.get(name) !== sql)?.[0];
  const trigger = db
    .prepare<[], [string, string]>("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger'")
    .raw()
    .all()
    .find(([, table]) => [...expected.keys()].some((name) => name.toLowerCase() === table.toLowerCase()));
  if (other === undefined && trigger === undefined) return;
  const what = other === undefined ? "there is a trigger on one of its tables" : `its table ${other} is another`;
  throw changedBySomebody(path, what);
}

/** Tables that are small, and read everywhere. The rows of the others are checked where they are read. */
const fewRows = [
  "batch",
  "target",
  "scoring",
  "comparison",
  "pin",
  "change",
  "label",
  "repeated_label",
  "pairwise_label",
  "pace",
  "outage",
  "acknowledgement",
  "second_look",
  "night_lock",
];

/** Types of SQLite's that the values of a column may have, by the type that it is declared with. */
const typesOf: Record<string, string> = { TEXT: "'text'", INTEGER: "'integer'", REAL: "'real', 'integer'" };

/** A table can be made to hold values of other types than it says. */
function checkTypes(db: Sqlite, path: string, table: string): void {
  const faults = db
    .prepare<[string], { name: string; type: string; notnull: number; pk: number }>(
      'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
    )
    .all(table)
    .map(({ name, type, notnull, pk }) => {
      const types = `${typesOf[type]}${notnull + pk > 0 ? "" : ", 'null'"}`;
      return `typeof("${name}") NOT IN (${types})`;
    });
  if (db.prepare(`SELECT 1 FROM "${table}" WHERE ${faults.join(" OR ")} LIMIT 1`).get() === undefined) return;
  throw changedBySomebody(path, `its table ${table} holds values of other types`);
}

const changedBySomebody = (path: string, what: string): AppError =>
  new AppError("DATABASE_INVALID", `${path} is not as tandem makes a database: ${what}.`, {
    hint: "Somebody has changed it. Take the file as tandem left it, or choose another folder with --results.",
  });

/** Applies each migration that the database has not seen, all or nothing. */
export function migrate(db: Sqlite): void {
  db.transaction(() => {
    // Another process may have migrated between our look and this lock.
    const current = writtenVersion(db);
    // In an empty one there are no rows to bring along: it is given at once what all migrations would leave.
    const steps =
      current > 0 ? migrations().slice(current) : partsOfVersion(latestVersion()).map(({ sql }) => `${sql};`);
    db.exec(steps.join("\n"));
    db.pragma(`user_version = ${latestVersion()}`);
  }).immediate();
}
