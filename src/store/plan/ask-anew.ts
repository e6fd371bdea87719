import type { Suite } from "../../suite/suite.ts";
import { suiteHashOf, targetAddress } from "../batches.ts";
import { ofPlan } from "../batch-jobs.ts";
import { type Doubt, doubtWriter } from "../journal/doubt.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRow, selectRows, selectValues, sqlite } from "../sqlite.ts";
import { storableSuite } from "../stored-suite.ts";

/** Jobs of a target whose answers are those of an earlier configuration. */
export interface AnsweredBefore {
  answered: number;
  /** Answers that a person labelled. */
  labelled: number;
}

/** Counts what a target of a batch has answered so far. */
export function answeredBefore(db: Connection, batchId: number, targetId: number): AnsweredBefore {
  return (
    selectRow<AnsweredBefore>(
      db,
      `SELECT count(*) FILTER (WHERE outcome = 'ok') AS answered,
         count(*) FILTER (WHERE EXISTS (SELECT 1 FROM label WHERE label.job_id = job.id)) AS labelled
       FROM job WHERE ${ofPlan()} AND target_id = @target`,
      { batch: batchId, target: targetId },
    ) ?? { answered: 0, labelled: 0 }
  );
}

/**
 * Lets targets that are configured otherwise now be asked anew: their jobs are unfinished again, in their places of the
 * plan, and the batch's suite has them as they are now. Attempts and records of before stay; grades of them do not count
 * any more. Only for the holder of the batch's lock.
 */
export function askAnew(
  db: Connection,
  batch: { id: number; suite: Suite },
  given: { targetIds: ReadonlyMap<string, number>; suite: Suite; notes: readonly string[]; at: number },
): void {
  const sql = sqlite(db);
  const { targetIds, suite } = given;
  inTransaction(db, () => {
    for (const [name, id] of targetIds) {
      const target = suite.targets.find((each) => each.name === name);
      if (target !== undefined) renew(db, batch.id, { id, target, suite });
    }
    // Its grades are those of other answers.
    execute(db, "UPDATE scoring SET complete = 0 WHERE batch_id = ?", [batch.id]);
    const renewed = withTargets(batch.suite, suite, [...targetIds.keys()]);
    execute(db, "UPDATE batch SET suite = ?, suite_hash = ? WHERE id = ?", [
      storableSuite(renewed),
      suiteHashOf(renewed),
      batch.id,
    ]);
    const note = sql.prepare("INSERT INTO change (batch_id, at, text) VALUES (?, ?, ?)");
    for (const line of given.notes) note.run(batch.id, given.at, line);
  });
}

function renew(
  db: Connection,
  batchId: number,
  { id, target, suite }: { id: number; target: Suite["targets"][number]; suite: Suite },
): void {
  const { deployment, endpoint, exampleId, body } = target;
  execute(
    db,
    "UPDATE target SET deployment = ?, base_url = ?, endpoint = ?, example_id = ?, body = ?, stopped = NULL WHERE id = ?",
    [deployment, targetAddress(suite, target), endpoint, exampleId, JSON.stringify(body), id],
  );
  const given = { batch: batchId, target: id };
  const own = `${ofPlan()} AND target_id = @target AND kind = 'case'`;
  const jobs = `SELECT id FROM job WHERE ${own}`;
  // A run that the service is making of the earlier configuration is of no use any more, and may be paid.
  const going = selectRows<Doubt>(
    db,
    `SELECT job_id AS jobId, number, queued_at AS queuedAt, sent_at AS sentAt FROM sending
     WHERE run_id IS NOT NULL AND job_id IN (${jobs})`,
    given,
  );
  const write = doubtWriter(db, "correction");
  for (const doubt of going) write.mark(doubt);
  const ofScorings = "scoring_id IN (SELECT id FROM scoring WHERE batch_id = @batch)";
  for (const table of ["score", "asked"])
    execute(db, `DELETE FROM ${table} WHERE ${ofScorings} AND job_id IN (${jobs})`, given);
  execute(
    db,
    `UPDATE job SET outcome = NULL, answer = NULL, error = NULL, attempt = NULL,
       corrected_after = (SELECT max(number) FROM attempt WHERE attempt.job_id = job.id)
     WHERE ${own}`,
    given,
  );
}

/** The suite that a batch was planned with, with some targets and their deployments as they are now. */
function withTargets(then: Suite, now: Suite, names: readonly string[]): Suite {
  const renewed = (target: Suite["targets"][number]): Suite["targets"][number] =>
    names.includes(target.name) ? (now.targets.find(({ name }) => name === target.name) ?? target) : target;
  const others = then.deployments.filter(({ name }) => !now.deployments.some((each) => each.name === name));
  return { ...then, targets: then.targets.map(renewed), deployments: [...now.deployments, ...others] };
}

/** Changes of a batch after it was planned, as sentences, the earliest first. */
export function batchChanges(db: Connection, batchId: number): string[] {
  return selectValues<string>(db, "SELECT text FROM change WHERE batch_id = ? ORDER BY id", [batchId]);
}
