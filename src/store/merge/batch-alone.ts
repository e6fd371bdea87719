import { ofBatch } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { batchRows } from "../rows.ts";
import { execute, selectValues, sqlite } from "../sqlite.ts";

/** The rows of a table that are read from others, where its own would have to be looked through for them. */
const read: Readonly<Record<string, { which: string; ids?: string }>> = {
  batch: { which: "id = @batch" },
  // By their places in the file: an index would give them by their keys.
  case: {
    which:
      "id BETWEEN (SELECT first_case FROM main.batch) AND (SELECT last_case FROM main.batch) AND +batch_id = @batch",
  },
  job: { which: ofBatch() },
  question: { which: "id = known", ids: "SELECT DISTINCT question_id AS known FROM main.job" },
  run_record: { which: "record = known", ids: "SELECT record AS known FROM main.attempt" },
};

/** Those of a batch: each goes by those that it belongs to, which went before. */
function rowsToCopy(table: string, of: Readonly<Record<string, string>>): { which: string; ids?: string } {
  const which = Object.entries(of).map(([column, owner]) =>
    owner === "batch" ? `${column} = @batch` : `${column} IN (SELECT id FROM main."${owner}")`,
  );
  return read[table] ?? { which: which.join(" AND ") };
}

/**
 * Copies a batch into a database that has nothing yet, with all that a merge takes of it, row by row as it is: ids stay.
 * The copy is made to be sent or read at once: it does not outlive a power cut.
 */
export function copyAlone(into: Connection, from: Connection, batchId: number): void {
  const sql = sqlite(into);
  sql.pragma("journal_mode = MEMORY");
  sql.pragma("synchronous = OFF");
  // A reply of a judge that another batch asked for is referred to, and stays where it is.
  sql.pragma("foreign_keys = OFF");
  execute(into, "ATTACH ? AS source", [from.name]);
  try {
    sql
      .transaction(() => {
        for (const [table, { of, stays }] of Object.entries(batchRows)) {
          if (stays === true) continue;
          const { which, ids } = rowsToCopy(table, of);
          const columns = columnsOf(into, table);
          const rows = `${ids === undefined ? "" : `(${ids}) CROSS JOIN `}source."${table}"`;
          execute(into, `INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM ${rows} WHERE ${which}`, {
            batch: batchId,
          });
        }
      })
      .immediate();
  } finally {
    sql.exec("DETACH source");
    sql.pragma("foreign_keys = ON");
  }
}

/** Names of the columns of a table, for a statement. */
function columnsOf(db: Connection, table: string): string {
  const names = selectValues<string>(db, "SELECT name FROM pragma_table_info(?)", [table]);
  return names.map((name) => `"${name}"`).join(", ");
}
