import type { Batch } from "./batches.ts";
import { openRunCounts } from "./journal/in-doubt.ts";
import { ownComparisonId } from "./compared/comparisons.ts";
import type { Connection } from "./connection.ts";
import { type BatchEdits, batchEditsSql } from "./scores/edits.ts";
import { selectRow, selectRows, selectValue, sqlite } from "./sqlite.ts";

/** Jobs of a batch: between those of the plan and those of a second look there may be others. */
const plannedJobs =
  "coalesce((SELECT planned + jobs FROM second_look WHERE batch_id = batch.id), last_job - first_job + 1, 0)";

const hasScorers = "suite ->> '$.scorers[0].name' IS NOT NULL";

/** A batch as a list shows it. */
interface BatchOverview extends BatchEdits {
  id: number;
  name: string;
  suite: string;
  state: string;
  reason: string | null;
  createdAt: number;
  finishedAt: number | null;
  /** True where a process holds it, or was killed while it did. */
  isLocked: 0 | 1;
  /** Planned jobs. */
  jobs: number;
  /** True where it may end, or leave targets out, before all was sent. */
  mayStop: 0 | 1;
  /** Verdict of its latest comparison; null: none was made, or nothing was decided. */
  verdict: string | null;
  /** The same in one word. */
  word: string | null;
  /** When that comparison was made; null: none was. */
  comparedAt: number | null;
  /** Names of the targets that nothing more was sent to; null: there is none. */
  stopped: string | null;
}

/** The batches that were run here, the latest first. */
export function batchOverviews(db: Connection): BatchOverview[] {
  return selectRows<BatchOverview>(
    db,
    `SELECT id, name, suite_name AS suite, state, reason, created_at AS createdAt, finished_at AS finishedAt,
       lock_pid IS NOT NULL AS isLocked, ${plannedJobs} AS jobs,
       suite ->> '$.decision.stopWhen' IS NOT NULL OR suite ->> '$.decision.race' IS NOT NULL AS mayStop,
       (SELECT group_concat(name, ', ') FROM target WHERE batch_id = batch.id AND stopped IS NOT NULL) AS stopped,
       (SELECT verdict FROM comparison WHERE comparison.batch_id = batch.id ORDER BY comparison.id DESC LIMIT 1) AS verdict,
       (SELECT word FROM comparison WHERE comparison.batch_id = batch.id ORDER BY comparison.id DESC LIMIT 1) AS word,
       (SELECT created_at FROM comparison WHERE comparison.batch_id = batch.id ORDER BY comparison.id DESC LIMIT 1) AS comparedAt,
       ${batchEditsSql("batch")}
     FROM batch WHERE origin IS NULL ORDER BY id DESC`,
  );
}

/** The latest comparison of a batch as it is kept; undefined: there is none. */
export function latestSummary(db: Connection, batchId: number): string | undefined {
  return selectValue<string>(db, "SELECT summary FROM comparison WHERE batch_id = ? ORDER BY id DESC LIMIT 1", [
    batchId,
  ]);
}

/** A batch as the ways to its neighbours name it. */
export interface BatchBeside {
  batch: string;
  at: number;
}

/** The batches of the same suite that were run here just before and just after one; null: there is none. */
export function batchesBeside(
  db: Connection,
  batchId: number,
): { before: BatchBeside | null; after: BatchBeside | null } {
  const find = (sign: "<" | ">", order: "DESC" | "ASC"): BatchBeside | null =>
    selectRow<BatchBeside>(
      db,
      `SELECT name AS batch, created_at AS at FROM batch
       WHERE suite_name = (SELECT suite_name FROM batch WHERE id = @batch) AND origin IS NULL AND id ${sign} @batch
       ORDER BY id ${order} LIMIT 1`,
      { batch: batchId },
    ) ?? null;
  return { before: find("<", "DESC"), after: find(">", "ASC") };
}

/** Batch id to the names of its targets that are graded. */
export function targetsOfBatches(db: Connection): Map<number, string[]> {
  const names = new Map<number, string[]>();
  const rows = selectRows<{ id: number; name: string }>(
    db,
    "SELECT batch_id AS id, name FROM target WHERE role = 'case' ORDER BY target.id",
  );
  for (const { id, name } of rows) {
    const known = names.get(id);
    if (known === undefined) names.set(id, [name]);
    else known.push(name);
  }
  return names;
}

/** The jobs of a batch as they stand now. */
export interface BatchJobs {
  /** Planned jobs. */
  jobs: number;
  unfinished: number;
  /** Left out, because it was decided without them. */
  spared: number;
  /** Runs that the service has taken, and that have not ended as far as is known here. */
  atService: number;
}

/** Batch id to its jobs, of all batches (null) or of one, counted in two passes; a batch without jobs is left out. */
export function jobsOfBatches(db: Connection, batchId: number | null): Map<number, BatchJobs> {
  const rows = selectRows<Omit<BatchJobs, "atService"> & { id: number }>(
    db,
    `SELECT batch.id, ${plannedJobs} AS jobs, count(*) FILTER (WHERE job.outcome IS NULL) AS unfinished,
       count(*) FILTER (WHERE job.outcome = 'spared') AS spared
     FROM batch CROSS JOIN job ON job.id BETWEEN batch.first_job AND batch.last_job AND +job.batch_id = batch.id AND +job.kind = 'case'
     WHERE @batch IS NULL OR batch.id = @batch GROUP BY batch.id`,
    { batch: batchId },
  );
  const open = openRunCounts(db);
  return new Map(rows.map(({ id, ...counts }) => [id, { ...counts, atService: open.get(id) ?? 0 }]));
}

/** Batch id to the verdict of its own comparison, or of its latest; one without a verdict is left out. */
export function ownVerdicts(db: Connection): Map<number, { verdict: string; word: string | null }> {
  const rows = sqlite(db).prepare<[], [id: number, verdict: string, word: string | null]>(
    `SELECT batch.id, verdict, word FROM batch CROSS JOIN comparison ON comparison.id = (${ownComparisonId}) WHERE verdict IS NOT NULL`,
  );
  return new Map(
    rows
      .raw()
      .all()
      .map(([id, verdict, word]) => [id, { verdict, word }]),
  );
}

/** Progress of a batch, as its rows tell it; a process that was killed had no time to update them. */
export interface BatchProgress extends Pick<Batch, "name" | "state" | "reason" | "createdAt" | "finishedAt"> {
  /** When a process worked on it last; null: none did. */
  workedAt: number | null;
  hasScorers: boolean;
  /** When it was last graded; null: never. */
  scoredAt: number | null;
}

/** The progress of a batch; null: it was forgotten. */
export function batchProgress(db: Connection, batchId: number): BatchProgress | null {
  const row = selectRow<Omit<BatchProgress, "hasScorers"> & { hasScorers: number }>(
    db,
    `SELECT name, state, reason, created_at AS createdAt, finished_at AS finishedAt, lock_at AS workedAt,
       ${hasScorers} AS hasScorers,
       (SELECT max(finished_at) FROM scoring WHERE scoring.batch_id = batch.id) AS scoredAt
     FROM batch WHERE id = ?`,
    [batchId],
  );
  return row === undefined ? null : { ...row, hasScorers: row.hasScorers === 1 };
}
