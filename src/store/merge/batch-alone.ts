import { ofBatch as anyJob } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

const ofBatch = "batch_id = @batch";
const ofJob = "job_id IN (SELECT id FROM main.job)";
const ofScoring = "scoring_id IN (SELECT id FROM main.scoring)";

/**
 * Rows that belong to a batch, table by table: each goes by those before it. `ids` are read first, where the rows of others
 * would have to be looked through for them.
 */
const belongings: readonly (readonly [table: string, which: string, ids?: string])[] = [
  ["batch", "id = @batch"],
  ["target", ofBatch],
  // Takes them by their places in the file: an index would give them by their keys.
  [
    "case",
    "id BETWEEN (SELECT first_case FROM main.batch) AND (SELECT last_case FROM main.batch) AND +batch_id = @batch",
  ],
  ["job", anyJob()],
  ["question", "id = known", "SELECT DISTINCT question_id AS known FROM main.job"],
  ["sending", ofJob],
  ["attempt", ofJob],
  ["run_record", "record = known", "SELECT record AS known FROM main.attempt"],
  ["pace", ofBatch],
  ["outage", ofBatch],
  ["change", ofBatch],
  ["second_look", ofBatch],
  ["merged", ofBatch],
  ["label", ofJob],
  ["pairwise_label", "baseline_job IN (SELECT id FROM main.job) AND candidate_job IN (SELECT id FROM main.job)"],
  ["label_draw", ofBatch],
  ["drawn_case", "draw_id IN (SELECT id FROM main.label_draw)"],
  ["scoring", ofBatch],
  ["score", ofScoring],
  ["graded_by", ofScoring],
  ["asked", ofScoring],
];

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
  sql.prepare("ATTACH ? AS source").run(from.name);
  try {
    sql
      .transaction(() => {
        for (const [table, which, ids] of belongings) {
          const columns = columnsOf(into, table);
          const rows = `${ids === undefined ? "" : `(${ids}) CROSS JOIN `}source."${table}"`;
          sql
            .prepare<{ batch: number }>(
              `INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM ${rows} WHERE ${which}`,
            )
            .run({ batch: batchId });
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
  const names = sqlite(db).prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  return names.map((name) => `"${name}"`).join(", ");
}
