import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

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
  sqlite(db)
    .prepare(
      `INSERT OR REPLACE INTO comparison (batch_id, against, seed, verdict, word, summary, version, created_at)
     VALUES (@batchId, @against, @seed, @verdict, @word, @summary, @version, @createdAt)`,
    )
    .run(kept);
}

/** The comparisons of a batch, the latest last. */
export function storedComparisons(db: Connection, batchId: number): StoredComparison[] {
  return sqlite(db)
    .prepare<[number], StoredComparison>(
      `SELECT batch_id AS batchId, against, seed, verdict, word, summary, version, created_at AS createdAt
       FROM comparison WHERE batch_id = ? ORDER BY id`,
    )
    .all(batchId);
}

/** The id of the comparison that tells of a row of `batch`, as SQL: its own as it was run, else its latest. */
export const ownComparisonId = `SELECT comparison.id FROM comparison WHERE comparison.batch_id = batch.id
  ORDER BY comparison.against = coalesce(batch.against, '') DESC, comparison.id DESC LIMIT 1`;

/** The word of the comparison of these sides that was kept last, or its state where it has none; null: none was, or nothing was decided. */
export function storedVerdict(db: Connection, batchId: number, against: string): string | null {
  const verdict = sqlite(db)
    .prepare<[number, string], string | null>(
      "SELECT coalesce(word, verdict) FROM comparison WHERE batch_id = ? AND against = ? ORDER BY id DESC LIMIT 1",
    )
    .pluck()
    .get(batchId, against);
  return verdict ?? null;
}

/** The reference that a batch was told when it was run; null: its targets are compared with each other. */
export function againstOf(db: Connection, batchId: number): string | null {
  return (
    sqlite(db).prepare<[number], string | null>("SELECT against FROM batch WHERE id = ?").pluck().get(batchId) ?? null
  );
}

/** Batch id to that reference, of all batches that were told one. */
export function references(db: Connection): Map<number, string> {
  const reported = sqlite(db).prepare<[], [id: number, against: string]>(
    "SELECT id, against FROM batch WHERE against IS NOT NULL",
  );
  return new Map(reported.raw().all());
}

export function setAgainst(db: Connection, batchId: number, against: string): void {
  sqlite(db).prepare("UPDATE batch SET against = ? WHERE id = ?").run(against, batchId);
}

/** Batches of which only answers and scores are kept, because they were read from an exported pin. */
export function isExported(db: Connection, batchId: number): boolean {
  return (
    sqlite(db).prepare<[number], string | null>("SELECT origin FROM batch WHERE id = ?").pluck().get(batchId) === "pin"
  );
}
