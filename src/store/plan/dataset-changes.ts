import type { Case } from "../../dataset/case.ts";
import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectValue, selectValues, sqlite } from "../sqlite.ts";
import type { CaseTable } from "./select.ts";

/** Number of cases, and the keys of the first. */
export interface KeyCount {
  count: number;
  first: string[];
}

/** Differences between a dataset and the cases of a batch. */
export interface DatasetChanges {
  added: KeyCount;
  gone: KeyCount;
  /** Cases with the same key; other input, cluster or turn. */
  changed: KeyCount;
}

const mostKeys = 5;

/**
 * Compares a dataset as it is now with the cases of a batch, in a table of this connection: memory stays flat.
 * `skipJobs` then knows which cases are no longer the same.
 */
export async function datasetChanges(
  db: Connection,
  batchId: number,
  pages: AsyncIterable<Case[]>,
  options: { rankOf: (cluster: string) => number; keep: (table: CaseTable) => unknown; turns: boolean },
): Promise<DatasetChanges> {
  const sql = sqlite(db);
  sql.exec(`
    DROP TABLE IF EXISTS temp.case_now;
    DROP TABLE IF EXISTS temp.case_change;
    CREATE TEMP TABLE case_now (place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, input_hash TEXT, cluster TEXT, turn INTEGER, rank INTEGER);
    CREATE TEMP TABLE case_change (case_id INTEGER PRIMARY KEY, reason TEXT NOT NULL);`);
  const insert = sql.prepare("INSERT INTO temp.case_now (key, input_hash, cluster, turn, rank) VALUES (?, ?, ?, ?, ?)");
  const storePage = sql.transaction((page: Case[]) => {
    for (const { key, inputHash, cluster, turn } of page) {
      insert.run(key, inputHash, cluster, turn, options.rankOf(cluster));
    }
  });
  for await (const page of pages) storePage(page);
  options.keep({ name: "temp.case_now", order: "place", where: "true" });
  noteChanges(db, batchId, options.turns);
  return {
    added: keysOf(
      db,
      `FROM temp.case_now AS now WHERE NOT EXISTS (SELECT 1 FROM "case" WHERE batch_id = ? AND "case".key = now.key) ORDER BY place`,
      [batchId],
    ),
    gone: keysOf(db, changesFor("gone"), []),
    changed: keysOf(db, changesFor("changed"), []),
  };
}

const reasons = {
  gone: "the case is no longer in the dataset",
  changed: "the case has changed since the batch was planned",
  earlier: "an earlier turn has changed since the batch was planned",
} as const;

const changesFor = (kind: keyof typeof reasons): string =>
  `FROM temp.case_change CROSS JOIN "case" ON "case".id = case_id WHERE reason = '${reasons[kind]}' ORDER BY case_id`;

function noteChanges(db: Connection, batchId: number, turns: boolean): void {
  execute(
    db,
    `
     INSERT INTO temp.case_change (case_id, reason)
     SELECT "case".id, CASE WHEN now.key IS NULL THEN @gone ELSE @changed END
     FROM "case" LEFT JOIN temp.case_now AS now ON now.key = "case".key
     WHERE "case".batch_id = @batch AND (now.key IS NULL OR now.input_hash <> "case".input_hash
       OR now.cluster <> "case".cluster OR now.turn <> "case".turn)`,
    {
      batch: batchId,
      gone: reasons.gone,
      changed: reasons.changed,
    },
  );
  if (!turns) return;
  // The conversation that a bot is told is part of the question.
  execute(
    db,
    `
     INSERT OR IGNORE INTO temp.case_change (case_id, reason)
     WITH changed AS MATERIALIZED (
       SELECT cluster, min(turn) AS turn FROM temp.case_change CROSS JOIN "case" ON "case".id = case_id GROUP BY cluster)
     SELECT later.id, @earlier FROM "case" AS later
     CROSS JOIN changed ON changed.cluster = later.cluster AND changed.turn < later.turn WHERE later.batch_id = @batch`,
    {
      batch: batchId,
      earlier: reasons.earlier,
    },
  );
}

function keysOf(db: Connection, from: string, parameters: number[]): KeyCount {
  // The table that a key is of differs: both call it `key`.
  const first = selectValues<string>(db, `SELECT key ${from} LIMIT ${mostKeys}`, [...parameters]);
  const count = selectValue<number>(db, `SELECT count(*) ${from.replace(/ ORDER BY \w+$/, "")}`, [...parameters]);
  return { count: count ?? 0, first };
}

/**
 * Marks the unfinished jobs of changed cases (as `datasetChanges` found them) and of changed targets as skipped, with the
 * reason; of a target, jobs up to `repeats` stay. Returns how many there were.
 */
export function skipJobs(
  db: Connection,
  batchId: number,
  targets: { id: number; reason: string | null; repeats: number }[],
): number {
  const sql = sqlite(db);
  const open = `${ofPlan()} AND (outcome IS NULL OR outcome = 'held')`;
  return inTransaction(db, () => {
    let skipped = execute(
      db,
      `UPDATE job SET outcome = 'skipped', attempt = NULL, error = (SELECT reason FROM temp.case_change WHERE case_id = job.case_id)
       WHERE ${open} AND case_id IN (SELECT case_id FROM temp.case_change)`,
      { batch: batchId },
    ).changes;
    const ofTarget = sql.prepare(
      `UPDATE job SET outcome = 'skipped', attempt = NULL, error = @reason WHERE ${open} AND target_id = @id AND repeat > @repeats`,
    );
    for (const target of targets) {
      if (target.reason !== null) skipped += ofTarget.run({ batch: batchId, ...target }).changes;
    }
    return skipped;
  });
}
