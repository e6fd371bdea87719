import type { Connection } from "./connection.ts";
import { batchRows, referencesOf } from "./rows.ts";
import { inTransaction, selectRows, selectValues, sqlite } from "./sqlite.ts";

/** A value of a column as JSON; bytes that are no text in UTF-8 are kept in base64. */
type PackedValue = string | number | null | { base64: string };

/** A row of a table by its columns. */
export type PackedRow = Record<string, PackedValue>;

/** Rows by their tables, to go from one results folder to another: they keep their ids there. */
export type PackedRows = Record<string, PackedRow[]>;

const isBytes = (column: string): boolean => column === "body";

/** Rows of a table that meet a condition. */
function packRows(db: Connection, table: string, where: string, given: object = {}): PackedRow[] {
  return packedRowReader(db, table, where)(given);
}

/** Reads rows of a table that meet a condition, again and again. */
export function packedRowReader(db: Connection, table: string, where: string): (given: object) => PackedRow[] {
  const columns = columnsOf(db, table).map((name) =>
    isBytes(name) && table === "run_record" ? `CAST("${name}" AS BLOB) AS "${name}"` : `"${name}"`,
  );
  const statement = sqlite(db).prepare<object, Record<string, string | number | null | Buffer>>(
    `SELECT ${columns.join(", ")} FROM "${table}" WHERE ${where}`,
  );
  return (given) => statement.all(given).map((row) => Object.fromEntries(Object.entries(row).map(packedEntry)));
}

function packedEntry([name, value]: [string, string | number | null | Buffer]): [string, PackedValue] {
  if (!Buffer.isBuffer(value)) return [name, value];
  const text = value.toString("utf8");
  return [name, Buffer.from(text).equals(value) ? text : { base64: value.toString("base64") }];
}

/** A batch with its targets. */
export const packBatch = (db: Connection, batch: number): PackedRows => ({
  batch: packRows(db, "batch", "id = @batch", { batch }),
  target: packRows(db, "target", "batch_id = @batch", { batch }),
});

/** Jobs with all that a runner needs of them: their cases, and the attempts and answers so far. */
export function packJobs(db: Connection, jobs: readonly number[]): PackedRows {
  const ids = { ids: JSON.stringify(jobs) };
  const ofJobs = "job_id IN (SELECT value FROM json_each(@ids))";
  return {
    case: packRows(db, "case", "id IN (SELECT case_id FROM job WHERE id IN (SELECT value FROM json_each(@ids)))", ids),
    job: packRows(db, "job", "id IN (SELECT value FROM json_each(@ids)) ORDER BY id", ids),
    run_record: packRows(db, "run_record", `record IN (SELECT record FROM attempt WHERE ${ofJobs})`, ids),
    attempt: packRows(db, "attempt", ofJobs, ids),
  };
}

/** Enters rows that another folder has packed, and what `more` enters, all or nothing; the numbers of their run records are made anew. */
export function enterRows(db: Connection, rows: PackedRows, more = (): void => undefined): void {
  inTransaction(db, () => {
    enterAll(db, rows);
    more();
  });
}

function enterAll(db: Connection, rows: PackedRows): void {
  const records = new Map<PackedValue, number>();
  for (const { record = null, ...others } of rows["run_record"] ?? [])
    records.set(record, Number(insertRow(db, "run_record", others)));
  for (const table of Object.keys(batchRows)) {
    if (table === "run_record") continue;
    const named = referencesOf(table).find(([, of]) => of === "run_record")?.[0];
    for (const row of rows[table] ?? [])
      insertRow(db, table, named === undefined ? row : { ...row, [named]: records.get(row[named] ?? null) ?? null });
  }
}

/** Enters one row, unless it is there; returns its number. */
export function insertRow(db: Connection, table: string, row: PackedRow): number | bigint {
  const names = Object.keys(row);
  const known = new Set(columnsOf(db, table));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`the table ${table} has no column ${unknown}`);
  const values = names.map((name) => (isBytes(name) && table === "run_record" ? `CAST(@${name} AS TEXT)` : `@${name}`));
  return prepared(
    db,
    `INSERT OR IGNORE INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${values.join(", ")})`,
  ).run(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, unpacked(value)]))).lastInsertRowid;
}

const unpacked = (value: PackedValue): string | number | null | Buffer =>
  typeof value === "object" && value !== null ? Buffer.from(value.base64, "base64") : value;

type Statement = ReturnType<ReturnType<typeof sqlite>["prepare"]>;

const statements = new WeakMap<object, Map<string, Statement>>();

/** Statements of a page are the same again and again. */
function prepared(db: Connection, text: string): Statement {
  const own = statements.get(db) ?? new Map<string, Statement>();
  statements.set(db, own);
  const statement = own.get(text) ?? sqlite(db).prepare(text);
  own.set(text, statement);
  return statement;
}

const columns = new Map<string, string[]>();

function columnsOf(db: Connection, table: string): string[] {
  const found = columns.get(table) ?? selectValues<string>(db, "SELECT name FROM pragma_table_info(?)", [table]);
  columns.set(table, found);
  return found;
}

/** A job among those of its conversation. */
export interface ConversationJob {
  id: number;
  waitsFor: number | null;
  isOver: boolean;
  /** Attempts that were made of it. */
  tried: number;
}

/** Jobs with all earlier and later turns of their conversations, in the order of the plan. */
export function wholeConversations(db: Connection, jobs: readonly number[]): ConversationJob[] {
  return selectRows<Omit<ConversationJob, "isOver"> & { isOver: 0 | 1 }>(
    db,
    `WITH RECURSIVE earlier (id) AS (
       SELECT value FROM json_each(@ids) UNION SELECT job.waits_for FROM earlier CROSS JOIN job ON job.id = earlier.id WHERE job.waits_for IS NOT NULL),
     whole (id) AS (
       SELECT id FROM earlier UNION SELECT job.id FROM whole CROSS JOIN job ON job.waits_for = whole.id)
     SELECT job.id, job.waits_for AS waitsFor, job.outcome IS NOT NULL AS isOver,
       coalesce((SELECT max(number) FROM attempt WHERE attempt.job_id = job.id), 0) AS tried
     FROM whole CROSS JOIN job ON job.id = whole.id ORDER BY job.id`,
    { ids: JSON.stringify(jobs) },
  ).map((job) => ({ ...job, isOver: job.isOver === 1 }));
}
