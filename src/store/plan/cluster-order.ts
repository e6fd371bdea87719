import type { Connection } from "../connection.ts";
import { selectValue, sqlite } from "../sqlite.ts";

/** The cases of a cluster, such as the turns of a conversation. */
export interface OrderedCluster {
  caseIds: number[];
}

const pageSize = 500;

/** The clusters of a batch in the order in which they are sent, read page by page. */
export function* clustersInOrder(db: Connection, batchId: number): Generator<OrderedCluster> {
  const sql = sqlite(db);
  // The target with the most runs makes its first one of each case in the first pass over it.
  const target = selectValue<number>(
    db,
    "SELECT id FROM target WHERE batch_id = ? AND role = 'case' ORDER BY repeats DESC, id LIMIT 1",
    [batchId],
  );
  const page = sql.prepare<Record<string, number>, { id: number; caseId: number; cluster: string }>(
    `SELECT job.id, job.case_id AS caseId, "case".cluster FROM job JOIN "case" ON "case".id = job.case_id
     WHERE job.id > max(@after, (SELECT first_job - 1 FROM batch WHERE batch.id = @batch))
       AND job.id <= (SELECT last_job FROM batch WHERE batch.id = @batch)
       AND +job.target_id = @target AND +job.repeat = 1 AND +job.kind = 'case' ORDER BY job.id LIMIT ${pageSize}`,
  );
  let after = 0;
  let open: { cluster: string; caseIds: number[] } | null = null;
  for (;;) {
    const rows = page.all({ after, batch: batchId, target: target ?? 0 });
    for (const { id, caseId, cluster } of rows) {
      after = id;
      if (open !== null && open.cluster !== cluster) yield { caseIds: open.caseIds };
      open = open === null || open.cluster !== cluster ? { cluster, caseIds: [caseId] } : open;
      if (open.caseIds.at(-1) !== caseId) open.caseIds.push(caseId);
    }
    if (rows.length < pageSize) break;
  }
  if (open !== null) yield { caseIds: open.caseIds };
}

/**
 * Tells whether every run of some cases has ended, and none of them was left out; further runs of a second look do not matter, nor
 * do those of targets that are not asked any more.
 */
export function completeCases(db: Connection): (caseIds: readonly number[], dropped?: readonly number[]) => boolean {
  const open = sqlite(db)
    .prepare<[string, string], number>(
      `SELECT 1 FROM job JOIN target ON target.id = job.target_id
       WHERE case_id IN (SELECT value FROM json_each(?)) AND kind = 'case' AND repeat <= target.repeats
         AND target_id NOT IN (SELECT value FROM json_each(?))
         AND (outcome IS NULL OR outcome = 'spared') LIMIT 1`,
    )
    .pluck();
  return (caseIds, dropped = []) => open.get(JSON.stringify(caseIds), JSON.stringify(dropped)) === undefined;
}

/** The last job of some cases in the plan. */
export function lastJobOf(db: Connection, caseIds: readonly number[]): number {
  return (
    selectValue<number | null>(
      db,
      "SELECT max(id) FROM job WHERE case_id IN (SELECT value FROM json_each(?)) AND kind = 'case'",
      [JSON.stringify(caseIds)],
    ) ?? 0
  );
}
