import type { Connection } from "../connection.ts";
import { execute, selectRows, selectValue, sqlite } from "../sqlite.ts";

/** A comparison as it is kept. */
export interface StoredComparison {
  batchId: number;
  /** Reference that the targets are compared with; empty: with each other. */
  against: string;
  seed: string;
  verdict: string | null;
  /** The verdict in one word; null: nothing was decided. */
  word: string | null;
  /** JSON of the whole summary. */
  summary: string;
  version: string;
  createdAt: number;
}

/** Keeps what a comparison came to; it takes the place of an earlier one of the same sides. */
export function keepComparison(db: Connection, kept: StoredComparison): void {
  execute(
    db,
    `INSERT OR REPLACE INTO comparison (batch_id, against, seed, verdict, word, summary, version, created_at)
     VALUES (@batchId, @against, @seed, @verdict, @word, @summary, @version, @createdAt)`,
    kept,
  );
}

/** The comparisons of a batch, the latest last. */
export function storedComparisons(db: Connection, batchId: number): StoredComparison[] {
  return selectRows<StoredComparison>(
    db,
    `SELECT batch_id AS batchId, against, seed, verdict, word, summary, version, created_at AS createdAt
     FROM comparison WHERE batch_id = ? ORDER BY id`,
    [batchId],
  );
}

/** The id of the comparison that tells of a row of `batch`, as SQL: its own as it was run, else its latest. */
export const ownComparisonId = `SELECT comparison.id FROM comparison WHERE comparison.batch_id = batch.id
  ORDER BY comparison.against = coalesce(batch.against, '') DESC, comparison.id DESC LIMIT 1`;

/** The word of the comparison of these sides that was kept last, or its state where it has none; null: none was, or nothing was decided. */
export function storedVerdict(db: Connection, batchId: number, against: string): string | null {
  return (
    selectValue<string | null>(
      db,
      "SELECT coalesce(word, verdict) FROM comparison WHERE batch_id = ? AND against = ? ORDER BY id DESC LIMIT 1",
      [batchId, against],
    ) ?? null
  );
}

/** The reference that a batch was told when it was run; null: its targets are compared with each other. */
export function againstOf(db: Connection, batchId: number): string | null {
  return selectValue<string | null>(db, "SELECT against FROM batch WHERE id = ?", [batchId]) ?? null;
}

/** Batch id to that reference, of all batches that were told one. */
export function references(db: Connection): Map<number, string> {
  const reported = sqlite(db).prepare<[], [id: number, against: string]>(
    "SELECT id, against FROM batch WHERE against IS NOT NULL",
  );
  return new Map(reported.raw().all());
}

export function setAgainst(db: Connection, batchId: number, against: string): void {
  execute(db, "UPDATE batch SET against = ? WHERE id = ?", [against, batchId]);
}

/** Batches of which only answers and scores are kept, because they were read from an exported pin. */
export function isExported(db: Connection, batchId: number): boolean {
  return selectValue<string | null>(db, "SELECT origin FROM batch WHERE id = ?", [batchId]) === "pin";
}
