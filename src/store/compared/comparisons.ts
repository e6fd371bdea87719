import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRow, selectRows, selectValue, selectValues, sqlite } from "../sqlite.ts";

/** A comparison as it is kept. */
export interface StoredComparison {
  batchId: number;
  /** Reference that the targets are compared with; empty: the batch's own comparison, as its run was told. */
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
  ORDER BY comparison.against = '' DESC, comparison.id DESC LIMIT 1`;

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

/** A reference that a run was told, as it was found then. */
interface ToldReference {
  /** Name of the pin or the batch. */
  name: string;
  target: string | null;
  /** Ids of the batches, in the order in which their runs are counted. */
  batches: number[];
}

/** The reference that a batch was told when it was run, with the batches that it named then; null: none. */
export function toldReference(db: Connection, batchId: number): ToldReference | null {
  const told = selectRow<{ against: string; target: string | null }>(
    db,
    "SELECT against, against_target AS target FROM batch WHERE id = ? AND against IS NOT NULL",
    [batchId],
  );
  if (told === undefined) return null;
  const { against, target } = told;
  const name = target === null ? against : against.slice(0, -`:${target}`.length);
  const other = "SELECT other_id FROM compared_with WHERE batch_id = ? ORDER BY place";
  return { name, target, batches: selectValues<number>(db, other, [batchId]) };
}

/** Pairs of a batch that was told a reference, and one that the reference named. */
export function comparedBatches(db: Connection): { by: number; to: number }[] {
  return selectRows(db, 'SELECT batch_id AS "by", other_id AS "to" FROM compared_with');
}

/** True for the name of a pin, or of a batch, that runs were told to be compared with. */
export function isToldName(db: Connection, name: string): boolean {
  const own = "SELECT 1 FROM batch WHERE against = @name || coalesce(':' || against_target, '')";
  return selectRow(db, own, { name }) !== undefined;
}

/** Notes what a batch is compared with, whatever its name means later. */
export function setAgainst(
  db: Connection,
  batchId: number,
  { name, target, batches }: { name: string; target: string | null; batches: readonly { id: number }[] },
): void {
  const against = target === null ? name : `${name}:${target}`;
  inTransaction(db, () => {
    execute(db, "UPDATE batch SET against = ?, against_target = ? WHERE id = ?", [against, target, batchId]);
    const insert = sqlite(db).prepare("INSERT INTO compared_with (batch_id, place, other_id) VALUES (?, ?, ?)");
    for (const [place, { id }] of batches.entries()) insert.run(batchId, place, id);
  });
}

/** Batches of which only answers and scores are kept, because they were read from an exported pin. */
export function isExported(db: Connection, batchId: number): boolean {
  return selectValue<string | null>(db, "SELECT origin FROM batch WHERE id = ?", [batchId]) === "pin";
}
