import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** A number that changes whenever another connection has written. */
export function dataVersion(db: Connection): number {
  return Number(sqlite(db).pragma("data_version", { simple: true }));
}

/**
 * Suite to a text that is another one when its nights, their comparisons, the edits of their scores or what is acknowledged of them are others. A
 * comparison that is made again has another id, but where it was the last: the time of each, behind its long summary, is not read.
 */
export function suiteMarks(db: Connection): Map<string, string> {
  const rows = sqlite(db)
    .prepare<[], { suite: string; mark: string }>(
      // Counted for all suites at once: for each by itself, every batch would be looked at as often as there are suites.
      `WITH compared AS MATERIALIZED (
         SELECT suite_name, count(*) AS own, total(comparison.id) AS ids, max(comparison.id) AS last
         FROM comparison CROSS JOIN batch ON batch.id = batch_id GROUP BY suite_name),
       edited AS MATERIALIZED (
         SELECT suite_name, count(*) AS edits, total(at) AS times
         FROM label CROSS JOIN job ON job.id = job_id CROSS JOIN batch ON batch.id = batch_id WHERE label.edits = 1 GROUP BY suite_name)
       SELECT suite_name AS suite, json_array(count(*), max(batch.id), total(length(state)), total(finished_at),
         (SELECT json_array(own, ids, (SELECT created_at FROM comparison WHERE comparison.id = last)) FROM compared
          WHERE compared.suite_name = batch.suite_name),
         (SELECT json_array(edits, times) FROM edited WHERE edited.suite_name = batch.suite_name),
         (SELECT json_array(count(*), max(acknowledgement.id), total(at), group_concat(note)) FROM acknowledgement
          WHERE acknowledgement.suite_name = batch.suite_name)) AS mark
       FROM batch WHERE origin IS NULL GROUP BY suite_name ORDER BY max(batch.id) DESC`,
    )
    .all();
  return new Map(rows.map(({ suite, mark }) => [suite, mark]));
}
