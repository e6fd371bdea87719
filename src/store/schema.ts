import { readFileSync } from "node:fs";
import { AppError } from "../errors.ts";
import { requireVersion } from "../lib/stored-json.ts";
import { storedVersion } from "../lib/stored-version.ts";
import type { Connection } from "./connection.ts";
import { inTransaction, Sqlite, selectRow, selectRows, sqlite } from "./sqlite.ts";

const schemaText = (): string => readFileSync(new URL("./schema.sql", import.meta.url), "utf8");

/**
 * True for a database of tandem's; false: nothing is in it yet. Throws OTHER_VERSION, and DATABASE_INVALID where its tables
 * are not exactly those that tandem makes: behind the name of one, a stranger may have put anything.
 */
export function hasSchema(db: Sqlite, path: string): boolean {
  // Version and tables of one moment: another process may be making them.
  return db.transaction(() => checkedVersion(db, path)).deferred() > 0;
}

/** The version that a database which is open says of itself by now: another process may have changed it. */
export function versionNow(db: Connection): number {
  return writtenVersion(sqlite(db));
}

const writtenVersion = (db: Sqlite): number => Number(db.pragma("user_version", { simple: true }));

function checkedVersion(db: Sqlite, path: string): number {
  const found = writtenVersion(db);
  const tables = tablesOf(db);
  // Without a look at its tables, those of another program would be faults of our own statements.
  if (found <= 0 ? tables.size > 0 : found < storedVersion && !tables.has("batch")) {
    throw new AppError("DATABASE_INVALID", `${path} is an SQLite database, but not one of tandem's.`, {
      hint: "Choose another folder with --results.",
    });
  }
  if (found <= 0) return 0;
  requireVersion(found, path);
  checkTables(db, path);
  for (const table of fewRows) checkTypes(db, path, table);
  return found;
}

function tablesOf(db: Sqlite): Map<string, string> {
  const rows = db.prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')");
  return new Map(rows.raw().all());
}

/** Read once: a command opens its database several times. */
let known: ReadonlyMap<string, string> | null = null;

/** The tables that tandem makes, by name, with the statement that makes each. */
function ownTables(): ReadonlyMap<string, string> {
  if (known !== null) return known;
  using db = new Sqlite(":memory:");
  db.exec(schemaText());
  const rows = db.prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
  known = new Map(rows.raw().all());
  return known;
}

/** Views and tables of others may stand beside ours; nothing may take the place of one, or act when one is written. */
function checkTables(db: Sqlite, path: string): void {
  const expected = ownTables();
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
  const faults = selectRows<{ name: string; type: string; notnull: number; pk: number }>(
    db,
    'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
    [table],
  ).map(({ name, type, notnull, pk }) => {
    const types = `${typesOf[type]}${notnull + pk > 0 ? "" : ", 'null'"}`;
    return `typeof("${name}") NOT IN (${types})`;
  });
  if (selectRow(db, `SELECT 1 FROM "${table}" WHERE ${faults.join(" OR ")} LIMIT 1`) === undefined) return;
  throw changedBySomebody(path, `its table ${table} holds values of other types`);
}

const changedBySomebody = (path: string, what: string): AppError =>
  new AppError("DATABASE_INVALID", `${path} is not as tandem makes a database: ${what}.`, {
    hint: "Somebody has changed it. Take the file as tandem left it, or choose another folder with --results.",
  });

/** Makes the tables of a database that has none, all or nothing. */
export function makeSchema(db: Sqlite): void {
  inTransaction(db, () => {
    // Another process may have made them between our look and this lock.
    if (writtenVersion(db) > 0) return;
    db.exec(schemaText());
    db.pragma(`user_version = ${storedVersion}`);
  });
}
