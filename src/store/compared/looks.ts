import type { Connection } from "../connection.ts";
import { execute, selectRow, selectRows, selectValue, selectValues } from "../sqlite.ts";
import { countCases } from "../plan/expectation.ts";

/** A look at a batch's own targets. */
export interface StoredLook {
  id: number;
  name: string;
  createdAt: number;
  /** JSON object: target to a mark of its bot. */
  bots: string;
  /** JSON list of names; null: all. */
  candidates: string | null;
  baseline: string | null;
  /** It was itself told as a second look. */
  wasSecond: 0 | 1;
  /** It was open or bad: only such a one makes people look again. */
  wasOpen: 0 | 1;
  /** The target that it named as the best of all; null: it chose none. */
  chosen: string | null;
}

/** Enters by which bots a run was answered: only then is it a look that later ones are counted after. */
export function noteBots(db: Connection, batchId: number, bots: Readonly<Record<string, string>>): void {
  execute(db, "UPDATE batch SET bots = ? WHERE id = ?", [JSON.stringify(bots), batchId]);
}

/** The marks of its bots; null: it is no look. */
export function botsOf(db: Connection, batchId: number): string | null {
  return selectValue<string | null>(db, "SELECT bots FROM batch WHERE id = ?", [batchId]) ?? null;
}

/** Runs of a suite before a batch that were looks at their own targets, the oldest first. Trial runs of a part are none. */
export function storedLooks(db: Connection, batchId: number): StoredLook[] {
  return selectRows<StoredLook>(
    db,
    `SELECT earlier.id, earlier.name, earlier.created_at AS createdAt, earlier.bots,
       earlier.suite -> '$.compare.candidates' AS candidates, earlier.suite ->> '$.compare.baseline' AS baseline,
       coalesce(earlier.suite ->> '$.decision.secondLook', 0) AS wasSecond,
       comparison.verdict IN ('inconclusive', 'regression') AS wasOpen,
       coalesce(comparison.summary ->> '$.choice.named', comparison.summary ->> '$.choice.race.end.target') AS chosen
     FROM batch AS now JOIN batch AS earlier ON earlier.suite_name = now.suite_name AND earlier.id < now.id
     JOIN comparison ON comparison.batch_id = earlier.id AND comparison.against = ''
     WHERE now.id = ? AND earlier.bots IS NOT NULL AND earlier.against IS NULL AND earlier.origin IS NULL
       AND comparison.verdict IS NOT NULL
       AND (earlier.selection IS NULL OR earlier.selection ->> '$.sample' IS NOT NULL)
     ORDER BY earlier.id`,
    [batchId],
  );
}

/** So many cases tell whether two batches hold the same stored answers. */
const mostCompared = 500;

/** True where a target of two batches has the same stored answers to the cases that both have; false where they have none in common. */
export function haveSameAnswers(db: Connection, batches: { earlier: number; now: number }, target: string): boolean {
  const found = selectRow<{ shared: number; other: number }>(
    db,
    `SELECT count(*) AS shared, coalesce(sum(one_run.body IS NOT other_run.body), 0) AS other
     FROM (SELECT id, key, input_hash FROM "case" WHERE batch_id = @earlier LIMIT @most) AS one
     CROSS JOIN "case" AS other ON other.batch_id = @now AND other.key = one.key AND other.input_hash = one.input_hash
     CROSS JOIN target AS one_target ON one_target.batch_id = @earlier AND one_target.name = @target
     CROSS JOIN target AS other_target ON other_target.batch_id = @now AND other_target.name = @target
     CROSS JOIN job AS one_job ON one_job.case_id = one.id AND one_job.target_id = one_target.id AND one_job.kind = 'case'
     CROSS JOIN job AS other_job ON other_job.case_id = other.id AND other_job.target_id = other_target.id AND other_job.kind = 'case'
     LEFT JOIN attempt AS one_attempt ON one_attempt.job_id = one_job.id AND one_attempt.number = one_job.attempt
     LEFT JOIN attempt AS other_attempt ON other_attempt.job_id = other_job.id AND other_attempt.number = other_job.attempt
     LEFT JOIN run_record AS one_run ON one_run.record = one_attempt.record
     LEFT JOIN run_record AS other_run ON other_run.record = other_attempt.record`,
    { ...batches, target, most: mostCompared },
  );
  return found !== undefined && found.shared > 0 && found.other === 0;
}

/** Cases of one batch that another lacks, or has with another input, with the keys of the first; and how many it has itself. */
export function casesMissing(
  db: Connection,
  { earlier, now }: { earlier: number; now: number },
): { missing: number; keys: string[]; earlier: number; now: number } {
  const missing = selectValues<string>(
    db,
    `SELECT key FROM "case" AS one WHERE batch_id = @earlier AND NOT EXISTS
     (SELECT 1 FROM "case" AS other WHERE other.batch_id = @now AND other.key = one.key AND other.input_hash = one.input_hash)`,
    { earlier, now },
  );
  const cases = { earlier: countCases(db, earlier), now: countCases(db, now) };
  return { missing: missing.length, keys: missing.slice(0, 5), ...cases };
}
