import { z } from "zod";
import { storedShape } from "../../lib/stored-json.ts";
import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRows, selectValues, sqlite } from "../sqlite.ts";
import { storedText } from "../stored-text.ts";

const toldValue = z.object({
  hash: z.string(),
  /** Null: it is long, or no plain value. */
  text: z.string().nullable(),
});

/** A value that a service tells of itself. */
export type ToldValue = z.infer<typeof toldValue>;

const toldShape = z.record(z.string(), z.array(toldValue)).readonly();

/** The words of a service of itself in the answers of one target: by the name of a member, the values of all answers. */
export type Told = z.infer<typeof toldShape>;

/** An answer of a target, as far as it may tell of its service. */
export interface ToldAnswer {
  /** Id of the target. */
  target: number;
  body: string | null;
  /** JSON object. */
  headers: string | null;
}

/** The answers of a batch's plan one after the other. */
export function toldAnswers(db: Connection, batchId: number): IterableIterator<ToldAnswer> {
  return sqlite(db)
    .prepare<{ batch: number }, ToldAnswer>(
      `SELECT job.target_id AS target, ${storedText} AS body, attempt.headers
       FROM job CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt AND attempt.number > 0
       JOIN run_record ON run_record.record = attempt.record
       WHERE ${ofPlan()} AND job.outcome = 'ok'`,
    )
    .iterate({ batch: batchId });
}

/** First members of what the cases of a batch send: what is echoed of them tells nothing of a service. */
export function sentMembers(db: Connection, batchId: number): string[] {
  return selectValues<string>(
    db,
    `SELECT DISTINCT sent.key FROM (
       SELECT input FROM "case" WHERE id BETWEEN (SELECT first_case FROM batch WHERE id = @batch) AND (SELECT last_case FROM batch WHERE id = @batch)
         AND batch_id = @batch LIMIT 1000) AS some, json_each(some.input) AS sent`,
    { batch: batchId },
  );
}

/** Keeps what services told in a batch, in the place of what was kept of it before. */
export function keepTold(db: Connection, batchId: number, told: ReadonlyMap<number, Told>): void {
  inTransaction(db, () => {
    execute(db, "DELETE FROM provider_told WHERE batch_id = ?", [batchId]);
    for (const [target, own] of told)
      execute(db, "INSERT INTO provider_told (batch_id, target_id, told) VALUES (?, ?, ?)", [
        batchId,
        target,
        JSON.stringify(own),
      ]);
  });
}

/** Reads what services told in the batches of a suite: batch to target to that. */
export function toldOfSuite(db: Connection, suite: string): Map<number, Map<string, Told>> {
  const found = new Map<number, Map<string, Told>>();
  const rows = selectRows<{ batch: number; target: string; told: string }>(
    db,
    `SELECT provider_told.batch_id AS batch, target.name AS target, told
     FROM batch CROSS JOIN provider_told ON provider_told.batch_id = batch.id JOIN target ON target.id = target_id
     WHERE batch.suite_name = ? AND batch.origin IS NULL`,
    [suite],
  );
  for (const { batch, target, told } of rows) {
    const own = found.get(batch) ?? new Map<string, Told>();
    found.set(batch, own.set(target, storedShape(told, "what a service tells of itself", toldShape)));
  }
  return found;
}
