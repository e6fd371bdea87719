import type { Connection } from "../connection.ts";
import { execute, selectRows, sqlite } from "../sqlite.ts";
import { referencesOf } from "../rows.ts";
import type { BatchPart } from "./batch-part.ts";

type Row = Record<string, unknown>;

/** Copies rows of one part to another database, where they name the rows that those of the part have become. */
export class MovedRows {
  readonly #db: Connection;
  readonly #part: number;
  readonly #from: Connection;
  readonly #batch: number;

  constructor(db: Connection, part: number, { db: from, batch }: BatchPart) {
    this.#db = db;
    this.#part = part;
    this.#from = from;
    this.#batch = batch.id;
    sqlite(db).exec(
      "CREATE TEMP TABLE IF NOT EXISTS moved (part INTEGER, of TEXT, old INTEGER, id INTEGER, PRIMARY KEY (part, of, old)) WITHOUT ROWID",
    );
  }

  note(table: string, old: unknown, id: number | bigint): void {
    const [into, of] = table === "job" ? ["part_job", "kind"] : ["moved", "of"];
    execute(this.#db, `INSERT OR REPLACE INTO temp.${into} (part, ${of}, old, id) VALUES (?, ?, ?, ?)`, [
      this.#part,
      table,
      old,
      id,
    ]);
  }

  /** Copies rows that meet a condition on `@batch`, but those that name one that does not go along. `known`: a row that is there already. */
  copy(
    table: string,
    where: string,
    {
      known = () => undefined,
      also = (row) => row,
    }: { known?: (row: Row) => number | undefined; also?: (row: Row) => Row } = {},
  ): void {
    const columns = selectRows<{ name: string; pk: number; type: string }>(
      this.#from,
      "SELECT name, pk, type FROM pragma_table_info(?)",
      [table],
    );
    const keys = columns.filter(({ pk }) => pk > 0);
    const references = referencesOf(table);
    const named = new Set(references.map(([column]) => column));
    const own = keys.length === 1 && keys[0]?.type === "INTEGER" && !named.has(keys[0].name) ? keys[0].name : null;
    const names = columns.map(({ name }) => name).filter((name) => name !== own);
    // Bodies are read as bytes: one that is not UTF-8 would not survive as a text.
    const read = columns.map(({ name }) => (name === "body" ? `CAST("${name}" AS BLOB) AS "${name}"` : `"${name}"`));
    const insert = sqlite(this.#db).prepare(
      `INSERT OR IGNORE INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${names.map((name) => (name === "body" ? "CAST(@body AS TEXT)" : `@${name}`)).join(", ")})`,
    );
    const finders = references.map(([name, of]) => [name, this.finder(of)] as const);
    const rows = sqlite(this.#from).prepare<{ batch: number }, Row>(
      `SELECT ${read.join(", ")} FROM "${table}" WHERE ${where} ORDER BY ${keys.map(({ name }) => `"${name}"`).join(", ") || "rowid"}`,
    );
    for (const row of rows.iterate({ batch: this.#batch })) {
      const old = own === null ? null : row[own];
      const moved = { ...row };
      for (const [name, find] of finders) moved[name] = row[name] === null ? null : find(row[name]);
      if (Object.values(moved).includes(undefined)) continue;
      const id = known(moved) ?? insert.run(also(moved)).lastInsertRowid;
      if (own !== null) this.note(table, old, id);
    }
  }

  /** The id of what a row of the part has become; undefined where it did not go along. */
  finder(table: string): (old: unknown) => unknown {
    const text = {
      case: "SELECT id FROM temp.part_case WHERE part = ? AND old = ?",
      job: "SELECT id FROM temp.part_job WHERE part = ? AND old = ?",
    }[table];
    const find = sqlite(this.#db)
      .prepare<unknown[], number>(text ?? `SELECT id FROM temp.moved WHERE part = ? AND of = '${table}' AND old = ?`)
      .pluck();
    return (old) => find.get(this.#part, old) ?? undefined;
  }
}
